import { describe, expect, it } from '@jest/globals';
import { NEVER } from 'rxjs';
import { OptionError } from '../../src/errors/index.js';
import { scriptedTransport, type Script } from '../../src/testing/index.js';

const refusalOf = (script: object, options: object = {}): unknown => {
  try {
    scriptedTransport(script, options);
    return 'accepted';
  } catch (error) {
    return error;
  }
};

const refuses = (option: string, script: object, options?: object): void => {
  const refusal = refusalOf(script, options);
  expect(refusal).toBeInstanceOf(OptionError);
  expect((refusal as OptionError).option).toBe(option);
};

describe('a mistyped script is refused at once, naming the key:', () => {
  it.each(['tools/lst', 'Tools/list', 'toString', 'notifications/canceled', 'x-test/own'])(
    'the method %s',
    (method) => {
      refuses(method, { [method]: {} });
    },
  );

  it.each(['roots/list', 'sampling/createMessage', 'notifications/message'])('%s, which servers send', (method) => {
    refuses(method, { [method]: () => ({}) });
  });

  it.each([
    ['a string', 'text'],
    ['a number', 1],
    ['a boolean', true],
    ['null', null],
    ['an array', []],
    ['a notice alone', scriptedTransport.progress(1)],
  ])('%s as an answer', (_kind, answer) => {
    refuses('tools/list', { 'tools/list': answer });
    refuses('acme/thing', {}, { custom: { 'acme/thing': answer } });
  });

  it('an answer to a notification', () => {
    refuses('notifications/cancelled', { 'notifications/cancelled': {} });
  });

  it('a script that is none', () => {
    refuses('script', [] as object);
    refuses('custom', {}, { custom: 'x' });
  });

  it('one whose entries are not its own, or not under a text', () => {
    class Server {
      'tools/call'(): object {
        return { content: [] };
      }
    }
    refuses('script', new Server());
    refuses('script', Object.create({ 'tools/list': { tools: [] } }) as object);
    refuses('script', { [Symbol('tools/list')]: { tools: [] } });
    refuses('custom', {}, { custom: { [Symbol('a')]: {} } });
    expect(refusalOf(Object.assign(Object.create(null) as object, { ping: {} }))).toBe('accepted');
  });

  it('a getter that throws', () => {
    const script = {
      get 'tools/list'(): object {
        throw new Error('not yet');
      },
    };
    refuses('tools/list', script);
    expect(String(refusalOf(script))).toContain('its getter throws (not yet): give the answer');
  });

  it('a method of the protocol among the custom ones', () => {
    refuses('tools/list', {}, { custom: { 'tools/list': {} } });
  });

  it.each([
    ['era', 'old'],
    ['protocolVersion', 2026],
    ['capabilities', []],
    ['serverInfo', 'me'],
    ['instructions', 1],
    ['eras', 'modern'],
  ])('the option %s given as %p', (option, value) => {
    refuses(option, {}, { [option]: value });
    expect(refusalOf({}, 'modern' as unknown as object)).toBeInstanceOf(OptionError);
  });
});

describe('a script is taken', () => {
  it('with every kind of answer, and with keys left undefined', () => {
    const script: Script = {
      ping: {},
      'tools/list': () => ({ tools: [] }),
      'tools/call': ({ name, arguments: given }) => ({ content: [], structuredContent: { name, given } }),
      'prompts/list': Promise.resolve({ prompts: [] }),
      'prompts/get': NEVER,
      'resources/list': scriptedTransport.error(-32603, 'no'),
      'resources/read': async ({ uri }) => Promise.resolve({ contents: [{ uri, text: '' }] }),
      'completion/complete': scriptedTransport.silence,
      'logging/setLevel': undefined,
      'notifications/cancelled': () => undefined,
    };
    expect(refusalOf(script)).toBe('accepted');
  });

  it('with a method that the protocol does not have, when it is given as custom', () => {
    expect(refusalOf({}, { custom: { 'acme/thing': {}, 'notifications/acme': () => undefined } })).toBe('accepted');
  });

  it('at run time only when the type checker takes it too', () => {
    const mistyped: readonly Script[] = [
      // @ts-expect-error: clients have no such method
      { 'tools/lst': {} },
      // @ts-expect-error: a string is no answer
      { 'tools/list': 'tools' },
      // @ts-expect-error: nothing answers a notification
      { 'notifications/cancelled': {} },
    ];
    for (const script of mistyped) expect(refusalOf(script)).toBeInstanceOf(OptionError);
  });
});
