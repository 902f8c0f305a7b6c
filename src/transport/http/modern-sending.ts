import { EndedUnanswered, UnsentError } from '../../errors/index.js';
import type { Inbound, JsonRpcRequest, Outbound } from '../../jsonrpc/index.js';
import type { SendHints } from '../transport.js';
import { brokenOff, POST_HEADERS } from './answer.js';
import { headerValue } from './header-value.js';
import { Sending, type SendingWire } from './sending.js';

const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';

/** The methods whose subject is mirrored, and the member of the params that names it. */
const SUBJECT: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** The fields a message goes with: what a server may want to know of it before it reads it. */
export const fieldsOf = (message: Outbound, hints: SendHints | undefined): Record<string, string> => {
  // Written one by one: an object that is spread into another costs several times what is in it.
  const fields: Record<string, string> = { 'content-type': POST_HEADERS['content-type'], accept: POST_HEADERS.accept };
  if ('method' in message) {
    const { method, params } = message as JsonRpcRequest;
    const member = Object.hasOwn(SUBJECT, method) ? SUBJECT[method] : undefined;
    const subject = member === undefined ? undefined : params?.[member];
    const version = (params?.['_meta'] as Record<string, unknown> | undefined)?.[PROTOCOL_VERSION];
    fields['mcp-method'] = method;
    if (typeof version === 'string') fields['mcp-protocol-version'] = version;
    if (typeof subject === 'string') fields['mcp-name'] = headerValue(subject);
  }
  const own = hints?.headers;
  if (own !== undefined)
    for (const [name, value] of Object.entries(own)) fields[name.toLowerCase()] = headerValue(value);
  return fields;
};

const FOREIGN: Inbound = { invalid: 'an answer to another request than the one it was sent for', excerpt: '' };

/** The exchange of one message of the modern era. */
export class ModernSending extends Sending<SendingWire> {
  protected override inward(message: Inbound): Inbound {
    super.inward(message);
    // On the wire of one request an answer to another one is nobody's.
    const isForeign = !('method' in message) && message.id !== undefined && message.id !== this.id;
    return isForeign ? FOREIGN : message;
  }

  protected override _error(reason: unknown): void {
    const { http, forgetting } = this.wire;
    if (reason instanceof UnsentError) forgetting.begin({ subscriber: this.to, reason });
    this.to.error(brokenOff(http, reason));
    this.unsubscribe();
  }

  protected override _complete(): void {
    if (this.isAnswered) this.to.complete();
    else this.to.error(brokenOff(this.wire.http, new EndedUnanswered()));
    this.unsubscribe();
  }
}
