import { throwError } from 'rxjs';
import { OptionError, UnsentError } from '../../errors/index.js';
import { httpConnector } from '../../transport/http/index.js';
import { stdioConnector } from '../../transport/stdio/index.js';
import type { Connector } from '../../transport/index.js';
import { reasonOf } from '../fields.js';
import type { ConfigEntry } from '../read-entry.js';
import type { HttpExtras } from './http-extras.js';

/** What is needed beside the entry. */
export interface ConnectorTerms {
  /** The whole environment of its process. */
  readonly childEnv: Readonly<Record<string, string>>;
  readonly killGraceMs: number | undefined;
  readonly maxMessageBytes: number | undefined;
  /** For a server behind a URL. */
  readonly http: HttpExtras;
}

/** A wire to the server of an entry, or why there is none. */
export interface EntryWire {
  readonly connector: Connector;
  readonly failure?: string | undefined;
}

const none = (failure: string): EntryWire => ({ connector: () => throwError(() => new UnsentError(failure)), failure });

/** How to reach the server of an entry. Throws nothing: what keeps it from being reached is told. */
export const wireOf = (
  entry: ConfigEntry,
  { childEnv, killGraceMs, maxMessageBytes, http }: ConnectorTerms,
): EntryWire => {
  if (entry.state === 'disabled') return none('it is disabled in the config');
  if (entry.state === 'failed') return none(entry.reason);
  const { server, redact } = entry;
  try {
    if (server.transport !== 'stdio') {
      const { url, headers } = server;
      return { connector: httpConnector({ ...http, url, headers, maxMessageBytes }) };
    }
    const { command, args, cwd } = server;
    // All of it is in `childEnv`: nothing is inherited beside it.
    return {
      connector: stdioConnector({
        ...{ command, args, cwd, env: childEnv, inheritEnv: false },
        ...{ killGraceMs, maxMessageBytes, redact },
      }),
    };
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    return none(redact(`${error.option}: ${reasonOf(error)}`));
  }
};
