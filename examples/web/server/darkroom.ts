// The demo's server, whichever era asks: a darkroom with tools that report, ask, show, change, fail, talk and go away.
import { setTimeout as pause } from 'node:timers/promises';
import { McpServer, type RegisteredTool } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { addAsking } from './asking.js';
import type { House } from './house.js';
import { icon, sunset } from './picture.js';

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
const iconOf = (glyph: string, colour: string) => [{ src: icon(glyph, colour), mimeType: 'image/svg+xml' }];
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/** A tool that takes its time, and tells. */
const addDevelop = (server: McpServer): void => {
  server.registerTool(
    'develop',
    {
      title: 'Develop a film',
      description: 'Takes its time, and reports on each frame.',
      icons: iconOf('F', '#0f766e'),
      inputSchema: z.object({
        film: z.string().min(1).describe('What is written on it').default('harbour'),
        frames: z.number().int().min(1).default(24).describe('How many there are'),
        paceMs: z.number().int().min(0).max(10_000).default(150).describe('Milliseconds for each'),
        bath: z.enum(['fresh', 'used']).default('fresh').describe('What it is developed in'),
        dry: z.boolean().default(true).describe('Whether it is dried as well'),
      }),
    },
    async ({ film, frames, paceMs, bath, dry }, { mcpReq }) => {
      const { signal } = mcpReq;
      const progressToken = mcpReq._meta?.progressToken;
      await mcpReq.log('info', `${film}: ${bath} bath`);
      for (let progress = 1; progress <= frames && !signal.aborted; progress += 1) {
        await pause(paceMs, undefined, { signal }).catch(() => undefined);
        if (progress % 10 === 0) await mcpReq.log('info', `${film}: ${progress} frames are done`);
        if (progressToken === undefined) continue;
        const params = { progressToken, progress, total: frames, message: `frame ${progress} of ${frames}` };
        await mcpReq.notify({ method: 'notifications/progress', params });
      }
      return text(`${film}: ${frames} frames${dry ? ', dry' : ''}`);
    },
  );
};

/** Tools that answer at once. */
const addQuick = (server: McpServer): void => {
  server.registerTool(
    'contact_sheet',
    {
      title: 'Contact sheet',
      description: 'Answers with text, an image, a link and structured data.',
      icons: iconOf('S', '#7c3aed'),
      inputSchema: z.object({ film: z.string().default('harbour') }),
      outputSchema: z.object({ film: z.string(), frames: z.number(), keywords: z.array(z.string()) }),
      annotations: { readOnlyHint: true },
    },
    ({ film }) => ({
      content: [
        { type: 'text', text: `The best frame of ${film}` },
        { type: 'image', data: sunset(), mimeType: 'image/png' },
        {
          type: 'resource_link',
          uri: 'https://example.com/films/harbour',
          name: 'the whole film',
          description: 'all 24 frames',
        },
      ],
      structuredContent: { film, frames: 24, keywords: ['sea', 'evening'] },
    }),
  );

  server.registerTool(
    'overexpose',
    { title: 'Overexpose', description: 'Fails, as a result.', icons: iconOf('X', '#b91c1c') },
    () => ({ ...text('The paper is black: it saw too much light.'), isError: true }),
  );

  server.registerTool(
    'mutter',
    { title: 'Mutter', description: 'Logs once at each level.', icons: iconOf('L', '#a16207') },
    async ({ mcpReq }) => {
      for (const level of LEVELS) await mcpReq.log(level, `this is ${level}`);
      return text(`${LEVELS.length} log messages`);
    },
  );
};

/** Tools that change what there is. */
const addChanging = (server: McpServer, house: House): RegisteredTool => {
  server.registerTool(
    'annex',
    { title: 'Open or close the annex', description: 'Changes the list of tools.', icons: iconOf('A', '#1d4ed8') },
    () => {
      house.annexOpen$.next(!house.annexOpen$.value);
      return text(house.annexOpen$.value ? 'The annex is open.' : 'The annex is closed.');
    },
  );

  server.registerTool(
    'leave',
    {
      title: 'Go away',
      description: 'The server breaks every connection, and comes back later.',
      icons: iconOf('G', '#374151'),
      inputSchema: z.object({ seconds: z.number().int().min(1).max(120).default(5) }),
    },
    ({ seconds }) => {
      house.leaving$.next(seconds * 1_000);
      return text(`Back in ${seconds} seconds.`);
    },
  );

  return server.registerTool(
    'enlarge',
    {
      title: 'Enlarge',
      description: 'Stands in the annex.',
      inputSchema: z.object({ times: z.number().min(1).max(50).default(4) }),
    },
    ({ times }) => text(`${times} times as large`),
  );
};

/** Makes one server: a modern request and a legacy session have one each. `enlarge` is there while the annex is open. */
export const createDarkroom = (house: House): { readonly server: McpServer; readonly enlarge: RegisteredTool } => {
  const server = new McpServer(
    { name: 'darkroom', title: 'The darkroom', version: '1.0.0', icons: iconOf('D', '#be123c') },
    { capabilities: { logging: {} }, instructions: 'Mind the light.' },
  );
  addDevelop(server);
  addQuick(server);
  addAsking(server, house);
  const enlarge = addChanging(server, house);
  if (!house.annexOpen$.value) enlarge.disable();
  return { server, enlarge };
};
