// A server for specs, on the official server package, that asks before it answers: what it asks goes in rounds to a
// modern client, and in requests of its own to a legacy one. Nothing is kept between rounds but in the state it hands out.
import { createRequestStateCodec, inputRequired, inputResponse, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

// Every process has the same key, so that another one may carry on with a call.
const codec = createRequestStateCodec({ key: new Uint8Array(32).fill(7), ttlSeconds: 3_600 });

const text = (words) => ({ content: [{ type: 'text', text: words }] });

const NAME = {
  message: 'What is your name?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name', minLength: 2 },
      greeting: { type: 'string', enum: ['Hello', 'Ahoy'], default: 'Hello' },
      times: { type: 'integer', minimum: 1, maximum: 3, default: 1 },
    },
    required: ['name'],
  },
};

const LINK = { message: 'Please sign in', url: 'https://accounts.example.com/connect?id=7' };

const poemAbout = (subject) => ({
  messages: [{ role: 'user', content: { type: 'text', text: `A poem about ${subject}` } }],
  maxTokens: 50,
});

const ask = {
  name: () => inputRequired.elicit(NAME),
  link: () => inputRequired.elicitUrl(LINK),
  poem: (subject) => inputRequired.createMessage(poemAbout(subject)),
  roots: () => inputRequired.listRoots(),
};

const asking = async (inputRequests, state) =>
  inputRequired({
    ...(inputRequests === undefined ? {} : { inputRequests }),
    ...(state === undefined ? {} : { requestState: await codec.mint(state) }),
  });

/** What somebody answered to the question for a name. */
const nameFrom = ({ inputResponses }) => {
  const answer = inputResponse(inputResponses, 'name');
  if (answer.kind === 'missing') return undefined;
  if (answer.action !== 'accept') return answer.action;
  const { name, greeting, times } = answer.content;
  return Array.from({ length: times }, () => `${greeting} ${name}`).join(', ');
};

/** Makes one server; each request for a tool is written down in `journal`, with what was answered. */
export const createInterview = (journal = []) => {
  const server = new McpServer(
    { name: 'interview', version: '1.0.0' },
    { capabilities: { logging: {} }, requestState: { verify: codec.verify } },
  );

  const tool = (name, description, handler, inputSchema = z.object({})) => {
    server.registerTool(name, { description, inputSchema }, (args, { mcpReq }) => {
      journal.push([name, mcpReq.inputResponses ?? null]);
      return handler(mcpReq, args);
    });
  };

  tool('greet', 'Asks for a name, and greets', (req) => {
    const name = nameFrom(req);
    return name === undefined ? asking({ name: ask.name() }) : text(name);
  });

  tool('sign-in', 'Sends somebody to a page', ({ inputResponses }) => {
    const answer = inputResponse(inputResponses, 'link');
    return answer.kind === 'missing' ? asking({ link: ask.link() }) : text(`sign-in: ${answer.action}`);
  });

  tool(
    'compose',
    'Has a model write a poem',
    ({ inputResponses }, { subject }) => {
      const answer = inputResponse(inputResponses, 'poem');
      if (answer.kind === 'missing') return asking({ poem: ask.poem(subject) });
      return text(`${answer.result.model}: ${answer.result.content.text}`);
    },
    z.object({ subject: z.string() }),
  );

  tool('look-around', 'Asks which directories there are', ({ inputResponses }) => {
    const answer = inputResponse(inputResponses, 'roots');
    return answer.kind === 'missing'
      ? asking({ roots: ask.roots() })
      : text(answer.roots.map(({ uri }) => uri).join(' '));
  });

  tool('interview', 'Asks in three rounds', async (req) => {
    const state = req.requestState();
    if (state === undefined) return asking({ name: ask.name() }, { round: 1 });
    if (state.round === 1)
      return asking({ poem: ask.poem('gears'), roots: ask.roots() }, { round: 2, name: nameFrom(req) });
    if (state.round === 2) {
      const poem = inputResponse(req.inputResponses, 'poem').result.content.text;
      const roots = inputResponse(req.inputResponses, 'roots').roots.length;
      return asking({ link: ask.link() }, { ...state, round: 3, poem, roots });
    }
    const { action } = inputResponse(req.inputResponses, 'link');
    return text(`${state.name}; ${state.poem}; ${state.roots} roots; ${action}`);
  });

  tool('ponder', 'Comes back twice with nothing but its state', (req) => {
    const { thoughts = 0 } = req.requestState() ?? {};
    return thoughts === 2 ? text('42') : asking(undefined, { thoughts: thoughts + 1 });
  });

  tool('pester', 'Never stops asking', () => asking({ name: ask.name() }));

  tool('insist', 'Asks the same until somebody answers', (req) => {
    const name = nameFrom(req);
    return name === undefined || name === 'decline' || name === 'cancel' ? asking({ name: ask.name() }) : text(name);
  });

  server.registerPrompt('letter', { description: 'Asks who it is from' }, (_args, ctx) => {
    const { mcpReq } = ctx ?? _args;
    const name = nameFrom(mcpReq);
    if (name === undefined) return asking({ name: ask.name() });
    return { messages: [{ role: 'user', content: { type: 'text', text: `Sign it with ${name}` } }] };
  });

  server.registerResource(
    'diary',
    'interview://diary',
    { description: 'Asks whose it is' },
    async ({ href }, { mcpReq }) => {
      const name = nameFrom(mcpReq);
      if (name === undefined) return asking({ name: ask.name() });
      return { contents: [{ uri: href, mimeType: 'text/plain', text: `The diary of ${name}` }] };
    },
  );

  tool('journal', 'What was asked of it, and answered', () => text(JSON.stringify(journal)));

  return server;
};
