import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach } from '@jest/globals';
import type { Loopback } from './loopback.js';

/** A proxy that makes tunnels to one server, whatever name is asked for. */
export interface Tunnel {
  readonly url: string;
  /** What tunnels were asked for. */
  readonly asked: string[];
  close(): void;
}

const running = new Set<Tunnel>();

/** Starts a proxy; one without a server refuses every tunnel. */
export const tunnel = async (server: Loopback | undefined): Promise<Tunnel> => {
  const asked: string[] = [];
  const proxy = createServer((_request, response) => response.writeHead(400).end());
  proxy.on('connect', ({ url = '' }, socket) => {
    asked.push(url);
    socket.on('error', () => undefined);
    if (server === undefined) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const onward = connect(server.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const one: Tunnel = {
    url: `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}`,
    asked,
    close: () => {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
  running.add(one);
  return one;
};

/** Runs with these variables in place of the environment's own of all proxies. */
export const withProxyVariables = async <T>(
  variables: Readonly<Record<string, string>>,
  run: () => Promise<T>,
): Promise<T> => {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];
  const before = names.map((name) => [name, process.env[name]] as const);
  for (const name of names) delete process.env[name];
  Object.assign(process.env, variables);
  try {
    return await run();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
};

afterEach(() => {
  for (const one of running) one.close();
  running.clear();
});
