import { describe, expect, it } from '@jest/globals';
import { type Observable, of, Subject, throwError } from 'rxjs';
import type { AuthChallenge } from '../../../src/transport/http/options.js';
import { type Asking, Renewals } from '../../../src/transport/http/renewals.js';
import { watch } from '../../support/client/watch.js';

const refused = (token: string | undefined = 'a', rest: Partial<AuthChallenge> = {}): AuthChallenge => ({
  url: 'https://mcp.example/mcp',
  target: 'https://mcp.example/mcp',
  method: 'POST',
  status: 401,
  challenge: 'Bearer',
  token,
  ...rest,
});

/** A provider in the hand of the spec. */
const provider = (renew: () => Observable<boolean>) => {
  const asked: AuthChallenge[] = [];
  let token: string | undefined = 'a';
  const asking: Asking = {
    token: () => of(token),
    renew: (challenge) => {
      asked.push(challenge);
      return renew();
    },
  };
  return {
    asked,
    asking,
    has: (next: string) => {
      token = next;
    },
  };
};

describe('a renewal of the authorization', () => {
  it('is one for all that were refused alike at the same time, and each hears how it went', () => {
    for (const isNew of [true, false]) {
      const answer$ = new Subject<boolean>();
      const { asked, asking } = provider(() => answer$);
      const renewals = new Renewals();
      const all = [1, 2, 3, 4, 5].map(() => watch(renewals.renewed(refused(), asking)));
      answer$.next(isNew);
      answer$.complete();
      expect(asked).toEqual([refused()]);
      for (const { values, completed } of all) expect([values, completed]).toEqual([[isNew], true]);
    }
  });

  it('is another for what was refused in another way', () => {
    const { asked, asking } = provider(() => new Subject());
    const renewals = new Renewals();
    const all = [
      refused(),
      refused('b'),
      refused('a', { status: 403 }),
      refused('a', { challenge: 'Bearer scope="x"' }),
    ];
    for (const challenge of all) watch(renewals.renewed(challenge, asking));
    expect(asked).toEqual(all);
  });

  it('is none for a request that comes late, with a token that was replaced since', () => {
    const { asked, asking, has } = provider(() => of(true));
    const renewals = new Renewals();
    watch(renewals.renewed(refused(), asking));
    has('b');
    expect(watch(renewals.renewed(refused(), asking)).values).toEqual([true]);
    expect(asked).toHaveLength(1);
  });

  it('is another where the same token is refused again, since nothing has replaced it', () => {
    const { asked, asking } = provider(() => of(true));
    const renewals = new Renewals();
    watch(renewals.renewed(refused(), asking));
    watch(renewals.renewed(refused(), asking));
    expect(asked).toHaveLength(2);
  });

  it('that brought nothing has replaced nothing: the next one is asked for, whatever the token is by then', () => {
    const { asked, asking, has } = provider(() => of(false));
    const renewals = new Renewals();
    watch(renewals.renewed(refused(), asking));
    has('b');
    expect(watch(renewals.renewed(refused(), asking)).values).toEqual([false]);
    expect(asked).toHaveLength(2);
  });

  it('is another for what nobody waits for', () => {
    const { asked, asking } = provider(() => new Subject());
    const renewals = new Renewals();
    for (const isBackground of [undefined, false, true]) watch(renewals.renewed(refused(), asking, isBackground));
    expect(asked).toHaveLength(2);
  });

  it('is asked for where there was no token, and none before', () => {
    const { asked, asking } = provider(() => of(true));
    expect(watch(new Renewals().renewed({ ...refused(), token: undefined }, asking)).values).toEqual([true]);
    expect(asked).toHaveLength(1);
  });

  it('that fails fails for all who wait, and the next one is asked for anew', () => {
    let fails = true;
    const { asked, asking } = provider(() => (fails ? throwError(() => new Error('no vault')) : of(true)));
    const renewals = new Renewals();
    expect(watch(renewals.renewed(refused(), asking)).error).toEqual(new Error('no vault'));
    fails = false;
    expect(watch(renewals.renewed(refused(), asking)).values).toEqual([true]);
    expect(asked).toHaveLength(2);
  });

  it('is given up with the last who waits for it', () => {
    const answer$ = new Subject<boolean>();
    const { asking } = provider(() => answer$);
    const renewals = new Renewals();
    const [first, second] = [1, 2].map(() => watch(renewals.renewed(refused(), asking)));
    first!.subscription.unsubscribe();
    expect(answer$.observed).toBe(true);
    second!.subscription.unsubscribe();
    expect(answer$.observed).toBe(false);
    expect(watch(renewals.renewed(refused(), asking)).completed).toBe(false);
    expect(answer$.observed).toBe(true);
  });
});
