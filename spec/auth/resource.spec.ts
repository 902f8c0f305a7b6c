import { describe, expect, it } from '@jest/globals';
import { standsFor } from '../../src/auth/resource.js';

describe('a resource identifier', () => {
  it.each([
    ['https://mcp.example/a/mcp', true],
    ['https://mcp.example/a', true],
    ['https://mcp.example/a/', true],
    ['https://mcp.example', true],
    ['https://mcp.example/', true],
    ['HTTPS://MCP.example:443/a/mcp', true],
    ['https://mcp.example/a/mc', false],
    ['https://mcp.example/a/mcp/', false],
    ['https://mcp.example/A/mcp', false],
    ['https://mcp.example/a/mcp?b', false],
    ['https://mcp.example/a/mcp#b', false],
    ['https://mcp.example:8443/a/mcp', false],
    ['http://mcp.example/a/mcp', false],
    ['https://mcp.example.evil.example/a/mcp', false],
    ['https://somebody@mcp.example/a/mcp', false],
    ['urn:mcp', false],
    ['mcp.example', false],
  ])('%s: does it stand for the server? %p', (resource, expected) => {
    expect(standsFor(resource, new URL('https://mcp.example/a/mcp'))).toBe(expected);
  });

  it('with a query is that server alone', () => {
    const server = new URL('https://mcp.example/mcp?tenant=1');
    expect(standsFor('https://mcp.example/mcp?tenant=1', server)).toBe(true);
    expect(standsFor('https://mcp.example/mcp?tenant=2', server)).toBe(false);
    expect(standsFor('https://mcp.example/mcp', server)).toBe(true);
  });
});
