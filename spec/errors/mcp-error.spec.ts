import { describe, expect, it } from '@jest/globals';
import * as errors from '../../src/errors/index.js';

const SAMPLES: Readonly<Record<string, errors.McpError>> = {
  CancelledError: new errors.CancelledError('tools/call', 1, 'why'),
  HttpError: new errors.HttpError(503, 'Service Unavailable', 'busy'),
  InputLoopExceededError: new errors.InputLoopExceededError(8, 'tools/call'),
  InputRefusedError: new errors.InputRefusedError('tools/call', ['ask']),
  InvalidMessageError: new errors.InvalidMessageError('tools/call', 1, 'because'),
  MessageTooLargeError: new errors.MessageTooLargeError(2, 1),
  NetworkError: new errors.NetworkError('https://example.com/mcp', new Error('refused'), false),
  OptionError: new errors.OptionError('command', 'give one'),
  OutcomeUnknownError: new errors.OutcomeUnknownError('tools/call', 1),
  OutputInvalidError: new errors.OutputInvalidError('add', ['a', 'b']),
  ProtocolError: new errors.ProtocolError(-32603, 'no', { a: 1 }),
  ServerGoneError: new errors.ServerGoneError(1, null, 'server', ''),
  SpawnFailedError: new errors.SpawnFailedError('server', [], 'it does not exist'),
  TimeoutError: new errors.TimeoutError('tools/call', 1, 60_000),
  TransportClosedError: new errors.TransportClosedError(),
  TransportError: new errors.TransportError(new Error('x')),
  UnauthorizedError: new errors.UnauthorizedError('Bearer'),
  UnsupportedFeatureError: new errors.UnsupportedFeatureError('prompts', 'legacy'),
  UnsupportedVersionError: new errors.UnsupportedVersionError(['a'], ['b']),
};

describe('McpError', () => {
  it('has a sample here for each of its classes', () => {
    const classes = Object.keys(errors).filter(
      (name) => /^[A-Z]/.test(name) && !['McpError', 'UnsentError', 'EndedUnanswered'].includes(name),
    );
    expect(Object.keys(SAMPLES).sort()).toEqual(classes.sort());
  });

  it.each(Object.entries(SAMPLES))(
    '%s is an Error and an McpError under its exported name, with a stack',
    (name, error) => {
      expect(error).toBeInstanceOf(Error);
      expect(error).toBeInstanceOf(errors.McpError);
      expect(error).toBeInstanceOf(errors[name as keyof typeof errors]);
      expect(error.name).toBe(name);
      expect(error.message).not.toBe('');
      expect(error.stack).toContain('mcp-error.spec');
      expect(String(error)).toBe(`${name}: ${error.message}`);
    },
  );
});
