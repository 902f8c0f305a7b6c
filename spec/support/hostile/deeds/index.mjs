// Every deed by what it does. A deed makes, for one life of the server, what it does at each stage:
// `start`, `discover`, `initialize`, `initialized`, `list`, `listen`, `call` (of the tool `deed`), `before` any other answer, and
// `answered` with what the client answers. What it says nothing of is done as the protocol wants.
import { answers } from './answers.mjs';
import { handshakes } from './handshakes.mjs';
import { lists } from './lists.mjs';
import { messages } from './messages.mjs';
import { processes } from './processes.mjs';
import { results } from './results.mjs';
import { text } from './text.mjs';

export const DEEDS = { ...answers, ...handshakes, ...lists, ...messages, ...processes, ...results, ...text };
