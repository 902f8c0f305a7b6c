// Meets one server of the fleet, in a process of its own, so that whatever goes wrong here ends here. Reads the order
// as JSON from stdin, writes what it saw as one JSON line, and then ends by itself: it never calls `process.exit`, so
// that a handle the client leaves open shows.
import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { marked, ownChildren } from './processes.mjs';

const readOrder = async () => {
  let text = '';
  for await (const chunk of process.stdin) text += chunk;
  return JSON.parse(text);
};

const describe = (error) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

/** The value, or what went wrong, under a clock of ours: the client's own clocks are among what is tried. */
const within = async (ms, what, promise) => {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not end within ${ms} ms`)), ms);
  });
  try {
    return { value: await Promise.race([promise, late]) };
  } catch (error) {
    return { error: describe(error) };
  } finally {
    clearTimeout(timer);
  }
};

const alarms = [];
process.on('uncaughtException', (error) => alarms.push(`uncaught ${describe(error)}`));
process.on('unhandledRejection', (error) => alarms.push(`unhandled ${describe(error)}`));

const order = await readOrder();
const { connectStdio } = await import(pathToFileURL(order.client).href);
const report = { warnings: {} };
const started = performance.now();
const mcp = connectStdio(order.parameters);
mcp.warnings$?.subscribe({
  next: (warning) => {
    const kind = warning?.kind ?? 'warning';
    report.warnings[kind] = (report.warnings[kind] ?? 0) + 1;
  },
  error: (error) => alarms.push(`warnings$ errored: ${describe(error)}`),
});
const ask = (name) => within(order.timeoutMs, name, mcp.promises[name]());

const server = await ask('server');
if (server.error === undefined) {
  report.era = server.value.era;
  report.version = server.value.protocolVersion;
  report.info = server.value.info;
  const answers = {};
  for (const name of ['listTools', 'listPrompts', 'listResources']) answers[name] = await ask(name);
  report.tools = answers.listTools.value?.length;
  report.toolsError = answers.listTools.error;
  report.prompts = answers.listPrompts.value?.length;
  report.promptsError = answers.listPrompts.error;
  report.resources = answers.listResources.value?.length;
  report.resourcesError = answers.listResources.error;
} else {
  report.serverError = server.error;
}
report.ms = Math.round(performance.now() - started);

// What a server starts is in its group, unless it takes care to leave it: no client can end what left.
const groups = ownChildren()?.map(({ group }) => group) ?? [];
const closing = performance.now();
report.closeError = (await within(order.timeoutMs, 'close', mcp.close())).error;
report.closeMs = Math.round(performance.now() - closing);
// At this moment, while this process still lives: what ends only because its client ended was left behind.
report.left = marked(order.trace)?.map(({ pid, group, command }) => ({
  pid,
  command,
  detached: !groups.includes(group),
}));
report.alarms = alarms;
writeSync(1, `${JSON.stringify(report)}\n`);
