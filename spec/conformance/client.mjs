/**
 * The client that the official conformance suite puts to the test: `node client.mjs <url>`, started by the suite once for
 * each scenario, whose name, and whatever it needs to know, are in the environment. Uses what the built package exports, as
 * an application would, and leaves the era to be found out. Each scenario also checks what the client made of the answers;
 * a difference, or an error, ends it with exit code 1. Says on stdout, in one line of JSON, whom it has met.
 */
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { connectHttp } from '../../dist/index.js';
import { providerFor, REFUSED } from './authorize.mjs';

const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const url = process.argv.at(-1);

const warnings = [];
const questions = [];

/** Setting them all declares elicitation, sampling and roots. */
const hooks = {
  // Nothing is filled in: what the form has for defaults is for the library to add.
  onElicit: ({ params }) => {
    questions.push(params.message);
    return { action: 'accept', content: {} };
  },
  onElicitUrl: () => ({ action: 'decline' }),
  onSample: () => ({
    role: 'assistant',
    content: { type: 'text', text: 'sampled' },
    model: 'none',
    stopReason: 'endTurn',
  }),
  onListRoots: () => [{ uri: 'file:///workspace', name: 'workspace' }],
};

const namesOf = (entries) => entries.map(({ name }) => name);

const textOf = ({ isError, content }) => {
  ok(isError !== true, `the tool failed: ${JSON.stringify(content)}`);
  return content.map(({ text }) => text).join('\n');
};

/** Meets the server, and asks it whether it is there. */
const greet = async (mcp) => {
  ok(await mcp.server());
  strictEqual(await mcp.ping(), true);
};

/** Lists a server's tools and calls one. Resolves to the text it answered. */
const listThenCall = async (mcp, name, args) => {
  ok(namesOf(await mcp.listTools()).includes(name));
  return textOf(await mcp.callTool(name, args));
};

const addNumbers = async (mcp) => {
  ok((await listThenCall(mcp, 'add_numbers', { a: 5, b: 3 })).includes('8'));
};

const fillInForm = async (mcp) => {
  // The first thing that is asked of the server: its question comes on its own stream, which must be open by then.
  const text = textOf(await mcp.callTool('test_client_elicitation_defaults', {}));
  strictEqual(questions.length, 1);
  ok(text.startsWith('Elicitation completed'), text);
};

const resumeStream = async (mcp) => {
  ok((await listThenCall(mcp, 'test_reconnection', {})).includes('completed successfully'));
};

const answerRounds = async (mcp) => {
  await mcp.listTools();
  // All at once: what one call is asked, and the state it carries, is no other call's.
  const tools = ['test_mrtr_echo_state', 'test_mrtr_unrelated', 'test_mrtr_no_state'];
  const texts = await Promise.all(tools.map(async (name) => textOf(await mcp.callTool(name, {}))));
  deepStrictEqual(texts, ['echo-state-ok', 'unrelated-ok', 'no-state-ok']);
  strictEqual(questions.length, 2);
  await mcp.callTool('test_mrtr_no_result_type', {});
  strictEqual(questions.length, 2);
};

const useEveryList = async (mcp) => {
  const [tools, resources, prompts] = [await mcp.listTools(), await mcp.listResources(), await mcp.listPrompts()];
  ok(tools.length > 0 && resources.length > 0 && prompts.length > 0);
  for (const { name } of tools) await mcp.callTool(name, {});
  for (const { uri } of resources) await mcp.readResource(uri);
  for (const { name } of prompts) await mcp.getPrompt(name);
};

const mirrorArguments = async (mcp) => {
  await mcp.listTools();
  ok(context.toolCalls.length > 0);
  for (const { name, arguments: args } of context.toolCalls) textOf(await mcp.callTool(name, args));
};

const leaveOutTools = async (mcp) => {
  const names = namesOf(await mcp.listTools());
  deepStrictEqual(names, ['valid_tool']);
  for (const name of names) textOf(await mcp.callTool(name, { region: 'us-west1' }));
  const leftOut = warnings.splice(0).map(({ kind, detail }) => `${kind} ${detail?.name}`);
  ok(leftOut.length > 0 && leftOut.every((text) => text.startsWith('malformed-entry invalid_')), String(leftOut));
};

const leaveReferences = async (mcp) => {
  const [tool] = await mcp.listTools();
  ok(tool.inputSchema.properties.profile.$ref.startsWith('http://'));
};

const handBackSchema = async (mcp) => {
  const tool = (await mcp.listTools()).find(({ name }) => name !== 'json_schema_echo');
  strictEqual(textOf(await mcp.callTool('json_schema_echo', { schema: tool.inputSchema })), 'echoed');
};

/** A second call finds another authorization server in the place of the first. */
const useTool = async (mcp) => {
  await listThenCall(mcp, 'test-tool', {});
};

const SCENARIOS = {
  initialize: greet,
  'request-metadata': greet,
  tools_call: addNumbers,
  'elicitation-sep1034-client-defaults': fillInForm,
  'sse-retry': resumeStream,
  'sep-2322-client-request-state': answerRounds,
  'http-standard-headers': useEveryList,
  'http-custom-headers': mirrorArguments,
  'http-invalid-tool-headers': leaveOutTools,
  'json-schema-ref-no-deref': leaveReferences,
  'json-schema-2020-12-preservation': handBackSchema,
};

const run = SCENARIOS[scenario] ?? (scenario.startsWith('auth/') ? useTool : undefined);
ok(run !== undefined, `no such scenario here: ${scenario}`);
const refused = REFUSED[scenario];
const client = connectHttp({
  url,
  ...hooks,
  authProvider: await providerFor(scenario, context, url),
  clientInfo: { name: 'rx-mcp-conformance', version: '1.0.0' },
  onWarn: (warning) => warnings.push(warning),
});
try {
  if (refused !== undefined) {
    const reason = await run(client.promises).then(
      () => undefined,
      (error) => error,
    );
    strictEqual(reason?.problem ?? reason?.status, refused, String(reason));
    console.log(JSON.stringify({ refused: String(reason), warnings: [] }));
  } else {
    await run(client.promises);
    const { era, protocolVersion } = await client.promises.server();
    console.log(
      JSON.stringify({ era, protocolVersion, warnings: warnings.map(({ kind, message }) => `${kind}: ${message}`) }),
    );
  }
} finally {
  await client.close();
}
