// `npm run demo:web`, but for the build: one command starts the page and its server, and ends both.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from '@jest/globals';
import { DemoPage } from '../support/browser/demo-page.js';

let child: ChildProcess | undefined;

afterEach(() => {
  child?.kill('SIGKILL');
});

describe('the demo in a browser', () => {
  it('starts a page that offers its two servers, and ends with both at a signal', async () => {
    // Any page port that is free: the next one is taken where it is not.
    child = spawn(process.execPath, ['--import', 'tsx', 'examples/web/main.ts'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const closed = once(child, 'close');
    const said: Record<string, string> = {};
    for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
      const [, what = '', url = ''] = /^(page|modern server|legacy server): +(\S+)$/.exec(line) ?? [];
      if (what !== '') said[what] = url;
      if (Object.keys(said).length === 3) break;
    }
    const one = await DemoPage.open(String(said['page']));
    const offered = await one.page
      .locator('#servers option')
      .evaluateAll((all) => all.map((item) => item.getAttribute('value')));
    expect(offered).toEqual([said['modern server'], said['legacy server']]);
    // The first is filled in, and connected to: no click is needed.
    await one.says(one.state, 'connected, modern era');
    await one.call('develop', { frames: '2', paceMs: '1' });
    const card = await one.card('harbour', 'done');
    await one.page.getByRole('button', { name: 'Demo server, legacy' }).click();
    await one.says(one.state, 'connected, legacy era');
    // What was called before stays, and says whose it is.
    await one.says(card, String(said['modern server']).replace('http://', 'at '));
    await one.call('develop', { film: 'winter', frames: '2', paceMs: '1' });
    await one.says(await one.card('winter', 'done'), String(said['legacy server']).replace('http://', 'at '));
    expect(one.complaints).toEqual([]);
    child.kill('SIGTERM');
    // It ends by itself, with the exit code that stands for the signal.
    expect(await closed).toEqual([143, null]);
  });
});
