// Every client that is measured, under the name the command line and the table know it by. Each is a module with
// `open(wire)`, which resolves to `{ call, listTools, report, close }`; nothing is loaded before it is asked for. `call` takes a
// `signal` and `onProgress`. `report(name, args, onProgress, onResult)` is a call with progress: who has its result before its Promise
// says so calls `onResult` then; a client that knows no progress has no `report`.

const floor = (title) => ({ title, peer: false });
const peer = (title) => ({ title, peer: true });

/** Titles by name; `peer` is true of the libraries of others. */
export const clients = {
  'rx-mcp': floor('rx-mcp'),
  'rx-mcp-observable': floor('rx-mcp, Observables'),
  'rx-mcp-fetch': floor('rx-mcp with `fetch`'),
  'official-2': peer('official 2.4'),
  'official-1': peer('official 1.32'),
  'ai-sdk': peer('AI SDK 2.0'),
  floor: floor('floor'),
  'floor-rxjs': floor('floor with RxJS'),
  'full-floor': floor('full floor'),
  'undici-pool': floor('undici pool'),
  'fetch-loop': floor('bare `fetch`'),
  'node-http': floor('`node:http`'),
  // No clients: what an import, a process or a bundle costs without one.
  rxjs: floor('rxjs alone'),
};

/** The adapter of a client. */
export const clientNamed = (name) => import(`./${name}.mjs`);
