// A transport of one's own: JSON text over a MessagePort, the way to a server in a worker thread.
//
//   const { port1, port2 } = new MessageChannel();
//   new Worker('./server.js', { workerData: port2, transferList: [port2] });
//   const mcp = connect(portTransport(port1));
import type { MessagePort } from 'node:worker_threads';
import { EMPTY, Observable, defer, throwError } from 'rxjs';
import { parseInbound, TransportClosedError, type Inbound, type Transport } from '../src/index.js';

export const portTransport = (port: MessagePort): Transport => {
  let alive = true;
  let closing = false;
  const closed = new Promise<void>((resolve) => {
    port.once('close', () => {
      alive = false;
      resolve();
    });
  });
  return {
    // A port keeps its messages until somebody listens.
    inbound$: new Observable<Inbound>((subscriber) => {
      port.on('message', (text: string) => {
        for (const message of parseInbound(text)) subscriber.next(message);
      });
      void closed.then(() => {
        if (closing) subscriber.complete();
        else subscriber.error(new Error('the other side closed the port'));
      });
    }),
    send: (message) =>
      defer(() => {
        if (!alive) return throwError(() => new TransportClosedError());
        port.postMessage(JSON.stringify(message));
        return EMPTY;
      }),
    cancelBy: 'notice',
    mirrorsHeaders: false,
    get alive() {
      return alive;
    },
    close() {
      closing ||= alive;
      alive = false;
      port.close();
      return closed;
    },
  };
};
