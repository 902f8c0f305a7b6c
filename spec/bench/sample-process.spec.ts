import { describe, expect, it } from '@jest/globals';
import { reasonIn, resultIn, resultOf } from '../../bench/support/sample-process.mjs';
import { allGone } from '../support/child-processes.js';

const uncaught = `file:///bench.mjs:1
throw new TypeError('no such tool');
^

TypeError: no such tool
    at file:///bench.mjs:1:7

Node.js v20.20.2
`;

describe('what a sample that fell says', () => {
  it('is the line of its error, or the last line it wrote', () => {
    expect(reasonIn(uncaught)).toBe('TypeError: no such tool');
    expect(reasonIn('out of luck\n\nNode.js v20.20.2\n')).toBe('out of luck');
    expect(reasonIn('')).toBe('');
  });
});

describe('the result of a sample', () => {
  it('is its last line: a finite value, or an error', () => {
    expect(resultIn('noise\n{"value":1,"note":"n"}\n', '', 'ended with 0')).toEqual({ value: 1, note: 'n' });
    expect(resultIn('{"error":"it hung"}\n', '', 'ended with 0')).toEqual({ error: 'it hung' });
  });

  it.each(['17', 'null', '{}', '{"value":null}', '{"value":"3"}', 'done', ''])('is not %j', (line) => {
    expect(resultIn(`${line}\n`, uncaught, 'ended with 1')).toEqual({
      error: 'ended with 1 without a result: TypeError: no such tool',
    });
  });
});

describe('a sample', () => {
  const child = `require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'],
    { stdio: ['ignore', 'ignore', 'inherit'], detached: true })`;

  it('that is not done in time ends with what it started, in whatever group that is', async () => {
    const { error } = await resultOf(['-e', `console.error(${child}.pid); setInterval(() => {}, 1000);`], {
      limitMs: 2_000,
    });
    expect(error).toMatch(/^not done after 2 s without a result: \d+$/);
    await allGone(Number(error!.split(' ').at(-1)));
  });

  it('is over with its own end, though what it started holds its pipes open', async () => {
    const said = await resultOf(['-e', `console.log(JSON.stringify({ value: ${child}.pid })); process.exit(0);`], {
      limitMs: 60_000,
    });
    process.kill(said.value!, 'SIGKILL');
    await allGone(said.value!);
  });
});
