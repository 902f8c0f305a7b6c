import { describe, expect, it } from '@jest/globals';
import { map, NEVER, Observable, of, timer } from 'rxjs';
import { type RenderOptions, renderingOf } from '../../../src/bridge/render/options.js';
import { type Outcome, renderBatch, renderResult } from '../../../src/bridge/render/render.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';
import { watch } from '../../support/client/watch.js';

const outcome = (text: string, more: object = {}, tool = 't', toolCallId = '1'): Outcome => ({
  ...{ tool, toolCallId, result: { content: [{ type: 'text', text }], ...more } },
});

const batch = (outcomes: readonly Outcome[], options: RenderOptions = {}): readonly unknown[] => {
  const { values, completed } = watch(renderBatch(outcomes, renderingOf(options)));
  expect(completed).toBe(true);
  expect(values).toHaveLength(1);
  return values[0] as readonly unknown[];
};

const one = (result: unknown, options: RenderOptions = {}): unknown => {
  const { values } = watch(renderResult({ tool: 't', toolCallId: '1', result } as Outcome, renderingOf(options)));
  expect(values).toHaveLength(1);
  return values[0];
};

const tokensOf = (content: unknown): number => Math.ceil((content as string).length / 4);

const IMAGE = { type: 'image', data: 'QUJD', mimeType: 'image/png' };

describe('renderResult', () => {
  it('gives text, and names what is none', () => {
    expect(one({ content: [{ type: 'text', text: 'a' }, IMAGE] })).toBe('a\n\n[image: image/png, 3 bytes]');
  });

  it("hands the rest over with media: 'parts', and text alone as text", () => {
    expect(one({ content: [IMAGE] }, { media: 'parts' })).toEqual([IMAGE]);
    expect(one({ content: [{ type: 'text', text: 'a' }] }, { media: 'parts' })).toBe('a');
  });

  it('cuts to the limit of the tool, and to that of a batch where it is less', () => {
    const result = { content: [{ type: 'text', text: 'x'.repeat(50_000) }] };
    expect(tokensOf(one(result, { budget: { perCall: 500 } }))).toBeLessThanOrEqual(500);
    expect(one(result, { budget: { perCall: 500, tools: { t: Infinity } } })).toHaveLength(50_000);
    expect(tokensOf(one(result, { budget: { perBatch: 300 } }))).toBeLessThanOrEqual(300);
  });

  it.each([undefined, null, 'x', []])('makes a sentence of %j, which is no result', (result) => {
    expect(one(result)).toBe('The tool returned no content.');
  });

  it('makes a sentence of a result that throws as it is read', () => {
    const spiteful = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
      },
    );
    expect(one(spiteful)).toBe('The tool returned no content.');
  });

  it('says where the whole is, and gives the hook the text and the raw result', () => {
    const asked: unknown[] = [];
    const result = { content: [{ type: 'text', text: 'x'.repeat(5_000) }] };
    const spill: RenderOptions['spill'] = (what) => {
      asked.push(what);
      return of('out/1.txt');
    };
    expect(one(result, { budget: { perCall: 100 }, spill })).toContain('; the whole text is in out/1.txt ...]');
    expect(asked).toEqual([{ tool: 't', toolCallId: '1', text: 'x'.repeat(5_000), raw: result }]);
    one({ content: [{ type: 'text', text: 'short' }] }, { budget: { perCall: 100 }, spill });
    expect(asked).toHaveLength(1);
  });

  it('lets go of the hook when it is unsubscribed', () => {
    let left = false;
    const spill = () =>
      new Observable<string>(() => () => {
        left = true;
      });
    const rendering = renderingOf({ budget: { perCall: 100 }, spill });
    watch(renderResult(outcome('x'.repeat(5_000)), rendering)).subscription.unsubscribe();
    expect(left).toBe(true);
  });
});

describe('renderBatch', () => {
  it('emits an empty list for an empty batch', () => {
    expect(batch([])).toEqual([]);
  });

  it('shares what a batch may take: small results whole, large ones in equal parts, failures first', () => {
    const outcomes = [
      outcome('a'.repeat(40_000)),
      outcome('small'),
      outcome('b'.repeat(90_000)),
      outcome('e'.repeat(2_000), { isError: true }),
    ];
    const contents = batch(outcomes, { budget: { perBatch: 3_000 } });
    expect(contents[1]).toBe('small');
    expect(contents[3]).toBe('e'.repeat(2_000));
    const sizes = contents.map(tokensOf);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(3_000);
    expect(sizes[0]).toBeGreaterThan(1_150);
    expect(sizes[2]).toBeGreaterThan(1_150);
  });

  it('has failures whole, also beyond what a batch may take, and takes for one what says so and nothing else', () => {
    const why = 'e'.repeat(8_000);
    const unreadable = {
      content: [{ type: 'text', text: why }],
      get isError(): boolean {
        throw new Error('not today');
      },
    };
    const contents = batch(
      [
        outcome(why, { isError: true }),
        outcome(why),
        outcome(why, { isError: 'yes' }),
        { tool: 't', toolCallId: '4', result: unreadable as unknown as Outcome['result'] },
      ],
      { budget: { perBatch: 1_000 } },
    );
    expect(contents.map((content) => content === why)).toEqual([true, false, false, false]);
  });

  it('gives each result the same in whichever order they stand', () => {
    const outcomes = ['a', 'b', 'c'].map((letter, index) => outcome(letter.repeat(3_000 * (index + 1))));
    const options = { budget: { perBatch: 2_500, perCall: 1_500 } };
    expect(batch([...outcomes].reverse(), options)).toEqual([...batch(outcomes, options)].reverse());
  });

  it('bounds single results where the batch has no limit', () => {
    const contents = batch([outcome('a'.repeat(9_000)), outcome('b'.repeat(9_000), {}, 'free')], {
      budget: { perCall: 300, tools: { free: 9_000 } },
    });
    expect(tokensOf(contents[0])).toBeLessThanOrEqual(300);
    expect(contents[1]).toBe('b'.repeat(9_000));
  });

  it('counts media against the share', () => {
    const result = { content: [IMAGE] };
    const image: Outcome = { tool: 't', toolCallId: '1', result: result as Outcome['result'] };
    const contents = batch([image, image], { media: 'parts', budget: { perBatch: 3_000 } });
    expect(contents).toEqual(['[image: image/png, 3 bytes]', '[image: image/png, 3 bytes]']);
    expect(batch([image, outcome('x')], { media: 'parts', budget: { perBatch: 3_000 } })).toEqual([[IMAGE], 'x']);
  });

  it('waits for the hooks of all together, each no longer than it may take', () => {
    inVirtualTime(({ at }) => {
      const spill: RenderOptions['spill'] = ({ toolCallId }) =>
        toolCallId === 'hangs' ? NEVER : timer(40).pipe(map(() => 'place'));
      const outcomes = ['hangs', 'a', 'b'].map((id) => outcome('x'.repeat(5_000), {}, 't', id));
      const seen = watch(renderBatch(outcomes, renderingOf({ budget: { perCall: 100 }, spill, spillTimeoutMs: 50 })));
      at(60, () => {
        expect(seen.marks.map(([when]) => when)).toEqual([50, 50]);
        expect(seen.values[0]?.map((content) => (content as string).includes('place'))).toEqual([false, true, true]);
      });
    });
  });
});
