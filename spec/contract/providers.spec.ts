import { afterEach } from '@jest/globals';
import { type Answer, EraCache, Registry, Toolkit, type ToolProvider } from '../../src/index.js';
import { connectStdio } from '../../src/bridge/stdio.js';
import { Observable } from 'rxjs';
import { type Script, scriptedTransport } from '../../src/testing/index.js';
import { closing, connect } from '../support/client/connect.js';
import { createBench } from '../support/providers/bench.js';
import { describeProviderContract, WORKSHOP } from './provider.contract.js';
import { program } from '../support/programs/program.js';

const SERVER = program('servers', 'workshop-stdio');

const registries: Registry[] = [];

const registry = (): Registry => {
  const made = new Registry();
  registries.push(made);
  return made;
};

afterEach(async () => {
  await Promise.all(registries.splice(0).map((one) => one.close()));
});

const text = (words: string): object => ({ content: [{ type: 'text', text: words }] });

/** The workshop as a script. */
const workshop = (): Script => {
  const journal: string[] = [];
  const { steps, progress, error } = scriptedTransport;
  return {
    'tools/list': {
      tools: WORKSHOP.map((name) => ({ name, description: name, inputSchema: { type: 'object' } })).reverse(),
    },
    'tools/call': ({ name, arguments: args = {} }) => {
      if (name === 'add') {
        const sum = Number(args['a']) + Number(args['b']);
        if (Number.isNaN(sum)) return { ...text('give numbers'), isError: true };
        return { ...text(String(sum)), structuredContent: { sum } };
      }
      if (name === 'saw') return steps(progress(1, 2), progress(2, 2), text('2 cuts'));
      if (name === 'fail') return { ...text('the blade broke'), isError: true };
      if (name === 'journal') return text(journal.join('\n'));
      if (name !== 'wait') return error(-32602, `Tool ${name} not found`);
      return new Observable<never>(() => {
        journal.push('a started');
        return () => journal.push('a aborted');
      });
    },
  };
};

const prefixed = (prefix: string) => ({
  names: WORKSHOP.map((name) => `${prefix}${name}`),
  call: (name: string, args: object = {}) => ({ name: `${prefix}${name}`, arguments: args }),
});

describeProviderContract('a modern client of a scripted server', {
  open: () => connect(scriptedTransport(workshop())),
});

describeProviderContract('a legacy client of a scripted server', {
  open: () => connect(scriptedTransport(workshop(), { era: 'legacy' }), { era: 'legacy' }),
});

const child = (era: 'modern' | 'legacy') =>
  closing(connectStdio({ command: process.execPath, args: [SERVER, 'dual'], era, eraCache: new EraCache() }));

describeProviderContract('a modern client of a server process', { open: () => child('modern') });
describeProviderContract('a legacy client of a server process', { open: () => child('legacy') });

describeProviderContract('a toolkit', { open: () => createBench() });

describeProviderContract('a toolkit with a plug', {
  open: () => new Toolkit({ name: 'outer' }).plug(createBench(), { prefix: 'bench' }),
  ...prefixed('bench_'),
});

describeProviderContract('a registry', {
  open: () => registry().add(createBench(), { prefix: 'bench' }),
  ...prefixed('bench_'),
});

describeProviderContract('a registry of clients', {
  open: () => registry().add(child('modern'), { prefix: 'shop', owned: true }),
  ...prefixed('shop_'),
});

describeProviderContract('a registry of registries', {
  open: () => registry().add(registry().add(createBench(), { prefix: 'inner' }), { prefix: 'outer', owned: true }),
  ...prefixed('outer_inner_'),
});

describeProviderContract('a searchable registry', {
  open: () => registry().add(createBench(), { prefix: 'bench' }).searchable(),
  names: ['call_tool', 'get_tool_details', 'search_tools'],
  call: (name, args) => ({ name: 'call_tool', arguments: { name: `bench_${name}`, arguments: args } }),
});

/** An object of two methods, that answers in one of three ways. */
const byHand = (as: (work: () => Observable<unknown>) => unknown): ToolProvider => {
  const bench = createBench();
  return {
    toolsForLlm: () => as(() => bench.toolsForLlm()) as Answer<readonly unknown[]>,
    executeToolCalls: (calls) =>
      as(() => bench.executeToolCalls(calls)) as ReturnType<ToolProvider['executeToolCalls']>,
  };
};

const valueOf = (work$: Observable<unknown>): unknown => {
  let value: unknown;
  work$.subscribe({ next: (one) => (value = one), error: () => undefined });
  return value;
};

const WAYS: readonly (readonly [string, (work: () => Observable<unknown>) => unknown, boolean])[] = [
  ['values', (work) => valueOf(work()), false],
  ['Promises', (work) => Promise.resolve(valueOf(work())), false],
  ['Observables', (work) => work(), true],
];

for (const [kind, as, cancels] of WAYS) {
  describeProviderContract(`an object whose methods answer ${kind}`, {
    open: () => byHand(as),
    takes: 'typed',
    cancels,
  });

  describeProviderContract(`a registry of an object whose methods answer ${kind}`, {
    open: () => registry().add(byHand(as), { prefix: 'hand' }),
    ...prefixed('hand_'),
    reports: false,
    cancels,
  });
}

describeProviderContract('an object that hands on a client’s tools', {
  open: () => {
    const { promises } = connect(scriptedTransport(workshop()));
    return { toolsForLlm: () => promises.toolsForLlm(), executeToolCalls: (calls) => promises.executeToolCalls(calls) };
  },
  takes: 'typed',
  cancels: false,
});
