// A raw server over stdio: `node stdio.mjs modern|legacy [tools]`. What one chunk asks is answered with one write.
import { answersOf, noticesOf } from './answers.mjs';

const { answer, textOf } = answersOf(process.argv[2], Number(process.argv[3] ?? 0));

const respond = (line) => {
  const message = JSON.parse(line);
  const response = answer(message);
  if (response === undefined) return '';
  let text = '';
  if (message.params?.name === 'notices') {
    for (const notice of noticesOf(message)) text += `${JSON.stringify(notice)}\n`;
  }
  return `${text}${textOf(response)}\n`;
};

let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  let out = '';
  for (const line of lines) if (line !== '') out += respond(line);
  if (out !== '') process.stdout.write(out);
});
// The end of stdin ends the process: nothing else keeps it alive.
