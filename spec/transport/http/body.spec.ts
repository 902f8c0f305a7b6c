import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { from, NEVER, Subject } from 'rxjs';
import { MessageTooLargeError } from '../../../src/errors/index.js';
import { bodyText, wholeBody } from '../../../src/transport/http/body.js';
import { watch } from '../../support/client/watch.js';
import { breaking, bytes, madeResponse } from '../../support/http/responses.js';

describe('the whole body', () => {
  it('is one text, whatever the chunks and wherever characters are cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.nat(12)), (text, lengths) => {
        const rest = [...bytes(text)];
        const chunks = lengths.map((length) => Uint8Array.from(rest.splice(0, length)));
        const response = madeResponse(200, {}, from([...chunks, Uint8Array.from(rest)]));
        expect(watch(wholeBody(response, 1_000_000)).values).toEqual([text.replace(/^\ufeff/, '')]);
      }),
    );
  });

  it('is read as UTF-8, whatever its charset says', () => {
    const response = madeResponse(200, { 'content-type': 'application/json; charset=iso-8859-1' }, '"é漢"');
    expect(watch(wholeBody(response, 100)).values).toEqual(['"é漢"']);
  });

  it('is empty where there is none', () => {
    expect(watch(wholeBody(madeResponse(200, {}, []), 10)).values).toEqual(['']);
  });

  it('may have just as many bytes as are allowed', () => {
    const seen = watch(wholeBody(madeResponse(200, {}, ['éé', 'é']), 6));
    expect([seen.values, seen.completed]).toEqual([['ééé'], true]);
  });

  it('that has one more is refused as soon as it comes, and let go', () => {
    const body$ = new Subject<Uint8Array>();
    const seen = watch(wholeBody(madeResponse(200, {}, body$), 5));
    body$.next(bytes('ééé'));
    expect(seen.error).toEqual(new MessageTooLargeError(6, 5));
    expect(body$.observed).toBe(false);
  });

  it('that breaks is an error', () => {
    const reason = new Error('cut');
    const seen = watch(wholeBody(madeResponse(200, {}, breaking(reason, 'ab')), 5));
    expect([seen.values, seen.error]).toEqual([[], reason]);
  });
});

describe('the beginning of a body', () => {
  it('is what the limit holds, and the rest is let go', () => {
    const body$ = new Subject<Uint8Array>();
    const seen = watch(bodyText(madeResponse(500, {}, body$), 5, 1_000));
    body$.next(bytes('abc'));
    expect(seen.values).toEqual([]);
    body$.next(bytes('defghi'));
    expect([seen.values, seen.completed, body$.observed]).toEqual([['abcde'], true, false]);
  });

  it('is all of a short one', () => {
    expect(watch(bodyText(madeResponse(500, {}, ['ab', 'c']), 5, 1_000)).values).toEqual(['abc']);
  });

  it('is awaited no longer than somebody wants it', () => {
    const seen = watch(bodyText(madeResponse(500, {}, NEVER), 5, 1_000));
    seen.subscription.unsubscribe();
    expect(seen.values).toEqual([]);
  });
});
