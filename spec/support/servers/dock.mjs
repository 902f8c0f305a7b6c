// A server for specs of batches, on the official server package: its tools hold each call until the gate lets it go.
import { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

const text = (words) => ({ content: [{ type: 'text', text: words }] });

/** The gate of a dock: which calls it holds, how many it held at most, and what it lets go. */
export const createGate = () => {
  const held = [];
  const changes = new Set();
  const changed = () => {
    for (const look of [...changes]) look();
  };
  const gate = {
    /** What is held, in the order in which it came, by the word that each call gave. */
    get held() {
      return held.map(({ word }) => word);
    },
    peak: 0,
    /** Each call that came, by its tool and word. */
    came: [],
    /** Each call that was given up while it was held. */
    gone: [],
    /** Resolves when the condition holds; looked at whenever a call comes or goes. */
    until: (condition) =>
      new Promise((resolve) => {
        const look = () => {
          if (!condition()) return;
          changes.delete(look);
          resolve();
        };
        changes.add(look);
        look();
      }),
    /** Lets a call go that is held. */
    release: (word) => {
      const index = held.findIndex((one) => one.word === word);
      const [one] = held.splice(index, 1);
      one.go(text(`${word} released`));
    },
    hold: (tool, word, signal) =>
      new Promise((resolve) => {
        gate.came.push(`${tool} ${word}`);
        const one = { word, go: resolve };
        held.push(one);
        gate.peak = Math.max(gate.peak, held.length);
        signal.addEventListener('abort', () => {
          const index = held.indexOf(one);
          if (index >= 0) held.splice(index, 1);
          gate.gone.push(word);
          resolve(text('too late'));
          changed();
        });
        changed();
      }),
  };
  return gate;
};

/** Makes one server; many may stand at one gate. */
export const createDock = (gate) => {
  const server = new McpServer({ name: 'dock', version: '1.0.0' });
  const word = { word: z.string() };
  const tool = (name, annotations, inputSchema = z.object(word)) => {
    const config = { inputSchema, ...(annotations === undefined ? {} : { annotations }) };
    server.registerTool(name, config, (args, { mcpReq }) => gate.hold(name, args.word, mcpReq.signal));
  };
  tool('look', { readOnlyHint: true, idempotentHint: true });
  tool('peek', { readOnlyHint: true });
  tool('load');
  // What the address is goes into a header as well; the server refuses a call whose header says something else.
  const pier = z.string().meta({ 'x-mcp-header': 'Pier' });
  tool('moor', { readOnlyHint: true, idempotentHint: true }, z.object({ ...word, pier }));
  server.registerTool('sink', { inputSchema: z.object({ after: z.number() }) }, async ({ after }) => {
    await gate.until(() => gate.held.length >= after);
    process.exit(3);
  });
  server.registerTool('echo', { inputSchema: z.object(word) }, ({ word: words }) => text(words));
  return server;
};
