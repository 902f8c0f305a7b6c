import { describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom, map, take, toArray } from 'rxjs';
import { connectStdio } from '../../src/bridge/stdio.js';
import { type CallEvent, type ClientOptions, EraCache, type McpClient } from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { rejection } from '../support/client/watch.js';
import { GIVEN_UP, giveUpThree, itIsTheWorkshop } from '../support/servers/workshop.contract.js';
import { program } from '../support/programs/program.js';

const SERVER = program('servers', 'workshop-stdio');

const workshop = (form: string, options: ClientOptions = {}): McpClient =>
  closing(connectStdio({ command: process.execPath, args: [SERVER, form], eraCache: new EraCache(), ...options }));

type Row = readonly [form: string, era: 'modern' | 'legacy', version: string, options: ClientOptions];

const FORMS: readonly Row[] = [
  ['modern', 'modern', '2026-07-28', {}],
  ['dual', 'modern', '2026-07-28', {}],
  ['dual', 'legacy', '2025-11-25', { era: 'legacy' }],
  ['legacy', 'legacy', '2025-11-25', {}],
];

const journalOf = async (client: McpClient): Promise<string[]> => {
  const { content } = await client.promises.callTool('journal');
  const [first] = content;
  return first?.type === 'text' ? first.text.split('\n') : [];
};

/** The journal, as soon as it says so: the abort reaches the handler a moment after the notice. */
const journalWith = async (client: McpClient, line: string): Promise<string[]> => {
  for (;;) {
    const journal = await journalOf(client);
    if (journal.includes(line)) return journal;
  }
};

describe.each(FORMS)(
  'a server on the official package, served as %s and spoken to as %s',
  (form, era, version, options) => {
    itIsTheWorkshop(era, version, (more) => Promise.resolve(workshop(form, { ...options, ...more })));

    it('reports its progress and logs at the level asked for, all before the result and in order', async () => {
      const client = workshop(form, { ...options, logLevel: 'info' });
      const brief = (event: CallEvent<unknown>): string =>
        event.kind === 'progress'
          ? `${event.progress}/${String(event.total)} ${String(event.message)}`
          : event.kind === 'log'
            ? `${event.level} ${String(event.data)}`
            : event.kind;
      const seen$ = client.callTool('saw', { cuts: 3 }, { observe: 'events' }).pipe(map(brief), toArray());
      expect(await firstValueFrom(seen$)).toEqual([
        'info cut 1',
        '1/3 cut 1 of 3',
        'info cut 2',
        '2/3 cut 2 of 3',
        'info cut 3',
        '3/3 cut 3 of 3',
        'result',
      ]);
    });

    it('observes in its handler that a call was cancelled: by unsubscribing, by a signal, by a timeout', async () => {
      const client = workshop(form, options);
      await giveUpThree(client);
      const journal = await journalWith(client, 'slow aborted');
      expect(journal).toEqual(expect.arrayContaining(GIVEN_UP));
    });

    it('is heard on stderr, and ends with the client', async () => {
      const client = workshop(form, options);
      const line = firstValueFrom(client.stderr$.pipe(filter((text) => text.startsWith('workshop'))));
      const states = firstValueFrom(client.state$.pipe(take(10), toArray()));
      await client.promises.server();
      expect(await line).toBe(`workshop: ${form}`);
      await client.close();
      expect((await states).map(({ status }) => status)).toEqual(['idle', 'connecting', 'connected', 'closed']);
    });
  },
);

describe('a server that is pinned to the other era', () => {
  it('refuses the handshake, with the versions it knows', async () => {
    const error = await rejection(workshop('modern', { era: 'legacy' }).promises.server());
    expect(error).toMatchObject({ code: -32022 });
  });

  it('is not spoken to where only modern revisions are wanted', async () => {
    const error = await rejection(workshop('legacy', { era: 'modern' }).promises.server());
    expect(error).toMatchObject({ name: 'UnsupportedVersionError' });
  });
});
