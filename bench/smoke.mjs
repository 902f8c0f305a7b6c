// Has every client of every row do next to nothing, in one process, to see that each can: `npm run build && npm run bench:smoke`.
// Measures nothing; ends with 1 where one cannot.
import { readCommandLine, refuse } from '../scripts/support/command-line.mjs';
import { rows } from './scenarios/index.mjs';
import { chosen } from './support/arguments.mjs';
import { smoke } from './support/smoke.mjs';

const usage = 'npm run bench:smoke -- [names]   (rows, by the beginning of their names; all without)';

const { positionals: names } = readCommandLine({ allowPositionals: true }, usage);
const plan = chosen(rows, { names });
if (plan.length === 0) refuse(`there is no row '${names.join(' ')}'\n\n${usage}`);
const wrong = await smoke(plan);
for (const line of wrong) console.error(line);
const cells = plan.reduce((sum, { clients }) => sum + clients.length, 0);
console.log(`${cells} cells, ${wrong.length} of which cannot be filled`);
// What a client left behind does not keep this waiting.
process.exit(cells > 0 && wrong.length === 0 ? 0 : 1);
