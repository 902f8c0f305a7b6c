import { describe, expect, it } from '@jest/globals';
import { isApp } from '../../../src/config/managed/apps.js';

describe('isApp', () => {
  it.each([
    ['ui://clock', undefined],
    ['UI://clock', undefined],
    ['file:///clock.html', 'text/html;profile=mcp-app'],
    ['file:///clock.html', 'Text/HTML; charset=utf-8; Profile="MCP-App"'],
    ['file:///clock.html', ' text/html ;  profile = mcp-app '],
  ])('is true of %s of the type %s', (uri, mimeType) => {
    expect(isApp({ uri, name: 'clock', mimeType })).toBe(true);
    expect(isApp({ uriTemplate: uri, name: 'clock', mimeType })).toBe(true);
  });

  it.each([
    ['file:///ui://clock', undefined],
    ['uix://clock', undefined],
    ['file:///clock.html', 'text/html'],
    ['file:///clock.html', 'text/html;profile=mcp-apps'],
    ['file:///clock.html', 'text/html;xprofile=mcp-app'],
    ['file:///clock.txt', 'text/plain;profile=mcp-app'],
    ['file:///clock.html', 'profile=mcp-app'],
    ['file:///clock.html', ''],
  ])('is false of %s of the type %s', (uri, mimeType) => {
    expect(isApp({ uri, name: 'clock', mimeType })).toBe(false);
    expect(isApp({ uriTemplate: uri, name: 'clock', mimeType })).toBe(false);
  });

  it('takes a type that is no text for none', () => {
    expect(isApp({ uri: 'a:b', name: 'clock', mimeType: 5 as never })).toBe(false);
  });

  it('is as quick with an endless type', () => {
    const mimeType = `text/html;${'profile '.repeat(100_000)}=`;
    expect(isApp({ uri: 'a:b', name: 'clock', mimeType })).toBe(false);
  });
});
