import { describe, expect, it } from '@jest/globals';
import { askForm } from '../../../src/cli/ask/form.js';
import { scriptedAsk } from '../../support/cli/scripted-ask.js';

const SERVER = { info: { name: 'shop', title: 'The Shop', version: '1' } } as never;

const question = (properties: object, required: readonly string[] = [], message: unknown = 'Who are you?') =>
  ({
    method: 'elicitation/create',
    params: { message, requestedSchema: { type: 'object', properties, required } },
    server: SERVER,
  }) as never;

const NAME = question({ name: { type: 'string', minLength: 2, description: 'your first name' } }, ['name']);

describe('askForm', () => {
  it('says who asks and what for, asks, shows once more, and sends', async () => {
    const { ask, said } = scriptedAsk('Ada', 'y');
    expect(await askForm('till', NAME)(ask)).toEqual({ action: 'accept', content: { name: 'Ada' } });
    expect(said).toEqual([
      ...['', 'till (it calls itself "The Shop") asks:', 'Who are you?'],
      '(:decline says no, :cancel or Ctrl-D leaves it, Ctrl-C ends the call)',
      '  your first name',
      'name (at least 2 characters): Ada',
      ...['This will be sent:', '  name: Ada', 'Send it? [y]es, [e]dit, [d]ecline, [c]ancel: y'],
    ]);
  });

  it('asks a field again until it is as the server wants it', async () => {
    const { ask, said } = scriptedAsk('', 'A', 'Ada', 'yes');
    expect(await askForm('till', NAME)(ask)).toMatchObject({ content: { name: 'Ada' } });
    expect(said).toEqual(expect.arrayContaining(['name must be filled in', 'String is too short (1 < 2).']));
  });

  it('sends nothing without a yes', async () => {
    const { ask, said } = scriptedAsk('Ada', '', 'what?', 'y');
    expect(await askForm('till', NAME)(ask)).toMatchObject({ action: 'accept' });
    expect(said.filter((line) => line.startsWith('Send it?'))).toHaveLength(3);
  });

  it('lets everything be changed, with what was typed as the default', async () => {
    const { ask, said } = scriptedAsk('Ada', 'e', '', 'edit', 'Eve', 'y');
    expect(await askForm('till', NAME)(ask)).toMatchObject({ content: { name: 'Eve' } });
    expect(said).toContain('name (at least 2 characters, Enter for Ada): ');
  });

  it('takes a field that is called as every object has a member for one that was left out', async () => {
    const { ask, said } = scriptedAsk('', 'e', '', 'y');
    const asked = question({ toString: { type: 'string' } });
    expect(await askForm('till', asked)(ask)).toEqual({ action: 'accept', content: {} });
    expect(said.filter((line) => line.startsWith('toString'))).toEqual([
      'toString (may be left out): ',
      'toString (may be left out): ',
    ]);
  });

  it.each([
    [[':decline'], 'decline'],
    [[':d'], 'decline'],
    [[':cancel'], 'cancel'],
    [[undefined], 'cancel'],
    [['Ada', 'd'], 'decline'],
    [['Ada', 'no'], 'decline'],
    [['Ada', 'c'], 'cancel'],
    [['Ada', ':c'], 'cancel'],
    [['Ada', undefined], 'cancel'],
    [['Ada', 'e', ':d'], 'decline'],
  ])('is over with %j: %s', async (lines, action) => {
    const { ask } = scriptedAsk(...(lines as readonly (string | undefined)[]));
    expect(await askForm('till', NAME)(ask)).toEqual({ action });
  });

  it('has a way to type what looks like a command', async () => {
    const { ask } = scriptedAsk('::decline', 'y');
    expect(await askForm('till', NAME)(ask)).toMatchObject({ content: { name: ':decline' } });
  });

  it('leaves out what need not be there, and lists what can be chosen', async () => {
    const { ask, said } = scriptedAsk('', '2', '', 'y');
    const asked = question({
      note: { type: 'string' },
      size: { type: 'string', enum: ['small', 'large'] },
      gift: { type: 'boolean', default: false },
    });
    expect(await askForm('till', asked)(ask)).toEqual({ action: 'accept', content: { size: 'large', gift: false } });
    expect(said).toEqual(
      expect.arrayContaining([
        ...['note (may be left out): ', '  1. small', '  2. large', 'size (may be left out): 2'],
        ...['gift (yes or no, Enter for no): ', '  note: (left out)', '  size: large', '  gift: no'],
      ]),
    );
  });

  it('asks for consent alone where there is nothing to fill in', async () => {
    const { ask, said } = scriptedAsk('y');
    expect(await askForm('till', question({}))(ask)).toEqual({ action: 'accept', content: {} });
    expect(said.join('\n')).not.toContain(':decline');
  });

  it('takes a message that is none for nothing', async () => {
    const { ask, said } = scriptedAsk(':c');
    await askForm('till', question({ a: {} }, [], 7))(ask);
    expect(said[2]).toBe('');
  });
});
