import { describe, expect, it } from '@jest/globals';
import { of } from 'rxjs';
import { capabilitiesOf, type Hooks, legacyCapabilitiesOf } from '../../src/protocol/hooks.js';

const never = (): never => {
  throw new Error('no hook is called to find out what there is');
};
const FORM: Hooks = { onElicit: never };
const URLS: Hooks = { onElicitUrl: never };
const SAMPLE: Hooks = { onSample: never };
const ROOTS: Hooks = { onListRoots: never };
const LIVE: Hooks = { onListRoots: of([]) };

describe('capabilitiesOf()', () => {
  it.each<readonly [string, Hooks, object]>([
    ['no hook', {}, {}],
    ['hooks that are undefined', { onElicit: undefined, onElicitUrl: undefined, onSample: undefined }, {}],
    ['onElicit', FORM, { elicitation: { form: {} } }],
    ['onElicitUrl', URLS, { elicitation: { url: {} } }],
    ['both elicitation hooks', { ...FORM, ...URLS }, { elicitation: { form: {}, url: {} } }],
    ['onSample', SAMPLE, { sampling: {} }],
    ['onListRoots', ROOTS, { roots: {} }],
    ['a live list of roots', LIVE, { roots: {} }],
    [
      'all of them',
      { ...FORM, ...URLS, ...SAMPLE, ...ROOTS },
      { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
    ],
  ])('declares what %s can answer', (_what, hooks, declared) => {
    expect(capabilitiesOf(hooks)).toEqual(declared);
    expect(Object.keys(capabilitiesOf(hooks)).sort()).toEqual(Object.keys(declared).sort());
  });

  it('has what is given replace whole capabilities, and stand beside the others', () => {
    const hooks = { ...FORM, ...SAMPLE };
    const given = { sampling: { tools: {}, context: {} }, extensions: { 'com.example/x': {} } };
    expect(capabilitiesOf(hooks, given)).toEqual({ elicitation: { form: {} }, ...given });
    expect(capabilitiesOf(hooks, { elicitation: { url: {} } }).elicitation).toEqual({ url: {} });
    expect(capabilitiesOf(hooks, { elicitation: undefined }).elicitation).toBeUndefined();
  });
});

describe('legacyCapabilitiesOf()', () => {
  it('promises to tell of changes where the list of roots is live', () => {
    const declared = capabilitiesOf({ ...LIVE, ...FORM });
    expect(legacyCapabilitiesOf(LIVE, declared)).toEqual({ elicitation: { form: {} }, roots: { listChanged: true } });
    expect(declared).toEqual({ elicitation: { form: {} }, roots: {} });
  });

  it.each<readonly [string, Hooks, object]>([
    ['a function', ROOTS, { roots: {} }],
    ['nothing', {}, {}],
    ['a list that is not declared', LIVE, { sampling: {} }],
    ['roots that are declared and given by nobody', {}, { roots: {} }],
  ])('promises nothing for %s', (_what, hooks, declared) => {
    expect(legacyCapabilitiesOf(hooks, declared)).toEqual(declared);
  });
});
