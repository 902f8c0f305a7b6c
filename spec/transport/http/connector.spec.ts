import { describe, expect, it } from '@jest/globals';
import { httpConnector } from '../../../src/transport/http/connector.js';
import { type HttpParameters, ModernHttpTransport } from '../../../src/transport/http/index.js';
import { LegacyHttpTransport, SseTransport } from '../../../src/transport/http/older-forms.js';
import type { WireForm } from '../../../src/transport/index.js';
import { thrownBy, watch } from '../../support/client/watch.js';
import { event, reply, serve, stream } from '../../support/http/loopback.js';

const connector = (parameters: Partial<HttpParameters> = {}) =>
  httpConnector({ url: 'https://mcp.example/mcp', ...parameters });

describe('a connector over HTTP', () => {
  it('refuses parameters that cannot be used, at once', () => {
    expect(thrownBy(() => connector({ url: 'mcp' }))).toMatchObject({ name: 'OptionError', option: 'url' });
  });

  it('says that there are forms, how to retry, and which server it is, without what may be secret', () => {
    const one = connector({ url: 'https://mcp.example/mcp?key=secret', retry: { attempts: 1 } });
    expect([one.identity, one.forms, one.retry]).toEqual([
      'https://mcp.example/mcp',
      true,
      { attempts: 1, firstMs: 500, maxMs: 30_000 },
    ]);
    expect(one.reopens).not.toBe(false);
  });

  it.each<readonly [WireForm | undefined, new (...args: never[]) => object]>([
    [undefined, ModernHttpTransport],
    ['modern', ModernHttpTransport],
    ['legacy', LegacyHttpTransport],
  ])('opens the form %p at once, a new life for each subscription, and closes it when it is left', (form, Class) => {
    const cold$ = connector()(form);
    const [first, second] = [watch(cold$), watch(cold$)];
    expect(first.values).toEqual([expect.any(Class)]);
    expect(second.values).toEqual([expect.any(Class)]);
    expect(first.values[0] === second.values[0]).toBe(false);
    expect(first.completed).toBe(false);
    first.subscription.unsubscribe();
    expect([first.values[0]?.alive, second.values[0]?.alive]).toEqual([false, true]);
    second.subscription.unsubscribe();
  });

  it('opens HTTP+SSE when the server has named its endpoint, and hangs up when it is left', async () => {
    const server = await serve((_received, response) => {
      stream(response).write(event('/messages', { type: 'endpoint' }));
    });
    const one = httpConnector({ url: server.url })('sse');
    const transport = await new Promise<SseTransport>((resolve, reject) => {
      const life = one.subscribe({
        next: (opened) => {
          resolve(opened as SseTransport);
          life.unsubscribe();
        },
        error: reject,
      });
    });
    expect(transport).toBeInstanceOf(SseTransport);
    expect(transport.alive).toBe(false);
    await server.until(() => server.open === 0);
  });

  it('errors where HTTP+SSE cannot be opened', async () => {
    const server = await serve((_received, response) => reply(response, 404, 'nothing here'));
    expect(await watch(httpConnector({ url: server.url })('sse')).end).toMatchObject({
      name: 'HttpError',
      status: 404,
    });
  });
});
