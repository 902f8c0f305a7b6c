// An output schema, or that of a form, is a stranger's: a small one made the check of a small result run for ever.
import { describe, expect, it } from '@jest/globals';
import { connect, type ElicitResult } from '../../src/index.js';
import { scriptedTransport } from '../../src/testing/index.js';

const doubling = (): object => {
  const $defs: Record<string, unknown> = { d40: { type: 'string' } };
  for (let at = 0; at < 40; at += 1) {
    const next = { $ref: `#/$defs/d${at + 1}` };
    $defs[`d${at}`] = { allOf: [next, next] };
  }
  return { type: 'object', properties: { a: { type: 'string', $ref: '#/$defs/d0' } }, $defs };
};
const withPattern = (pattern: string): object => ({ type: 'object', properties: { a: { type: 'string', pattern } } });

describe('a check that would take for ever', () => {
  it.each([
    ['output-invalid', withPattern('a*a*a*a*a*b')],
    ['output-invalid', withPattern(`${'a?'.repeat(100)}!`)],
    ['output-schema', doubling()],
  ] as const)('is not made, which is a warning (%s)', async (kind, outputSchema) => {
    const result = { content: [], structuredContent: { a: 'a'.repeat(5_000) } };
    const client = connect(
      scriptedTransport({
        'tools/list': { tools: [{ name: 'x', inputSchema: { type: 'object' }, outputSchema }] },
        'tools/call': result,
      }),
      { era: 'modern' },
    );
    const warnings: string[] = [];
    client.warnings$.subscribe((warning) => warnings.push(warning.kind));
    await client.promises.listTools();
    expect(await client.promises.callTool('x')).toMatchObject(result);
    expect(warnings).toEqual([kind]);
    await client.close();
  });

  it('is not made of the answer to a form, which is declined', async () => {
    const answer: ElicitResult = { action: 'accept', content: { a: 'hello' } };
    const client = connect(
      scriptedTransport({
        'tools/call': ({ inputResponses }: { inputResponses?: { q: unknown } }) =>
          inputResponses === undefined
            ? {
                resultType: 'input_required',
                inputRequests: {
                  q: { method: 'elicitation/create', params: { message: 'a?', requestedSchema: doubling() } },
                },
              }
            : { content: [], structuredContent: inputResponses.q },
      }),
      { era: 'modern', onElicit: () => answer },
    );
    expect(await client.promises.callTool('x')).toMatchObject({ structuredContent: { action: 'decline' } });
    await client.close();
  });
});
