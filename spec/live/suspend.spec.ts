// A call that waits for answers outlives the process that began it.
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { connectStdio } from '../../src/bridge/stdio.js';
import { EraCache, type McpClient, type SuspendableResult, type SuspendedCall } from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { type Parent, startParent } from '../support/parent-processes.js';
import { program } from '../support/programs/program.js';

jest.setTimeout(60_000);

const SERVER = {
  command: process.execPath,
  args: [program('servers', 'interview-stdio'), 'modern'],
};

/** What the application will answer in the end, though no hook is set. */
const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

const NAME = { action: 'accept', content: { name: 'Ada', greeting: 'Ahoy', times: 1 } };
const POEM = { role: 'assistant', model: 'm-1', content: { type: 'text', text: 'O gears' } };
const ROOTS = { roots: [{ uri: 'file:///home/ada' }] };

const parents = new Set<Parent>();

afterEach(() => {
  for (const { process: child } of parents) child.kill();
  parents.clear();
});

/** Another process, which resumes calls as it is told. */
const startOther = () => {
  const parent = startParent('resume');
  parents.add(parent);
  return {
    resume: async (
      suspended: SuspendedCall,
      answers: object,
    ): Promise<SuspendableResult | { readonly error: string }> => {
      parent.process.stdin.write(`${JSON.stringify({ server: SERVER, suspended, answers })}\n`);
      return JSON.parse(await parent.line()) as SuspendableResult;
    },
    end: async (): Promise<number | null> => {
      parent.process.stdin.end();
      return (await parent.ended).code;
    },
  };
};

const connect = (): McpClient => closing(connectStdio({ ...SERVER, capabilities, eraCache: new EraCache() }));

/** Begins a call, and ends the client and its server as soon as the call waits. */
const suspend = async (tool: string): Promise<Extract<SuspendableResult, { kind: 'input' }>> => {
  const mcp = connect();
  const outcome = await mcp.promises.callTool(tool, {}, { onInput: 'return' });
  await mcp.close();
  if (outcome.kind !== 'input') throw new Error('it did not ask');
  return outcome;
};

const inputOf = (outcome: SuspendableResult | { readonly error: string }) => {
  if (!('kind' in outcome) || outcome.kind !== 'input') throw new Error(`it does not wait: ${JSON.stringify(outcome)}`);
  return outcome;
};

describe('a suspended call', () => {
  it('is resumed in another process, with another server process behind it', async () => {
    const { requests, resume } = await suspend('greet');
    expect(requests).toEqual({
      name: {
        method: 'elicitation/create',
        params: expect.objectContaining({ message: 'What is your name?' }),
      },
    });
    const other = startOther();
    expect(await other.resume(resume, { name: NAME })).toMatchObject({
      kind: 'result',
      result: { content: [{ type: 'text', text: 'Ahoy Ada' }] },
    });
    expect(await other.end()).toBe(0);
  });

  it('goes from one process to the next and back, round by round', async () => {
    const first = await suspend('interview');
    const other = startOther();
    const second = inputOf(await other.resume(first.resume, { name: NAME }));
    expect(Object.keys(second.requests)).toEqual(['poem', 'roots']);
    // Back in this process, with a client that has seen none of it.
    const third = inputOf(await connect().promises.resume(second.resume, { poem: POEM, roots: ROOTS }));
    expect(third.requests).toMatchObject({ link: { params: { url: 'https://accounts.example.com/connect?id=7' } } });
    expect(await other.resume(third.resume, { link: { action: 'accept' } })).toMatchObject({
      kind: 'result',
      result: { content: [{ type: 'text', text: 'Ahoy Ada; O gears; 1 roots; accept' }] },
    });
  });

  it('may be resumed more than once: whether that is allowed is the server’s to say', async () => {
    const { resume } = await suspend('interview');
    const other = startOther();
    for (const action of ['decline', 'cancel']) {
      inputOf(await other.resume(resume, { name: { action } }));
    }
  });

  it('is refused by the server where its state was changed, and here where an answer is missing', async () => {
    const { resume } = await suspend('interview');
    const other = startOther();
    expect(await other.resume({ ...resume, requestState: 'mine' }, { name: NAME })).toEqual({ error: 'ProtocolError' });
    expect(await other.resume(resume, {})).toEqual({ error: 'OptionError' });
  });
});
