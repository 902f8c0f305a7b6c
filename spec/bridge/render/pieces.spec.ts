import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { piecesOf } from '../../../src/bridge/render/pieces.js';

const text = (words: string) => ({ kind: 'text', text: words });
const of = (...content: unknown[]) => piecesOf({ content });

const PNG = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64');

describe('the pieces of a result', () => {
  it('are its texts as they are, in order, without the empty ones', () => {
    expect(of({ type: 'text', text: ' a\r\n' }, { type: 'text', text: '' }, { type: 'text', text: 'b' })).toEqual([
      text(' a\r\n'),
      text('b'),
    ]);
  });

  it.each(['image', 'audio'] as const)('are %s as a part with its name', (type) => {
    const mimeType = `${type}/x`;
    expect(of({ type, data: PNG, mimeType })).toEqual([
      { kind: 'media', part: { type, data: PNG, mimeType }, name: `[${type}: ${mimeType}, 8 bytes]`, bytes: 8 },
    ]);
  });

  it.each([
    ['image/png', 'image'],
    ['Audio/WAV', 'audio'],
    ['application/pdf', 'file'],
  ])('are an embedded blob of %s as %s, under the URI', (mimeType, type) => {
    const uri = 'file:///a';
    const name = `[resource: ${uri}, ${mimeType}, 8 bytes]`;
    expect(of({ type: 'resource', resource: { uri, mimeType, blob: PNG } })).toEqual([
      { kind: 'media', part: { type, data: PNG, mimeType, name: uri }, name, bytes: 8 },
    ]);
  });

  it('are embedded texts under their URI, and a link by all that is said of it', () => {
    expect(
      of(
        { type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', text: 'one\ntwo' } },
        {
          type: 'resource_link',
          ...{ uri: 'file:///b', name: 'b', title: 'The B', mimeType: 'text/csv', size: 5, description: 'all\nof it' },
        },
        { type: 'resource_link', uri: 'file:///c', name: 'file:///c' },
      ),
    ).toEqual([
      text('[resource: file:///a, text/plain]\none\ntwo'),
      text('[resource link: The B, file:///b, text/csv, 5 bytes, all of it]'),
      text('[resource link: file:///c]'),
    ]);
  });

  it.each([
    ['without a media type', { type: 'image', data: PNG }, '[image: 8 bytes]'],
    ['of a media type that is none', { type: 'image', data: PNG, mimeType: 'a/b,x' }, '[image: a/b,x, 8 bytes]'],
    ['without bytes', { type: 'audio', data: '', mimeType: 'audio/x' }, '[audio: audio/x, 0 bytes]'],
    ['of bad Base64', { type: 'image', data: '*', mimeType: 'a/b' }, '[image: a/b, its data is no valid Base64]'],
  ])('name media %s, which no API takes', (_what, block, name) => {
    expect(of(block)).toEqual([text(name)]);
  });

  it.each([
    [null, '[content that is no object]'],
    ['text', '[content that is no object]'],
    [[], '[content that is no object]'],
    [{}, '[content without a type]'],
    [{ type: 7 }, '[content without a type]'],
    [{ type: 'text' }, '[text: missing]'],
    [{ type: 'text', text: 5 }, '[text: missing]'],
    [{ type: 'resource' }, '[resource: without contents]'],
    [{ type: 'resource', resource: { uri: 'a:b' } }, '[resource: a:b, without contents]'],
    [{ type: 'resource', resource: { uri: 7, blob: 7 } }, '[resource: its data is no valid Base64]'],
    [{ type: 'resource_link', uri: 5, size: 'big' }, '[resource link]'],
    [{ type: 'video', data: PNG, mimeType: 'v/x' }, '[content of unknown type "video": v/x, 8 bytes]'],
    [{ type: '__proto__', text: 'read me' }, '[content of unknown type "__proto__"]\nread me'],
  ])('name %j, and throw nothing', (block, name) => {
    expect(of(block)).toEqual([text(name)]);
  });

  it('name a block that throws as it is read, and show those around it', () => {
    const spiteful = {
      get type() {
        throw new Error('no');
      },
    };
    expect(of({ type: 'text', text: 'a' }, spiteful, { type: 'text', text: 'b' })).toEqual([
      text('a'),
      text('[content that cannot be read]'),
      text('b'),
    ]);
  });

  it.each([
    'text/plain;charset=utf-8',
    'text/plain  ;  charset=utf-8',
    'a/b; one=1;two=2',
    'a/b;x-y.z+1=c-d.e+2',
    'a/b;n="a b, c"',
    'a/b;n=""',
    'application/vnd.a+b.c-d!#$&^_',
  ])('hand media over under the media type %s', (mimeType) => {
    const name = `[image: ${mimeType.replace(/ +/g, ' ')}, 8 bytes]`;
    expect(of({ type: 'image', data: PNG, mimeType })).toStrictEqual([
      { kind: 'media', part: { type: 'image', data: PNG, mimeType }, name, bytes: 8 },
    ]);
  });

  it.each([
    'x a/b',
    'a',
    'a/',
    '/b',
    'a/b;',
    'a/b;n',
    'a/b;=v',
    'a/b;n=',
    'a/b;n="a\\"',
    'a/b;n="a',
    'a/b;n m=v',
    'a/b c',
  ])('name media of the type %s, which is none', (mimeType) => {
    expect(of({ type: 'image', data: PNG, mimeType })).toEqual([text(`[image: ${mimeType}, 8 bytes]`)]);
  });

  it('name a resource whose text is empty, a link without a title, and all that is known of what is unknown', () => {
    expect(
      of(
        { type: 'resource', resource: { uri: 'a:b', text: '' } },
        { type: 'resource_link', uri: 'a:c', name: 'c' },
        { type: 'new', uri: 'a:d', name: 'd', text: '' },
        { type: 'new', text: 5 },
      ),
    ).toEqual([
      text('[resource: a:b]'),
      text('[resource link: c, a:c]'),
      text('[content of unknown type "new": d, a:d]'),
      text('[content of unknown type "new"]'),
    ]);
  });

  it('are the structured content as JSON where there is no content to read', () => {
    const structuredContent = { a: [1, 'two'] };
    expect(piecesOf({ content: [], structuredContent })).toEqual([text('{"a":[1,"two"]}')]);
    expect(piecesOf({ structuredContent: null })).toEqual([text('null')]);
    expect(piecesOf({ content: [{ type: 'text', text: '' }], structuredContent: 0 })).toEqual([text('0')]);
    expect(piecesOf({ content: [{ type: 'text', text: 'a' }], structuredContent })).toEqual([text('a')]);
  });

  it('say so where JSON has no form for the structured content', () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    const none = [text('[structured content that JSON has no form for]')];
    expect(piecesOf({ structuredContent: cycle })).toEqual(none);
    expect(piecesOf({ structuredContent: 1n })).toEqual(none);
    expect(piecesOf({ structuredContent: () => 1 })).toEqual(none);
  });

  it.each([undefined, null, 7, 'text', [], {}, { content: 'text' }, { content: {} }])('are none in %j', (result) => {
    expect(piecesOf(result)).toEqual([]);
  });

  it('are found in anything at all, without a throw', () => {
    fc.assert(
      fc.property(fc.array(fc.anything()), fc.anything(), (content, structuredContent) => {
        expect(piecesOf({ content, structuredContent }).length).toBeGreaterThanOrEqual(content.length > 0 ? 1 : 0);
      }),
    );
  });
});
