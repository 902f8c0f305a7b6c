import { describe, expect, it } from '@jest/globals';
import { blockParts, contentsParts, promptParts, resultParts } from '../../../src/cli/text/content.js';
import { type Part, render } from '../../../src/cli/text/paint.js';

const shown = (parts: readonly Part[]): string => render(parts, false);

describe('blockParts', () => {
  it.each([
    [{ type: 'text', text: 'hello' }, 'hello\n'],
    [{ type: 'text', text: 'hello\n' }, 'hello\n'],
    [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }, '[image image/png, 3 bytes]\n'],
    [{ type: 'audio', mimeType: 'audio/wav', data: 'AAA=' }, '[audio audio/wav, 2 bytes]\n'],
    [{ type: 'resource_link', uri: 'a://b', name: 'it' }, 'a://b  it\n'],
    [
      { type: 'resource_link', uri: 'a://b', name: 'it', mimeType: 'text/plain', description: 'what' },
      'a://b  it  text/plain  what\n',
    ],
    [{ type: 'resource', resource: { uri: 'a://b', text: 'inside' } }, 'inside\n'],
    [{ type: 'resource', resource: { uri: 'a://b', blob: 'AAAA' } }, 'a://b [bytes, 3 bytes]\n'],
    [{ type: 'hologram', depth: 3 }, '{"type":"hologram","depth":3}\n'],
    [{ type: 'text' }, '{"type":"text"}\n'],
    [{ type: 'resource' }, '{"type":"resource"}\n'],
    [null, 'null\n'],
    ['text', '"text"\n'],
  ])('shows %j', (block, text) => {
    expect(shown(blockParts(block as never))).toBe(text);
  });
});

describe('contentsParts', () => {
  it('shows what came where it has neither text nor bytes', () => {
    expect(shown(contentsParts(7 as never))).toBe('7\n');
  });
});

describe('resultParts', () => {
  it('shows the value where there is no text to read', () => {
    expect(shown(resultParts([], { sum: 3 }))).toBe('{\n  "sum": 3\n}\n');
    expect(shown(resultParts([{ type: 'image', mimeType: 'a/b', data: '' }], 3))).toBe('[image a/b, 0 bytes]\n3\n');
  });

  it('shows the text alone where there is one: the value says the same', () => {
    expect(shown(resultParts([{ type: 'text', text: '3' }], { sum: 3 }))).toBe('3\n');
  });
});

describe('promptParts', () => {
  it('shows each message under its role', () => {
    const messages = [
      { role: 'user' as const, content: { type: 'text' as const, text: 'hi' } },
      { role: 'assistant' as const, content: { type: 'text' as const, text: 'ho' } },
    ];
    expect(shown(promptParts({ description: 'greets', messages }))).toBe('greets\nuser:\nhi\nassistant:\nho\n');
    expect(shown(promptParts({ messages: [7 as never] }))).toBe('7\n');
  });
});
