import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openBrowser } from '../../../src/cli/ask/open-browser.js';
import { appears } from '../../support/child-processes.js';

const itOnLinux = process.platform === 'linux' ? it : it.skip;

describe('openBrowser', () => {
  itOnLinux('hands the URL on as one argument, whatever is in it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rx-mcp-browser-'));
    try {
      const note = join(folder, 'note');
      writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nprintf '%s|' "$@" > ${note}.part\nmv ${note}.part ${note}\n`);
      chmodSync(join(folder, 'xdg-open'), 0o755);
      const env = { PATH: `${folder}:/usr/bin:/bin` };
      const url = 'https://example.com/?a=$(touch%20x)&b=`id`;c';
      expect(await openBrowser(url, { env, platform: 'linux' })).toBe(true);
      await appears(note);
      expect(readFileSync(note, 'utf8')).toBe(`${new URL(url).href}|`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  itOnLinux('says so where the program cannot', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rx-mcp-browser-'));
    try {
      writeFileSync(join(folder, 'xdg-open'), '#!/bin/sh\nexit 3\n');
      chmodSync(join(folder, 'xdg-open'), 0o755);
      expect(await openBrowser('https://example.com', { env: { PATH: folder }, platform: 'linux' })).toBe(false);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('says so where there is none', async () => {
    expect(await openBrowser('https://example.com', { env: { PATH: '/nowhere' }, platform: 'linux' })).toBe(false);
  });

  it.each(['file:///etc/passwd', 'javascript:alert(1)', 'ftp://example.com', 'no url', '--help'])(
    'never opens %s',
    async (url) => {
      expect(await openBrowser(url, { env: process.env, platform: 'linux' })).toBe(false);
    },
  );
});
