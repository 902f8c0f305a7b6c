import { describe, expect, it } from '@jest/globals';
import { of } from 'rxjs';
import { offeredBackend } from '../../src/bridge/own-backend.js';
import { Registry, Toolkit, type ToolProvider } from '../../src/index.js';

const kit = (): Toolkit => new Toolkit({ name: 'kit' }).tool('say', { description: 'Says it' }, () => 'said');

const CALL = [{ id: 'a', name: 'p_say' }];

describe('the backend of a provider', () => {
  it('is offered by those of this library, at any depth', async () => {
    const inner = new Registry().add(kit(), { prefix: 'p' });
    expect(offeredBackend(kit())).toBeDefined();
    expect(offeredBackend(inner)).toBeDefined();
    const outer = new Registry().add(inner, { prefix: 'o' });
    expect(await outer.promises.executeToolCalls([{ id: 'a', name: 'o_p_say' }])).toMatchObject([{ content: 'said' }]);
  });

  it('is not taken where a provider has another way of its own: a subclass, a method that was replaced', async () => {
    class Loud extends Toolkit {
      override executeToolCalls(): never {
        return of([{ role: 'tool', tool_call_id: 'a', content: 'LOUD', is_error: false }]) as never;
      }
    }
    const loud = new Loud({ name: 'loud' });
    const replaced: ToolProvider = kit();
    replaced.executeToolCalls = () => [{ role: 'tool', tool_call_id: 'a', content: 'replaced', is_error: false }];
    for (const [provider, content] of [
      [loud, 'LOUD'],
      [replaced, 'replaced'],
    ] as const) {
      expect(offeredBackend(provider)).toBeUndefined();
      const registry = new Registry().add(provider, { prefix: 'p' });
      expect(await registry.promises.executeToolCalls(CALL)).toMatchObject([{ content }]);
    }
  });

  it('is none of an object of the application’s own', () => {
    const own: ToolProvider = { toolsForLlm: () => [], executeToolCalls: () => [] };
    expect(offeredBackend(own)).toBeUndefined();
  });
});
