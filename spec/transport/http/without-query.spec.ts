import { describe, expect, it } from '@jest/globals';
import { withoutQuery } from '../../../src/transport/http/without-query.js';

describe('an endpoint', () => {
  it('is named without what may be secret', () => {
    expect(withoutQuery('https://mcp.example/mcp?key=secret#x')).toBe('https://mcp.example/mcp');
  });
});
