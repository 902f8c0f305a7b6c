import { describe, expect, it } from '@jest/globals';
import {
  CancelledError,
  InputLoopExceededError,
  InputRefusedError,
  InvalidMessageError,
  OutcomeUnknownError,
  OutputInvalidError,
  ProtocolError,
  ServerGoneError,
  TimeoutError,
  UnsupportedFeatureError,
  UnsupportedVersionError,
} from '../../src/errors/index.js';

describe('TimeoutError', () => {
  it('says which request was not answered, and within what time', () => {
    const error = new TimeoutError('tools/call', 7, 60_000);
    expect(error).toMatchObject({ method: 'tools/call', id: 7, timeoutMs: 60_000 });
    expect(error.message).toBe('tools/call was not answered within 60000 ms (request 7)');
  });

  it('says that the request was never sent when it has no id', () => {
    expect(new TimeoutError('tools/call', undefined, 5).message).toBe(
      'tools/call was not sent within 5 ms: the connection was not ready',
    );
  });

  it('says what it is told where there is more to say, with the same facts', () => {
    const error = new TimeoutError('initialize', undefined, 5, 'the server was not ready');
    expect(error.message).toBe('the server was not ready');
    expect(error).toMatchObject({ method: 'initialize', id: undefined, timeoutMs: 5 });
  });

  it('takes 0 and the empty text for the ids they are', () => {
    expect(new TimeoutError('ping', 0, 5).message).toContain('(request 0)');
    expect(new TimeoutError('ping', '', 5).message).toContain('not answered');
  });
});

describe('ProtocolError', () => {
  it("keeps the server's code, message and data as they are", () => {
    const data = { supported: ['2026-07-28'] };
    const error = new ProtocolError(-32022, 'Unsupported', data);
    expect(error.code).toBe(-32022);
    expect(error.message).toBe('Unsupported');
    expect(error.data).toBe(data);
    expect(new ProtocolError(0, '').data).toBeUndefined();
  });
});

describe('InvalidMessageError', () => {
  it('says which answer is wrong, and what with it', () => {
    const error = new InvalidMessageError('tools/list', 3, 'it has no tools');
    expect(error).toMatchObject({ method: 'tools/list', id: 3, reason: 'it has no tools' });
    expect(error.message).toBe('the answer to tools/list (request 3) is not valid: it has no tools');
    expect(new InvalidMessageError('tools/list', undefined, 'x').message).not.toContain('request');
  });
});

describe('UnsupportedVersionError', () => {
  it('names what each side offered', () => {
    const error = new UnsupportedVersionError(['2026-07-28'], ['2027-01-01', '2028-01-01']);
    expect(error).toMatchObject({ requested: ['2026-07-28'], supported: ['2027-01-01', '2028-01-01'] });
    expect(error.message).toMatch(/offered 2026-07-28; .*2027-01-01, 2028-01-01/);
  });

  it('says so where the server named none', () => {
    expect(new UnsupportedVersionError(['2026-07-28'], []).message).toContain('the server named none');
  });
});

describe('UnsupportedFeatureError', () => {
  it('says what is missing, in which era, and what to use instead where there is something', () => {
    const error = new UnsupportedFeatureError('ping', 'modern', 'use server()');
    expect(error).toMatchObject({ feature: 'ping', era: 'modern', instead: 'use server()' });
    expect(error.message).toBe('this server (modern era) does not support ping; use server()');
    expect(new UnsupportedFeatureError('prompts', 'legacy').message).toBe(
      'this server (legacy era) does not support prompts',
    );
  });
});

describe('CancelledError', () => {
  it("keeps the caller's reason as its cause, and out of its message", () => {
    const reason = { secret: 'token' };
    const error = new CancelledError('tools/call', 1, reason);
    expect(error).toMatchObject({ method: 'tools/call', id: 1 });
    expect(error.cause).toBe(reason);
    expect(error.message).toBe('tools/call was cancelled by the caller (request 1)');
  });

  it('has no id where nothing was sent', () => {
    expect(new CancelledError('tools/call', undefined).id).toBeUndefined();
  });
});

describe('OutcomeUnknownError', () => {
  it('says which request, and how its wire ended', () => {
    const cause = new ServerGoneError(7, null, 'server', '');
    const error = new OutcomeUnknownError('tools/call', 4, cause);
    expect(error).toMatchObject({ method: 'tools/call', id: 4 });
    expect(error.cause).toBe(cause);
    expect(error.message).toBe('whether tools/call ran is unknown (request 4): the server "server" exited with code 7');
  });

  it('does without a cause, or with one that is no Error', () => {
    expect(new OutcomeUnknownError('tools/call', 4).message).toBe('whether tools/call ran is unknown (request 4)');
    expect(new OutcomeUnknownError('tools/call', 4, 'x').cause).toBe('x');
  });
});

describe('OutputInvalidError', () => {
  it('names the tool and everything that does not match', () => {
    const error = new OutputInvalidError('add "it"', ['/sum is missing', '/x is no number']);
    expect(error).toMatchObject({ tool: 'add "it"', issues: ['/sum is missing', '/x is no number'] });
    expect(error.message).toBe(
      'the output of tool "add \\"it\\"" does not match its schema: /sum is missing; /x is no number',
    );
  });
});

describe('InputLoopExceededError', () => {
  it('says after how many rounds, and names the option', () => {
    const error = new InputLoopExceededError(8, 'tools/call');
    expect(error).toMatchObject({ rounds: 8, method: 'tools/call' });
    expect(error.message).toMatch(/^tools\/call .*8 rounds.*maxInputRounds/);
  });
});

describe('InputRefusedError', () => {
  it('names the questions that were refused', () => {
    const error = new InputRefusedError('tools/call', ['one', 'two']);
    expect(error).toMatchObject({ method: 'tools/call', keys: ['one', 'two'] });
    expect(error.message).toMatch(/^tools\/call .*"one", "two"/);
  });
});
