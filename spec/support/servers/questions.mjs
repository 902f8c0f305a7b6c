// A modern server, on the official server package, with tools that are named and behave as those of the published
// legacy `server-everything`, so that one application can be run against both. As a process it speaks over stdio.
import { inputRequired, inputResponse, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const text = (words) => ({ content: [{ type: 'text', text: words }] });
const raw = (value) => text(`Raw result: ${JSON.stringify(value, null, 2)}`);

const FORM = {
  message: 'Please provide inputs for the following fields:',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'String' },
      check: { type: 'boolean', title: 'Boolean' },
      email: { type: 'string', format: 'email', title: 'String with email format' },
      integer: { type: 'integer', minimum: 1, maximum: 100, default: 42 },
      untitledMultipleSelectEnum: {
        type: 'array',
        minItems: 1,
        maxItems: 3,
        items: { type: 'string', enum: ['Guitar', 'Piano', 'Violin'] },
        default: ['Guitar'],
      },
    },
    required: ['name'],
  },
};

serveStdio(
  () => {
    const server = new McpServer({ name: 'questions', version: '1.0.0' });
    const tool = (name, inputSchema, question, answer) => {
      server.registerTool(name, { inputSchema: z.object(inputSchema) }, (args, { mcpReq }) => {
        const view = inputResponse(mcpReq.inputResponses, 'q');
        return view.kind === 'missing' ? inputRequired({ inputRequests: { q: question(args) } }) : answer(view);
      });
    };
    const elicited = ({ action, content }) => raw({ action, content });

    tool('trigger-elicitation-request', {}, () => inputRequired.elicit(FORM), elicited);
    tool(
      'trigger-url-elicitation',
      { url: z.string(), message: z.string().default('Please open the link.') },
      ({ url, message }) => inputRequired.elicitUrl({ url, message }),
      elicited,
    );
    tool(
      'trigger-sampling-request',
      { prompt: z.string(), maxTokens: z.number().default(100) },
      ({ prompt, maxTokens }) =>
        inputRequired.createMessage({
          messages: [{ role: 'user', content: { type: 'text', text: `Resource context: ${prompt}` } }],
          systemPrompt: 'You are a helpful test server.',
          maxTokens,
        }),
      ({ result }) => raw(result),
    );
    tool('get-roots-list', {}, inputRequired.listRoots, ({ roots }) =>
      text(roots.map(({ name = 'Unnamed Root', uri }) => `${name}\n   URI: ${uri}`).join('\n\n')),
    );
    return server;
  },
  { legacy: 'reject' },
);
