// The hostile server over stdio: `stdio.mjs <era> <deed> <file>`. Speaks the protocol without any library.
// The file counts its lives: one byte each. What it starts it names on stderr, as `pid 123`.
import { appendFileSync, statSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { DEEDS } from './deeds/index.mjs';
import { answerTo, stageOf } from './honest.mjs';

const [era, name, file] = process.argv.slice(2);
appendFileSync(file, '.');
const life = statSync(file).size;
const deed = DEEDS[name]();

/** Writes all of some text or bytes before it returns. */
const raw = (data, fd = 1) => {
  let rest = Buffer.from(data);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
};

const say = (message) => raw(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);

const turnOf = (request) => ({
  era,
  life,
  request,
  id: request.id,
  raw,
  say,
  answer: (result = answerTo(era, request).result) => ({ jsonrpc: '2.0', id: request.id, result }),
});

deed.start?.(turnOf({}));

createInterface({ input: process.stdin }).on('line', async (line) => {
  const request = JSON.parse(line);
  if (request.method === undefined) return deed.answered?.(turnOf(request));
  const stage = stageOf(request);
  if (stage !== undefined && deed[stage] !== undefined) return deed[stage](turnOf(request));
  if (request.id === undefined) return undefined;
  await deed.before?.(turnOf(request));
  return say(answerTo(era, request));
});
