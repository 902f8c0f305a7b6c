import { describe, expect, it } from '@jest/globals';
import { ProtocolError } from '../../src/index.js';
import { scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { acknowledging, tell } from '../support/client/listening.js';
import { ERAS, sentTo } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';

describe.each(ERAS)('case 44: a list that is declared and refused by a working server of the %s era', (era) => {
  it('is empty where it is followed, with a warning and no further asking, until a change is told', () => {
    inVirtualTime(({ at }) => {
      const refusal = new ProtocolError(-32603, 'no database');
      let refuses = true;
      const server = scriptedTransport(
        {
          'resources/list': () => {
            if (refuses) throw refusal;
            return { resources: [{ uri: 'a:1', name: 'one' }] };
          },
          'tools/list': { tools: [] },
          'subscriptions/listen': acknowledging(),
        },
        { era },
      );
      const client = connect(server, { era });
      const warnings = watch(client.warnings$).values;
      const resources = watch(client.resources$);
      const tools = watch(client.tools$);
      at(600_000, () => {
        expect([resources.values, tools.values, resources.error]).toEqual([[[]], [[]], undefined]);
        expect(warnings).toEqual([
          { kind: 'list-failed', message: 'the list of resources could not be read: no database', detail: refusal },
        ]);
        expect(sentTo(server, 'resources/list')).toHaveLength(1);
        refuses = false;
        const method = 'notifications/resources/list_changed';
        if (era === 'modern') tell(server, method);
        else server.push({ method });
        expect(resources.values).toEqual([[], [{ uri: 'a:1', name: 'one' }]]);
      });
    });
  });
});
