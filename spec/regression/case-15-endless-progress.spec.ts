import { describe, expect, it } from '@jest/globals';
import { interval, map } from 'rxjs';
import { type ClientOptions, TimeoutError } from '../../src/index.js';
import { scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS, sentTo } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';

/** A tool that reports every second and never answers. */
const endless = (era: 'modern' | 'legacy') =>
  scriptedTransport({ 'tools/call': interval(1_000).pipe(map((count) => scriptedTransport.progress(count))) }, { era });

describe.each(ERAS)('case 15: progress without end, in the %s era', (era) => {
  it.each<[string, ClientOptions, object, number]>([
    ['ten minutes', {}, {}, 600_000],
    ['maxTotalMs of the client', { maxTotalMs: 90_500 }, {}, 90_500],
    ['maxTotalMs of the call', { maxTotalMs: 90_500 }, { maxTotalMs: 70_500 }, 70_500],
  ])('ends at %s, and the server is told', (_which, options, callOptions, cap) => {
    inVirtualTime(({ at }) => {
      const server = endless(era);
      const call$ = connect(server, { era, ...options }).callTool('t', {}, { ...callOptions, observe: 'events' });
      const seen = watch(call$);
      at(cap - 1, () => expect(seen.error).toBeUndefined());
      at(cap, () => {
        expect(seen.values.length).toBeGreaterThan(60);
        expect(seen.error).toEqual(new TimeoutError('tools/call', 2, cap));
        expect(sentTo(server, 'notifications/cancelled')).toHaveLength(1);
      });
    });
  });
});
