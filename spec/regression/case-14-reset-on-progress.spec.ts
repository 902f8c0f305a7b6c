import { describe, expect, it } from '@jest/globals';
import { TimeoutError } from '../../src/index.js';
import { scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS, metaOf } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';

describe.each(ERAS)('case 14: progress that flows keeps a call alive, in the %s era', (era) => {
  it('with resetOnProgress: true and nothing else, no callback and no stream', () => {
    inVirtualTime(({ at }) => {
      const server = scriptedTransport({ 'tools/call': scriptedTransport.silence }, { era });
      const options = { resetOnProgress: true, timeoutMs: 100, maxTotalMs: 10_000 };
      const seen = watch(connect(server, { era }).callTool('slow', {}, options));
      const { progressToken } = metaOf(server, 'tools/call') as { progressToken: number };
      for (let step = 1; step <= 20; step += 1) {
        at(step * 90, () =>
          server.push({ method: 'notifications/progress', params: { progressToken, progress: step } }),
        );
      }
      at(20 * 90 + 50, () => server.push({ id: 2, result: { content: [] } }));
      at(20 * 90 + 51, () => expect(seen.marks.map(([ms]) => ms)).toEqual([1_850, 1_850]));
    });
  });

  it('but never beyond maxTotalMs', () => {
    inVirtualTime(({ at }) => {
      const server = scriptedTransport({ 'tools/call': scriptedTransport.silence }, { era });
      const options = { resetOnProgress: true, timeoutMs: 100, maxTotalMs: 1_000 };
      const seen = watch(connect(server, { era }).callTool('slow', {}, options));
      const { progressToken } = metaOf(server, 'tools/call') as { progressToken: number };
      for (let step = 1; step <= 20; step += 1) {
        at(step * 90, () =>
          server.push({ method: 'notifications/progress', params: { progressToken, progress: step } }),
        );
      }
      at(2_000, () => expect(seen.marks).toEqual([[1_000, new TimeoutError('tools/call', 2, 1_000)]]));
    });
  });
});
