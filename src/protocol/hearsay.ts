import { Observable } from 'rxjs';
import { ProtocolError } from '../errors/index.js';
import type { Session } from '../session/index.js';
import { type Finding, findingOf } from './probe.js';

/**
 * Signs of an era besides the probe's own answer, for as long as it is subscribed. Emits a finding for a
 * request of the server (only a legacy server makes any; it is answered as usual) and for an error under
 * an id nobody asked (with only the probe open it is the answer of a server that mangles ids).
 * @param listening false once the era is found: what comes in the same breath is not for the probe
 */
export const hearsay = (session: Session, listening: () => boolean = () => true): Observable<Finding> =>
  new Observable((subscriber) =>
    session.intercept((message) => {
      if (!listening()) return false;
      if ('method' in message) {
        if ('id' in message) subscriber.next({ kind: 'other', reason: undefined });
        return false;
      }
      if (!('error' in message) || 'invalid' in message) return false;
      const { code, message: text, data } = message.error as { code: number; message: string; data?: unknown };
      subscriber.next(findingOf(new ProtocolError(code, text, data)));
      return true;
    }),
  );
