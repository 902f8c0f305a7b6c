// A raw modern server over HTTP that keeps what it is asked to keep: `hold` is never answered, and a stream of changes stays open.
// Prints its port, and ends with its stdin.
import { createServer } from 'node:http';
import { answersOf } from './answers.mjs';

const { answer, textOf } = answersOf('modern');

/** It declares what the raw server does not: that its list of tools may change. */
const answered = (message) => {
  const response = answer(message);
  if (message.method === 'server/discover') response.result.capabilities = { tools: { listChanged: true } };
  return response;
};

const acknowledge = ({ id, params }, response) => {
  const acknowledged = {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: params.notifications, _meta: { 'io.modelcontextprotocol/subscriptionId': id } },
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`event: message\ndata: ${JSON.stringify(acknowledged)}\n\n`);
};

const respond = (message, response) => {
  if (message.method === 'subscriptions/listen') return acknowledge(message, response);
  if (message.params?.name === 'hold') return undefined;
  const found = answered(message);
  if (found === undefined) return response.writeHead(202).end();
  return response.writeHead(200, { 'content-type': 'application/json' }).end(textOf(found));
};

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => respond(JSON.parse(Buffer.concat(chunks).toString()), response));
});
server.keepAliveTimeout = 60_000;
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.resume().on('end', () => {
  server.close();
  server.closeAllConnections();
});
