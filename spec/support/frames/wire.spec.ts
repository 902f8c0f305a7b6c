import { describe, expect, it } from '@jest/globals';
import { Wire } from './wire.js';

const meta = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
const request = (id: number, method: string, params?: Record<string, unknown>) => ({
  jsonrpc: '2.0' as const,
  id,
  method,
  params,
});
const notice = (method: string, params?: Record<string, unknown>) => ({ jsonrpc: '2.0' as const, method, params });
const result = (id: number, value: unknown) => ({ jsonrpc: '2.0' as const, id, result: value });

const modern = { era: 'modern', revision: '2026-07-28' };
const legacy = (revision: string) => ({ era: 'legacy', revision });

describe('Wire', () => {
  it('reads the revision of a modern request from its _meta', () => {
    expect(new Wire().out(request(1, 'tools/list', meta))).toEqual(modern);
  });

  it('puts initialize under the version it offers, and what follows under the version the answer names', () => {
    const wire = new Wire();
    expect(wire.out(request(1, 'initialize', { protocolVersion: '2025-11-25' }))).toEqual(legacy('2025-11-25'));
    expect(wire.out(request(2, 'ping'))).toEqual(legacy('2025-11-25'));
    wire.in(result(1, { protocolVersion: '2025-03-26' }));
    expect(wire.out(notice('notifications/initialized'))).toEqual(legacy('2025-03-26'));
    expect(wire.out(request(3, 'tools/list'))).toEqual(legacy('2025-03-26'));
  });

  it('takes no other answer for that of initialize', () => {
    const wire = new Wire();
    wire.out(request(1, 'server/discover', meta));
    wire.out(request(2, 'initialize', { protocolVersion: '2025-11-25' }));
    wire.in(result(1, { protocolVersion: '2024-11-05' }));
    wire.in({ jsonrpc: '2.0', id: 2, error: { code: -1, message: 'no' } });
    expect(wire.out(request(3, 'ping'))).toEqual(legacy('2025-11-25'));
  });

  it('puts a cancel notice with the request it cancels', () => {
    const wire = new Wire();
    wire.out(request(1, 'tools/call', meta));
    wire.out(request(2, 'initialize', { protocolVersion: '2025-11-25' }));
    expect(wire.out(notice('notifications/cancelled', { requestId: 1 }))).toEqual(modern);
    expect(wire.out(notice('notifications/cancelled', { requestId: 9 }))).toEqual(legacy('2025-11-25'));
  });

  it('says what an answer answers, and that it is legacy while only a probe has been sent', () => {
    const wire = new Wire();
    wire.out(request(1, 'server/discover', meta));
    wire.in(request(7, 'roots/list'));
    expect(wire.out(result(7, { roots: [] }))).toEqual({ ...legacy('2025-11-25'), answers: 'roots/list' });
    expect(wire.out(result(8, {}))).toEqual({ ...legacy('2025-11-25'), answers: undefined });
  });

  it('calls an answer modern once the client has gone on as a modern one', () => {
    const wire = new Wire();
    wire.out(request(1, 'server/discover', meta));
    wire.out(request(2, 'tools/list', meta));
    expect(wire.out(result(7, {}))?.era).toBe('modern');
  });

  it('knows no revision for a bare frame before any handshake', () => {
    const wire = new Wire();
    expect(wire.out(request(1, 'tools/list'))?.era).toBe('unknown');
    wire.out(request(2, 'server/discover', meta));
    expect(wire.out(request(3, 'ping'))?.era).toBe('unknown');
  });

  it('leaves out marked frames, and the whole of a wire that begins with one', () => {
    const wire = new Wire();
    wire.out(request(1, 'tools/list', meta));
    expect(wire.out(request(2, 'x-test/echo'))).toBeUndefined();
    expect(wire.out(request(3, 'tools/list', meta))).toEqual(modern);

    const marked = new Wire();
    marked.out(notice('x-test/hello'));
    expect(marked.out(request(1, 'tools/list'))).toBeUndefined();
    expect(marked.out(result(1, {}))).toBeUndefined();
  });
});
