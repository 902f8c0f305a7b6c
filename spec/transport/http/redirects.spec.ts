import { describe, expect, it } from '@jest/globals';
import { HttpError } from '../../../src/errors/index.js';
import { redirected } from '../../../src/transport/http/redirects.js';
import { checked, madeResponse } from '../../support/http/responses.js';

const request = { method: 'POST', url: 'https://mcp.example/mcp?a=b', headers: {} } as const;

const target = (status: number, location?: string, parameters = {}, left = 5): unknown =>
  redirected(request, madeResponse(status, location === undefined ? {} : { location }), checked(parameters), left);

describe('a response that sends its request elsewhere', () => {
  it.each([301, 302, 307, 308])('with %i is followed within the origin', (status) => {
    expect(target(status, '/v2/mcp?c=d')).toBe('https://mcp.example/v2/mcp?c=d');
    expect(target(status, 'https://mcp.example/else')).toBe('https://mcp.example/else');
    expect(target(status, 'next')).toBe('https://mcp.example/next');
  });

  it.each([
    ['another host', 'https://evil.example/mcp'],
    ['another host without a scheme', '//evil.example/mcp'],
    ['a host that begins with ours', 'https://mcp.example.evil.example/'],
    ['another port', 'https://mcp.example:8443/mcp'],
    ['plain HTTP', 'http://mcp.example/mcp'],
    ['our host as a user name', 'https://mcp.example@evil.example/'],
    ['no server at all', 'data:text/plain,hi'],
  ])('to %s is an error', (_what, location) => {
    const error = target(307, location);
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({ status: 307, url: 'https://mcp.example/mcp', body: '' });
    expect((error as HttpError).message).toMatch(/answered 307 status 307: a redirect to another origin, \S/);
  });

  it('takes no credentials from where it leads to', () => {
    expect(target(307, 'https://user:secret@mcp.example/else')).toBe('https://mcp.example/else');
  });

  it('to another origin is said with the remedy, and without a query', () => {
    expect((target(307, 'http://127.0.0.1:4102/mcp?key=secret') as HttpError).message).toBe(
      'https://mcp.example/mcp answered 307 status 307: ' +
        'a redirect to another origin, http://127.0.0.1:4102/mcp: give that as url',
    );
    expect((target(307, 'data:text/plain,hi') as HttpError).message).toMatch(/another origin, data:$/);
  });

  it('is an error, even to an allowed host', () => {
    const allowedHosts = ['mcp.example', 'other.example'];
    expect(target(307, 'https://other.example/mcp', { allowedHosts })).toBeInstanceOf(HttpError);
  });

  it('is an error where redirects are', () => {
    expect(target(308, '/else', { redirects: 'error' })).toMatchObject({
      status: 308,
      body: '',
      message:
        'https://mcp.example/mcp answered 308 status 308: ' +
        'a redirect to https://mcp.example/else, and redirects are not followed: give that as url',
    });
  });

  it.each([
    ['names no place', 302, undefined],
    ['names none that can be read', 302, 'https://['],
    ['wants another method', 303, '/mcp'],
    ['offers a choice', 300, '/mcp'],
  ])('is an error where it %s', (_what, status, location) => {
    expect(target(status, location)).toMatchObject({
      name: 'HttpError',
      status,
      body: '',
      message: expect.stringMatching(/: a redirect that cannot be followed$/),
    });
  });

  it('is an error after too many', () => {
    expect(target(307, '/else', {}, 0)).toMatchObject({
      status: 307,
      body: '',
      message: expect.stringMatching(/: too many redirects$/),
    });
  });

  it('is an error where a browser hides what it is', () => {
    expect(target(0)).toMatchObject({
      name: 'HttpError',
      status: 0,
      body: '',
      message: expect.stringMatching(/cannot be followed from a browser/),
    });
  });

  it.each([200, 202, 304, 400, 404, 500])('is none with %i', (status) => {
    expect(target(status, 'https://evil.example')).toBeUndefined();
  });
});
