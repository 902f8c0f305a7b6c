import { Observable } from 'rxjs';
import type { Connector, Transport } from '../../src/transport/index.js';

/** A connector whose every life is a transport that `make` makes. */
export const connectorOf =
  (make: () => Transport): Connector =>
  () =>
    new Observable<Transport>((subscriber) => {
      const transport = make();
      subscriber.add(() => void transport.close());
      subscriber.next(transport);
    });
