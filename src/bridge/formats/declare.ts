import { messageOf } from '../../errors/index.js';
import { isObject } from '../../jsonrpc/index.js';
import { type NameTable, nameTable } from '../names.js';
import type { LlmFormat, Tool } from '../provider.js';
import { type DeclarationChange, normalise, Report, wellFormed } from '../schemas/index.js';
import type { DeclarationsOf, DeclaredTool } from './format.js';
import { formatOf } from './formats.js';
import { shortened } from './shortened.js';

/** Tools as a model's API takes them. */
export interface Declared<F extends LlmFormat> {
  /** Sorted by published name; the same bytes of JSON however the tools were ordered. */
  readonly declarations: DeclarationsOf<F>;
  /** In which way they differ from what the server described, tool by tool. */
  readonly changes: readonly DeclarationChange[];
  /** The way from published names back to tools. */
  readonly names: NameTable;
}

/** What is read of a tool before anything is made of it. */
interface Seen {
  readonly raw: string;
  readonly description: string | undefined;
  readonly schema: unknown;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

const describe = (tool: Readonly<Record<string, unknown>>, report: Report): string | undefined => {
  const { description, title, annotations } = tool;
  if (description !== undefined && typeof description !== 'string') {
    report.note('/description', 'dropped', 'it is no text');
  }
  // The next best that says anything to a model.
  const best = [description, title, isObject(annotations) ? annotations['title'] : undefined].find(isText);
  if (best === undefined) return undefined;
  const fit = wellFormed(best);
  if (fit !== best) report.note('/description', 'changed', 'half a character was left over in it');
  return fit;
};

const look = (tool: unknown): { seen: Seen; report: Report } | { reason: string; raw?: string } => {
  try {
    if (!isObject(tool)) return { reason: 'it is no object' };
    const { name: raw, inputSchema: schema } = tool;
    if (typeof raw !== 'string' || raw === '') return { reason: 'it has no name' };
    const { execution } = tool;
    if (isObject(execution) && execution['taskSupport'] === 'required') {
      return { raw, reason: 'it only runs as a task, and no call can run it' };
    }
    const report = new Report(raw);
    return { seen: { raw, description: describe(tool, report), schema }, report };
  } catch (reason) {
    return { reason: `it cannot be read: ${messageOf(reason)}` };
  }
};

/** A tool whose description is no longer than is taken. What is cut off can still be read at the root of the schema. */
const withShortDescription = (tool: DeclaredTool, most: number | undefined, report: Report): DeclaredTool => {
  const { description, schema } = tool;
  if (description === undefined || most === undefined || description.length <= most) return tool;
  const hasOwn = isText(schema['description']);
  const limit = `the API takes at most ${most} characters`;
  report.note('/description', 'changed', hasOwn ? limit : `${limit}; it is whole at the root of the schema`);
  return {
    ...tool,
    description: shortened(description, most),
    schema: hasOwn ? schema : { ...schema, description },
  };
};

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** One tool of several with one name: the one with the least text, which is the same one in any order of the list. */
const leastOf = (candidates: readonly Candidate[]): Candidate | undefined =>
  candidates.length < 2
    ? candidates[0]
    : [...candidates].sort((a, b) => byText(JSON.stringify(a.tool), JSON.stringify(b.tool)))[0];

interface Candidate {
  readonly tool: DeclaredTool;
  readonly report: Report;
}

/**
 * The declarations of tools in a format. The input is not touched, and nothing is thrown: a tool that is of no use is
 * left out, whatever can be made legal is, and `changes` tells of both. Keys inside a schema keep the order in which the
 * server wrote them, since models read it.
 */
export const declare = <F extends LlmFormat>(tools: readonly Tool[], format: F): Declared<F> => {
  const { names: rule, longestDescription, schemas, declare: inFormat } = formatOf(format);
  const unusable: DeclarationChange[] = [];
  const looked = new Map<string, { readonly seen: Seen; readonly report: Report }[]>();
  for (const tool of tools) {
    const found = look(tool);
    if ('reason' in found) unusable.push({ tool: found.raw ?? '', path: '', action: 'dropped', reason: found.reason });
    else {
      const others = looked.get(found.seen.raw);
      if (others === undefined) looked.set(found.seen.raw, [found]);
      else others.push(found);
    }
  }

  const names = nameTable(looked.keys(), rule);
  const chosen: Candidate[] = [];
  for (const [raw, all] of looked) {
    const name = names.published(raw) ?? raw;
    const one = leastOf(
      all.map(({ seen: { description, schema }, report }) => {
        if (name !== raw) report.note('/name', 'changed', `it is published as ${JSON.stringify(name)}`);
        const tool = { name, description, schema: normalise(schema, schemas, report) };
        return { tool: withShortDescription(tool, longestDescription, report), report };
      }),
    );
    if (one === undefined) continue;
    if (all.length > 1) one.report.note('', 'dropped', `of ${all.length} tools of this name one is left`);
    chosen.push(one);
  }
  chosen.sort((a, b) => byText(a.tool.name, b.tool.name));
  return {
    declarations: inFormat(chosen.map(({ tool }) => tool)),
    changes: [...chosen.flatMap(({ report }) => report.changes), ...unusable],
    names,
  };
};
