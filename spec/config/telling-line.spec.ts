import { describe, expect, it } from '@jest/globals';
import { tellingLine } from '../../src/config/telling-line.js';

const NODE = `node:internal/modules/cjs/loader:1228
  throw err;
  ^

Error: Cannot find module '/srv/nosuch.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2`;

const NPM = `npm error code E404
npm error 404 Not Found - GET https://registry.example/nope
npm error 404  'nope@*' is not in this registry.
npm error
npm error A complete log of this run can be found in: /root/.npm/_logs/1.log`;

describe('the line that says most', () => {
  it.each([
    ['of a module that is not there', NODE, "Error: Cannot find module '/srv/nosuch.js'"],
    ['of Node with a code', 'TypeError [ERR_X]: no\n    at y\n\nNode.js v22.0.0', 'TypeError [ERR_X]: no'],
    ['of Python', 'Traceback (most recent call last):\n  File "x"\nKeyError: TOKEN', 'KeyError: TOKEN'],
    ['of npm', NPM, 'npm error 404 Not Found - GET https://registry.example/nope'],
    ['of a server that says it plainly', 'starting\nAPI_KEY is missing\n\n', 'API_KEY is missing'],
    ['of a stack alone', '    at a\n}\n\nNode.js v20.0.0', 'Node.js v20.0.0'],
    ['of nothing', ' \n', ''],
  ])('is found in what stderr has: %s', (_of, text, line) => {
    expect(tellingLine(text.split('\n'))).toBe(line);
  });

  it('takes no time to speak of, however long a line is', () => {
    const line = `${'a.'.repeat(30_000)}${' '.repeat(30_000)}x`;
    expect(tellingLine([line])).toBe(line);
  });
});
