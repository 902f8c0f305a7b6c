import { describe, expect, it } from '@jest/globals';
import { flameGraph, type Profile } from '../../bench/flame-graph.mjs';

const node = (id: number, functionName: string, url: string, ...children: readonly number[]) => ({
  ...{ id, children },
  callFrame: { functionName, url },
});

/** `work` calls `parse` twice, from two places in it; and the process waits for as long as all of it takes. */
const profile: Profile = {
  nodes: [
    node(1, '(root)', '', 2, 6),
    node(2, 'work', 'file:///a/dist/index.js', 3, 4, 5),
    node(3, 'parse', 'node:internal/json'),
    node(4, 'parse', 'node:internal/json'),
    node(5, '', 'file:///a/node_modules/rxjs/dist/a<b>.js'),
    node(6, '(idle)', ''),
  ],
  samples: [2, 3, 4, 5, 6],
  timeDeltas: [500, 200, 200, 100, 1_000],
};

const titlesOf = (svg: string): string[] => [...svg.matchAll(/<title>(.*?)<\/title>/g)].map(([, title = '']) => title);

describe('a flame graph', () => {
  it('has each function with its share of the time, what waited left out, and the same callees once', () => {
    expect(titlesOf(flameGraph(profile, 'a call'))).toEqual([
      'all: 100.0 %',
      'work (index.js): 100.0 %',
      'parse (json): 40.0 %',
      '(anonymous) (a&#60;b&#62;.js): 10.0 %',
    ]);
  });

  it('is as wide as the time took, callers below, in the colour of whose it is', () => {
    const svg = flameGraph(profile, 'a call');
    const [all, work, parse, rest] = [...svg.matchAll(/<title>.*?y="(\d+)" width="([\d.]+)".*?fill="(.*?)"/g)].map(
      ([, y, width, colour]) => ({ y: Number(y), width: Math.round(Number(width)), colour }),
    );
    expect([all!.width, work!.width, parse!.width, rest!.width]).toEqual([1_180, 1_180, 472, 118]);
    expect([work!.y, parse!.y, rest!.y].map((y) => all!.y - y)).toEqual([17, 34, 34]);
    expect(new Set([all, work, parse, rest].map((frame) => frame!.colour)).size).toBe(4);
  });

  it('leaves out what is too narrow to be seen', () => {
    const { nodes, samples } = profile;
    expect(titlesOf(flameGraph({ nodes, samples, timeDeltas: [500_000, 2, 2, 1, 0] }, 'a call'))).toHaveLength(2);
  });

  it('bears its title', () => {
    expect(flameGraph(profile, '64 < 256')).toContain('>64 &#60; 256</text>');
  });
});
