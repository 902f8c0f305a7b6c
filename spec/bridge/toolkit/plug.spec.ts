import { describe, expect, it } from '@jest/globals';
import { lastValueFrom, toArray } from 'rxjs';
import { type MountOptions, OptionError, Registry, Toolkit, type ToolResult } from '../../../src/index.js';
import { rejection, thrownBy, watch } from '../../support/client/watch.js';
import { createBench } from '../../support/providers/bench.js';
import { echo, handProvider } from '../../support/providers/hand.js';

const kit = (...names: readonly string[]): Toolkit =>
  names.reduce(
    (made, name) => made.tool(name, { description: `Own ${name}` }, () => `own ${name}`),
    new Toolkit({ name: 'kit' }),
  );

const call = (name: string, args: object = {}): { id: string; name: string; arguments: object } => ({
  id: name,
  name,
  arguments: args,
});

const contentsOf = (results: readonly ToolResult[]): unknown[] => results.map(({ content }) => content);

describe('a toolkit into which something is plugged', () => {
  it('has its own tools and the others, under the names that a registry gives', async () => {
    const names = ['read', 'read.all/now', 'x'.repeat(80)];
    const toolkit = kit('read').plug(handProvider(names), { prefix: 'files' });
    const registry = new Registry().add(handProvider(names), { prefix: 'files' });
    const plugged = (await toolkit.promises.toolsForLlm()).map((tool) => tool.function.name);
    const added = (await registry.promises.toolsForLlm()).map((tool) => tool.function.name);
    expect(plugged).toEqual([...added, 'read'].sort());
  });

  it('makes each call where its tool is', async () => {
    const toolkit = kit('read').plug(handProvider(['read']), { prefix: 'files' });
    const results = await toolkit.promises.executeToolCalls([call('files_read'), call('read'), call('nowhere')]);
    expect(contentsOf(results)).toEqual(['read {}', 'own read', expect.stringContaining('Tool nowhere not found')]);
  });

  it('tells its own tool apart from one that comes to its name', async () => {
    const toolkit = kit('files_read').plug(handProvider(['read']), { prefix: 'files' });
    const names = (await toolkit.promises.listTools()).map(({ name }) => name);
    expect(names).toEqual([0, 1].map(() => expect.stringMatching(/^files_read_[0-9a-f]{8}$/)));
    const results = await toolkit.promises.executeToolCalls(names.map((name) => call(name)));
    expect(contentsOf(results)).toEqual(['own files_read', 'read {}']);
  });

  it('tells the events of both', async () => {
    const toolkit = kit('own').plug(createBench(), { prefix: 'b' });
    const calls = [call('b_saw', { cuts: 1 }), call('own')];
    const events = await lastValueFrom(toolkit.executeToolCalls(calls, { observe: 'events' }).pipe(toArray()));
    const told = (index: number) => events.filter((event) => event.index === index).map(({ kind }) => kind);
    expect([told(0), told(1)]).toEqual([
      ['started', 'progress', 'result'],
      ['started', 'result'],
    ]);
  });

  it('has them in its live list, and those that come later', () => {
    const bench = createBench();
    const toolkit = kit('own');
    const { values } = watch(toolkit.tools$);
    toolkit.plug(bench, { prefix: 'b' });
    toolkit.tool('new', { description: 'N' }, () => 'n');
    expect(values.map((tools) => tools.map(({ name }) => name).join(' '))).toEqual([
      'own',
      'own b_add b_saw b_wait b_journal b_fail',
      'own new b_add b_saw b_wait b_journal b_fail',
    ]);
  });

  it('can be plugged and added itself, to any depth', async () => {
    const inner = kit('x').plug(kit('y'), { prefix: 'b' });
    const registry = new Registry().add(kit('z').plug(inner, { prefix: 'a' }), { prefix: 'top' });
    expect((await registry.promises.listTools()).map(({ name }) => name)).toEqual(['top_z', 'top_a_x', 'top_a_b_y']);
    expect(contentsOf(await registry.promises.executeToolCalls([call('top_a_b_y'), call('top_z')]))).toEqual([
      'own y',
      'own z',
    ]);
  });

  it('fails to declare its tools where what is plugged in cannot say what it has, and knows the others', async () => {
    const reason = new Error('not today');
    const dead = handProvider([], echo, { toolsForLlm: () => Promise.reject(reason) });
    const toolkit = kit('x').plug(dead, { prefix: 'dead' });
    expect(await rejection(toolkit.promises.toolsForLlm())).toBe(reason);
    expect((await lastValueFrom(toolkit.knownTools())).map(({ name }) => name)).toEqual(['x']);
    expect(contentsOf(await toolkit.promises.executeToolCalls([call('x')]))).toEqual(['own x']);
  });

  it('is an OptionError for a prefix that is taken or none, and for the toolkit itself', () => {
    const toolkit = kit('x').plug(handProvider([]), { prefix: 'a' });
    const culprit = (work: () => unknown): string => {
      const thrown = thrownBy(work);
      expect(thrown).toBeInstanceOf(OptionError);
      return (thrown as OptionError).option;
    };
    expect(culprit(() => toolkit.plug(handProvider([]), { prefix: 'a' }))).toBe('prefix');
    expect(culprit(() => toolkit.plug(handProvider([]), { prefix: '' }))).toBe('prefix');
    expect(culprit(() => toolkit.plug(handProvider([]), undefined as unknown as MountOptions))).toBe('options');
    expect(culprit(() => toolkit.plug(toolkit, { prefix: 'b' }))).toBe('provider');
  });

  it('closes nothing that is plugged in', () => {
    expect('close' in kit()).toBe(false);
  });
});
