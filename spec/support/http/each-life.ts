import { defer } from 'rxjs';
import { type HttpParameters, httpConnector } from '../../../src/transport/http/index.js';
import type { Connector, WireForm } from '../../../src/transport/index.js';
import type { Loopback } from './loopback.js';

let lives = 0;

/** A connector in one form, whose every life has an endpoint of its own at a server that is started by then. */
export const eachLifeElsewhere =
  (server: () => Loopback, form: WireForm, parameters: Partial<HttpParameters> = {}): Connector =>
  () =>
    defer(() => {
      lives += 1;
      return httpConnector({ url: `${server().origin}/${String(lives)}`, ...parameters })(form);
    });
