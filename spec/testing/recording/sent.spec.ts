import { describe, expect, it } from '@jest/globals';
import { Sent } from '../../../src/testing/recording/sent.js';
import { type HearFields, SENT_FIELDS } from '../../../src/transport/sent-fields.js';

const URL_ = 'https://h.example/mcp';

const following = (): readonly [Sent, HearFields] => {
  const sent = new Sent();
  let hear: HearFields = () => undefined;
  sent.follow({ [SENT_FIELDS]: (given: HearFields) => (hear = given) });
  return [sent, (fields, url) => hear(fields, url)];
};

describe('what went out in a field', () => {
  it('is not written down', () => {
    const [sent, hear] = following();
    expect(sent.without('first-value')).toBe('first-value');
    hear({ 'x-thing': 'first-value', accept: 'application/json', 'x-revision': '2026-07-28' }, URL_);
    hear({ 'x-thing': 'first-value-and-more' }, `${URL_}?a=of-the-query`);
    expect(sent.without('first-value, first-value-and-more; of-the-query')).toBe('[redacted], [redacted]; [redacted]');
    expect(sent.without('application/json 2026-07-28')).toBe('application/json 2026-07-28');
  });

  it('is remembered as long as it is sent, and of what is another each time the last', () => {
    const [sent, hear] = following();
    for (let n = 1_000; n < 2_000; n += 1) hear({ 'x-thing': 'first-value', 'x-proof': `proof-${n}` }, URL_);
    expect(sent.without('first-value proof-1000 proof-1999')).toBe('[redacted] proof-1000 [redacted]');
  });

  it('is not known of a wire that does not say it', () => {
    const sent = new Sent();
    sent.follow({});
    expect(sent.without('text')).toBe('text');
  });
});
