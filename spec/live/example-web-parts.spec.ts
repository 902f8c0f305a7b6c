// The parts of the page in `examples/web` that need no page: `spec/browser` has the rest.
import { describe, expect, it } from '@jest/globals';
import { NEVER, Observable, of, throwError } from 'rxjs';
import { inTurn } from '../../examples/web/page/in-turn.js';
import { linkHost, partsOf } from '../../examples/web/page/url.js';
import { watch } from '../support/client/watch.js';

describe('inTurn()', () => {
  /** What is shown when it is subscribed to, and whether it is. */
  const shown = () => {
    const state = { begun: 0, open: 0 };
    const one$ = new Observable<never>(() => {
      state.begun += 1;
      state.open += 1;
      return () => {
        state.open -= 1;
      };
    });
    return { state, one$ };
  };

  it('shows one after another, in the order in which they came', () => {
    const [first, second] = [shown(), shown()];
    const one = watch(inTurn(first.one$));
    const two = watch(inTurn(second.one$));
    expect([first.state.open, second.state.open]).toEqual([1, 0]);
    one.subscription.unsubscribe();
    expect([first.state.open, second.state.open]).toEqual([0, 1]);
    two.subscription.unsubscribe();
    expect(second.state.open).toBe(0);
  });

  it('never shows what was unsubscribed before its turn', () => {
    const [first, withdrawn, third] = [shown(), shown(), shown()];
    const one = watch(inTurn(first.one$));
    watch(inTurn(withdrawn.one$)).subscription.unsubscribe();
    const three = watch(inTurn(third.one$));
    one.subscription.unsubscribe();
    expect([withdrawn.state.begun, third.state.open]).toEqual([0, 1]);
    three.subscription.unsubscribe();
  });

  it('goes on behind one that fails, and hands its error on', () => {
    const failed = watch(inTurn(throwError(() => new Error('broke'))));
    expect(failed.error).toEqual(new Error('broke'));
    expect(watch(inTurn(of(1))).values).toEqual([1]);
    watch(inTurn(NEVER)).subscription.unsubscribe();
  });
});

describe('partsOf()', () => {
  it.each([
    ['https://example.com/login', 'https://', 'example.com', '/login'],
    ['https://EXAMPLE.com:443/a', 'https://', 'example.com', '/a'],
    ['https://s/x', 'https://', 's', '/x'],
    ['https://good.com@evil.com/', 'https://good.com@', 'evil.com', '/'],
    ['https://evil.com:evil.com@evil.com/', 'https://evil.com:evil.com@', 'evil.com', '/'],
    ['https://evil.com\\@good.com/', 'https://', 'evil.com', '/@good.com/'],
    ['https://evil.com/\u202emoc.elgoog', 'https://', 'evil.com', '/%E2%80%AEmoc.elgoog'],
    ['http://127.0.0.1:80/?a=127.0.0.1#127.0.0.1', 'http://', '127.0.0.1', '/?a=127.0.0.1#127.0.0.1'],
    ['http://[::1]:8080/', 'http://', '[::1]:8080', '/'],
  ])('finds the host where a browser does: %s', (url, before, host, after) => {
    expect(partsOf(url)).toEqual({ before, host, after });
    expect(`${before}${host}${after}`).toBe(new URL(url).href);
  });
});

describe('linkHost()', () => {
  it('is the host of what may be followed', () => {
    expect(linkHost('https://Example.com:8443/a')).toBe('example.com:8443');
  });

  it.each([
    'http://example.com/',
    'javascript:alert(1)',
    'https://paypal.com@evil.example/x',
    'https://:secret@evil.example/x',
    '/a',
    '',
    undefined,
    5,
  ])('is nothing of any other: %j', (uri) => {
    expect(linkHost(uri)).toBeUndefined();
  });
});
