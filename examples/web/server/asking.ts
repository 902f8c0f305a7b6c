import { inputRequired, inputResponse, type McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { House } from './house.js';
import { icon } from './picture.js';

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });

const ORDER = {
  message: 'Whom are the prints for?',
  requestedSchema: {
    type: 'object' as const,
    properties: {
      name: { type: 'string' as const, title: 'Name', description: 'Goes on the parcel', minLength: 2 },
      email: { type: 'string' as const, title: 'Email', format: 'email' as const },
      size: {
        type: 'string' as const,
        title: 'Size',
        oneOf: [
          { const: 's', title: '9 × 13' },
          { const: 'l', title: '20 × 30' },
        ],
        default: 's',
      },
      copies: { type: 'integer' as const, title: 'Copies', minimum: 1, maximum: 9, default: 1 },
      extras: {
        type: 'array' as const,
        title: 'Extras',
        items: { type: 'string' as const, enum: ['frame', 'album', 'card'] },
        default: ['card'],
      },
      gift: { type: 'boolean' as const, title: 'It is a gift', default: false },
    },
    required: ['name'],
  },
};

/** Tools that ask before they answer: in rounds where the era has them, else by requests of the server's own. */
export const addAsking = (server: McpServer, house: House): void => {
  server.registerTool(
    'order',
    {
      title: 'Order prints',
      description: 'Asks for an address, by a form.',
      icons: [{ src: icon('?', '#047857'), mimeType: 'image/svg+xml' }],
      inputSchema: z.object({ film: z.string().default('harbour') }),
    },
    ({ film }, { mcpReq }) => {
      const answer = inputResponse(mcpReq.inputResponses, 'order');
      if (answer.kind !== 'elicit') return inputRequired({ inputRequests: { order: inputRequired.elicit(ORDER) } });
      if (answer.action !== 'accept') return text(`No prints of ${film}: ${answer.action}`);
      return text(`Prints of ${film}, for ${JSON.stringify(answer.content)}`);
    },
  );

  server.registerTool(
    'sign_release',
    {
      title: 'Sign the release',
      description: 'Asks for a signature, on a page.',
      icons: [{ src: icon('U', '#c2410c'), mimeType: 'image/svg+xml' }],
    },
    ({ mcpReq }) => {
      const answer = inputResponse(mcpReq.inputResponses, 'release');
      if (answer.kind === 'elicit') return text(`The release: ${answer.action}`);
      const release = inputRequired.elicitUrl({
        message: 'Please sign the release of your portrait.',
        url: `${house.origin}/sign?paper=7`,
      });
      return inputRequired({ inputRequests: { release } });
    },
  );
};
