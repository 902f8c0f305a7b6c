// A raw server over Streamable HTTP: `node http.mjs modern|legacy json|sse`. Prints its port, and ends with its stdin.
import { createServer } from 'node:http';
import { answersOf } from './answers.mjs';

const [era, form] = process.argv.slice(2);
const { answer, textOf } = answersOf(era);

const respond = (body, response) => {
  const answered = answer(JSON.parse(body));
  if (answered === undefined) return response.writeHead(202).end();
  const text = textOf(answered);
  if (form === 'sse') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return response.end(`event: message\ndata: ${text}\n\n`);
  }
  const bytes = Buffer.from(text);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
  return response.end(bytes);
};

const server = createServer((request, response) => {
  if (request.method !== 'POST') {
    request.resume();
    response.writeHead(405).end();
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => respond(Buffer.concat(chunks).toString(), response));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.resume().on('end', () => {
  server.close();
  server.closeAllConnections();
});
