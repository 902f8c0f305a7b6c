// The page of `examples/web`, as it is seen, and as it is told to whoever does not see it.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DemoServer } from '../../examples/web/server/demo-server.js';
import { DemoPage } from '../support/browser/demo-page.js';
import { type Files, serveFiles } from '../support/browser/files.js';
import { faint, nameless, unreachable } from '../support/browser/looks.js';

let files: Files;
let demo: DemoServer;

beforeAll(async () => {
  files = await serveFiles('examples/web/dist/page');
  demo = new DemoServer();
  await demo.start();
});

afterAll(() => Promise.all([files.close(), demo.close()]));

describe.each(['light', 'dark'] as const)('the page in %s colours', (colorScheme) => {
  it('stands out from what is behind it, has a name for all that is used, and a way to all that scrolls', async () => {
    const one = await DemoPage.open(files.url, { colorScheme, viewport: { width: 1200, height: 1000 } });
    const looks = async (): Promise<readonly string[]> => [
      ...(await faint(one.page)),
      ...(await unreachable(one.page)),
      ...(await nameless(one.page)),
    ];
    expect(await looks()).toEqual([]);
    await one.connect(demo.urls.legacy);
    await one.page
      .locator('#tools details')
      .evaluateAll((all: HTMLDetailsElement[]) => all.forEach((item) => (item.open = true)));
    // With more lines than fit, and one that runs on.
    await one.call('develop', { film: 'market', frames: '150', paceMs: '0' });
    await one.card('"market"', 'done');
    await one.call('develop', { film: 'pier', frames: '100000', paceMs: '200' });
    await one.says(one.cards('"pier"'), /frame [1-9]/);
    await one.call('mutter');
    await one.card('Mutter', 'done');
    await one.call('overexpose');
    await one.card('Overexpose', 'failed');
    await one.call('contact_sheet');
    await one.card('Contact sheet', 'done');
    await one.page.locator('#wire summary').first().click();
    expect(await looks()).toEqual([]);
    await one.cards('"pier"').getByRole('button', { name: 'Cancel' }).click();
    await one.card('"pier"', 'cancelled');
    for (const tool of ['order', 'sign_release']) {
      await one.call(tool);
      await one.dialog.locator('.accept:enabled').waitFor();
      expect(await looks()).toEqual([]);
      await one.page.keyboard.press('Escape');
      await one.dialog.waitFor({ state: 'detached' });
    }
    await demo.stop();
    await one.page.locator('#status [data-state="reconnecting"], #status [data-state="failed"]').waitFor();
    expect(await looks()).toEqual([]);
    await demo.start();
    expect(one.complaints).toEqual([]);
  });
});
