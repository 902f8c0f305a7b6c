import { describe, expect, it } from '@jest/globals';
import { of } from 'rxjs';
import { fixtureServer, marbles, type Mark } from '../../src/testing/index.js';

/** What streams did, without the moments. */
const happened = (marks: readonly Mark[]): readonly unknown[] => marks.map(([, what]) => what);

// Nothing was loaded before, as in the first test of an application.
describe.each(['modern', 'legacy'] as const)('a client in virtual time, of a server of the %s era', (era) => {
  it('has everything at once that is otherwise loaded on first use', () => {
    let marks: Record<string, readonly Mark[]> = {};
    marbles(({ connect, at, marksOf }) => {
      const server = fixtureServer({ era });
      const mcp = connect(() => server.connector(), {
        onElicit: () => of({ action: 'accept', content: { name: 'Ada' } }),
      });
      marks = {
        tools: marksOf(mcp.tools$),
        resource: marksOf(mcp.watchResource('fixture://text')),
        prompts: marksOf(mcp.prompts$),
        asked: marksOf(mcp.callTool('ask')),
        sum: marksOf(mcp.callTool('add', { a: 1, b: 2 })),
        forModel: marksOf(mcp.toolsForLlm()),
      };
      at(60_000, () => {
        server.tool('late', { description: 'Comes later' }, () => 'here');
        server.resource('fixture://text', { text: 'changed' });
      });
      at(120_000, () => void mcp.close());
    });
    const lengths = (name: string): unknown[] =>
      happened(marks[name]!).map((what) => (Array.isArray(what) ? what.length : what));
    expect(lengths('tools')).toEqual([9, 10, '|']);
    expect(lengths('prompts')).toEqual([expect.any(Number), '|']);
    expect(lengths('forModel')).toEqual([9, '|']);
    expect(happened(marks['resource']!)).toMatchObject([
      { contents: [{ text: 'Hello' }] },
      { contents: [{ text: 'changed' }] },
      '|',
    ]);
    expect(happened(marks['asked']!)).toEqual([expect.objectContaining({ content: expect.any(Array) }), '|']);
    // Also what is loaded first elsewhere: the check of an output, the answer to a form.
    for (const name of ['asked', 'sum', 'tools', 'resource', 'prompts', 'forModel'])
      expect(marks[name]![0]?.[0]).toBe(0);
    expect(happened(marks['sum']!)).toEqual([expect.objectContaining({ structuredContent: { sum: 3 } }), '|']);
  });
  it('checks by JSON Schema at once, on both sides', () => {
    let marks: readonly Mark[] = [];
    let wrong: readonly Mark[] = [];
    marbles(({ connect, marksOf }) => {
      const size = { type: 'object', properties: { size: { type: 'number' } }, required: ['size'] };
      const server = fixtureServer({ era }).tool(
        'measure',
        { description: 'Says a size', input: size, output: size },
        (args) => args,
      );
      const mcp = connect(server.connector, { validateOutput: 'error' });
      marks = marksOf(mcp.callTool('measure', { size: 1 }));
      wrong = marksOf(mcp.callTool('measure', { size: 'one' }));
    });
    expect(marks).toEqual([
      [0, expect.objectContaining({ structuredContent: { size: 1 } })],
      [0, '|'],
    ]);
    expect(wrong).toEqual([
      [0, expect.objectContaining({ isError: true })],
      [0, '|'],
    ]);
  });
});
