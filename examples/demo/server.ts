// A small server for the demo: one tool that takes its time, one that fails, a resource and a prompt. It serves
// both eras over stdio. What it writes to stdout is protocol; what it wants a person to read goes to stderr.
import { setTimeout as pause } from 'node:timers/promises';
import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const text = (words: string) => [{ type: 'text' as const, text: words }];

const film = z.object({
  film: z.string().describe('The name of the film'),
  frames: z.number().int().min(1).max(100).describe('How many frames it has'),
  paceMs: z.number().int().min(0).max(10_000).describe('How long a frame takes, in milliseconds'),
});

/** Frame by frame: a log line at either end, a report for each frame, and an eye on whether anybody still wants it. */
const develop = async ({ film: name, frames, paceMs }: z.infer<typeof film>, { mcpReq }: ServerContext) => {
  const { signal } = mcpReq;
  const progressToken = mcpReq._meta?.progressToken;
  await mcpReq.log('info', `${name}: ${frames} frames go into the bath`);
  for (let frame = 1; frame <= frames; frame += 1) {
    try {
      await pause(paceMs, undefined, { signal });
    } catch (reason) {
      console.error(`${name}: aborted while frame ${frame} of ${frames} was in the bath`);
      throw reason;
    }
    // Below the level that the demo asks for, so it is not sent.
    await mcpReq.log('debug', `${name}: frame ${frame} fixed`);
    if (progressToken === undefined) continue;
    const message = `frame ${frame} of ${frames}`;
    await mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, progress: frame, total: frames, message },
    });
  }
  await mcpReq.log('notice', `${name}: hung up to dry`);
  return { content: text(`${frames} frames`) };
};

const darkroom = (): McpServer => {
  const server = new McpServer({ name: 'darkroom', version: '1.0.0' }, { capabilities: { logging: {} } });

  server.registerTool(
    'develop',
    { description: 'Develops a film, frame by frame, and reports on each', inputSchema: film },
    develop,
  );

  server.registerTool(
    'print',
    {
      description: 'Prints a frame on paper, if there is any',
      inputSchema: z.object({ paper: z.string().describe('The kind of paper') }),
    },
    ({ paper }) => ({ isError: true, content: text(`there is no ${paper} paper left`) }),
  );

  server.registerResource(
    'shelf',
    'darkroom://shelf',
    { description: 'What is on the shelf', mimeType: 'text/plain' },
    ({ href }) => ({ contents: [{ uri: href, mimeType: 'text/plain', text: 'developer, stop bath, fixer' }] }),
  );

  server.registerPrompt(
    'caption',
    { description: 'Asks for a caption', argsSchema: z.object({ subject: z.string() }) },
    ({ subject }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Write a caption for a photograph of ${subject}.` } }],
    }),
  );

  return server;
};

serveStdio(darkroom);
