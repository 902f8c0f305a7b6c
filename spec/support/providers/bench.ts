import { concat, map, Observable, of, range } from 'rxjs';
import * as z from 'zod';
import { Toolkit, type ToolkitOptions } from '../../../src/index.js';

/** The tools of the workshop (`spec/support/servers/workshop.mjs`) in this process; `journal` is what happened to them. */
export const createBench = (options: Partial<ToolkitOptions> = {}): Toolkit => {
  const journal: string[] = [];
  return new Toolkit({ name: 'bench', ...options })
    .tool(
      'add',
      {
        description: 'Adds two numbers',
        input: z.object({ a: z.number(), b: z.number() }),
        output: z.object({ sum: z.number() }),
        annotations: { readOnlyHint: true, idempotentHint: true },
      },
      ({ a, b }) => ({ content: [{ type: 'text' as const, text: String(a + b) }], structuredContent: { sum: a + b } }),
    )
    .tool(
      'saw',
      { description: 'Reports each cut', input: z.object({ cuts: z.number().int() }) },
      ({ cuts }): Observable<unknown> =>
        concat(
          range(1, cuts).pipe(map((progress) => ({ kind: 'progress', progress, total: cuts }) as const)),
          of(`${cuts} cuts`),
        ),
    )
    .tool(
      'wait',
      { description: 'Waits until nobody wants it any more', input: z.object({ id: z.string() }) },
      ({ id }, { progress }): Observable<unknown> =>
        new Observable<string>(() => {
          journal.push(`${id} started`);
          progress(1);
          return () => journal.push(`${id} aborted`);
        }),
    )
    .tool('journal', { description: 'What happened here' }, () => journal.join('\n'))
    .tool('fail', { description: 'Fails as a result' }, () => ({
      content: [{ type: 'text' as const, text: 'the blade broke' }],
      isError: true,
    }));
};
