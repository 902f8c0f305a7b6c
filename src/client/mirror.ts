import { isObject } from '../jsonrpc/index.js';
import type { Tool } from '../protocol/schemas/index.js';
import { isFieldName } from '../transport/index.js';

const ANNOTATION = 'x-mcp-header';
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
/** Past this a schema is not searched: no tool needs it. */
const MAX_DEPTH = 64;

/** One argument that is mirrored into a header. */
interface Mirrored {
  readonly path: readonly string[];
  readonly header: string;
}

/** What of a tool's arguments is mirrored, or why its annotations cannot be followed. */
export type MirrorPlan = { readonly mirrored: readonly Mirrored[] } | { readonly invalid: string };

class Misplaced extends Error {}

const annotationFault = (name: unknown, type: unknown, seen: ReadonlySet<string>): string | undefined => {
  if (typeof name !== 'string' || name === '') return 'a header without a name';
  if (!isFieldName(name)) return `${JSON.stringify(name)} is no name of a header`;
  if (seen.has(name.toLowerCase())) return `${JSON.stringify(name)} comes twice`;
  return TYPES.has(type)
    ? undefined
    : `the argument for ${JSON.stringify(name)} is neither a string, an integer nor a boolean`;
};

/** Throws where an annotation stands anywhere below: only a chain of `properties` leads to one that counts. */
const requireNone = (value: unknown, depth: number): void => {
  if (depth > MAX_DEPTH) throw new Misplaced('its schema is too deep');
  if (Array.isArray(value)) for (const item of value) requireNone(item, depth + 1);
  else if (isObject(value)) {
    if (Object.hasOwn(value, ANNOTATION)) throw new Misplaced('an annotation where no argument is');
    for (const member of Object.values(value)) requireNone(member, depth + 1);
  }
};

const planOf = (inputSchema: unknown): readonly Mirrored[] => {
  const mirrored: Mirrored[] = [];
  const seen = new Set<string>();
  const visit = (schema: unknown, path: readonly string[]): void => {
    if (!isObject(schema)) return;
    if (path.length > MAX_DEPTH) throw new Misplaced('its schema is too deep');
    if (Object.hasOwn(schema, ANNOTATION)) {
      const name = schema[ANNOTATION];
      const fault =
        path.length === 0 ? 'an annotation where no argument is' : annotationFault(name, schema['type'], seen);
      if (fault !== undefined) throw new Misplaced(fault);
      seen.add(String(name).toLowerCase());
      mirrored.push({ path, header: `Mcp-Param-${String(name)}` });
    }
    for (const [key, member] of Object.entries(schema)) {
      if (key === 'properties' && isObject(member)) {
        for (const [property, inner] of Object.entries(member)) visit(inner, [...path, property]);
      } else if (key !== 'default' && key !== 'examples' && key !== 'const' && key !== 'enum')
        requireNone(member, path.length);
    }
  };
  visit(inputSchema, []);
  return mirrored;
};

const plans = new WeakMap<Tool, MirrorPlan>();

/**
 * What of a tool's arguments goes into headers too, found out once a tool. MCP 2026-07-28 basic/transports/streamable-http,
 * "Custom Headers from Tool Parameters".
 */
export const mirrorPlan = (tool: Tool): MirrorPlan => {
  let plan = plans.get(tool);
  if (plan === undefined) {
    try {
      plan = { mirrored: planOf(tool.inputSchema) };
    } catch (reason) {
      plan = { invalid: reason instanceof Misplaced ? reason.message : 'its schema cannot be read' };
    }
    plans.set(tool, plan);
  }
  return plan;
};

const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return Number.isSafeInteger(value) ? String(value) : undefined;
};

const memberAt = (args: unknown, path: readonly string[]): unknown => {
  try {
    return path.reduce<unknown>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), args);
  } catch {
    // It can be written as little as it can be read, which is what the body says.
    return undefined;
  }
};

/** The headers that go with a call; what is absent, null or of no fitting type has none. */
export const mirroredHeaders = (tool: Tool, args: unknown): Readonly<Record<string, string>> | undefined => {
  const plan = mirrorPlan(tool);
  if ('invalid' in plan || plan.mirrored.length === 0) return undefined;
  const headers: Record<string, string> = {};
  for (const { path, header } of plan.mirrored) {
    const text = textOf(memberAt(args, path));
    if (text !== undefined) headers[header] = text;
  }
  return headers;
};
