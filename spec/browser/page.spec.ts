// The page of `examples/web`, built on the built package, in a real browser: its whole story, in each era.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { DemoServer } from '../../examples/web/server/demo-server.js';
import { DemoPage } from '../support/browser/demo-page.js';
import { type Files, serveFiles } from '../support/browser/files.js';

const ENDLESS = { frames: '100000', paceMs: '20' };

let files: Files;
let demo: DemoServer;
let opened: DemoPage | undefined;

beforeAll(async () => {
  files = await serveFiles('examples/web/dist/page');
});

afterAll(() => files.close());

beforeEach(async () => {
  demo = new DemoServer();
  await demo.start();
});

afterEach(async () => {
  expect(opened?.complaints).toEqual([]);
  opened = undefined;
  await demo.close();
});

const valueNow = async (card: Locator): Promise<number> =>
  Number(await card.getByRole('progressbar').getAttribute('aria-valuenow'));

describe.each([
  ['modern', '2026-07-28', 'server/discover'],
  ['legacy', '2025-11-25', 'initialize'],
] as const)('the page, with a server of the %s era', (era, version, first) => {
  const visit = async (options: Parameters<typeof DemoPage.open>[1] = {}): Promise<DemoPage> => {
    opened = await DemoPage.open(files.url, options);
    await opened.connect(demo.urls[era]);
    return opened;
  };

  it('says whom it talks to, in which era and version, and shows every frame', async () => {
    const one = await visit();
    await one.says(one.state, `connected, ${era} era`);
    const about = one.page.locator('#status .about');
    for (const fact of ['The darkroom 1.0.0', demo.urls[era], version, 'Mind the light.']) await one.says(about, fact);
    await about.locator('img.icon').waitFor();
    expect(await one.tools()).toEqual([
      ...['develop', 'contact_sheet', 'overexpose', 'mutter', 'order', 'sign_release', 'annex', 'leave'],
    ]);
    const frames = await one.frames();
    expect(frames.some((frame) => frame.includes(first))).toBe(true);
    expect(frames.some((frame) => frame.includes('tools/list'))).toBe(true);
    const opening = one.page.locator('#wire details').filter({ hasText: first }).first();
    await opening.locator('summary').click();
    await one.says(opening.locator('pre'), '"rx-mcp-page"');
  });

  it('makes a form of the schema of a tool, which takes no call that does not fit', async () => {
    const one = await visit();
    const tool = one.tool('develop');
    await tool.locator('summary').click();
    const types = await tool
      .locator('input, select, textarea')
      .evaluateAll((all) =>
        all.map((field) => `${(field as HTMLInputElement).name}: ${(field as HTMLInputElement).type}`),
      );
    expect(types).toEqual(['film: text', 'frames: number', 'paceMs: number', 'bath: select-one', 'dry: checkbox']);
    const frames = tool.getByLabel('frames');
    expect(await frames.inputValue()).toBe('24');
    const hint = await frames.getAttribute('aria-describedby');
    expect(await tool.locator(`#${String(hint)}`).textContent()).toBe('How many there are');
    await frames.fill('0');
    await tool.getByRole('button', { name: 'Call' }).click();
    expect(await frames.evaluate((input: HTMLInputElement) => input.validity.rangeUnderflow)).toBe(true);
    expect(await one.page.locator('#calls article').count()).toBe(0);
    await one.call('develop', { frames: '3', paceMs: '0' });
    await tool.getByLabel('bath').selectOption('used');
    await tool.getByLabel('dry').uncheck();
    await one.call('develop', { film: 'winter' });
    await one.says(
      await one.card('winter', 'done'),
      '{"film":"winter","frames":3,"paceMs":0,"bath":"used","dry":false}',
    );
    await one.says(await one.card('harbour', 'done'), 'harbour: 3 frames, dry');
  });

  it('runs calls beside each other, each with its bar, its log and its time, and gives one of them up', async () => {
    const one = await visit({ viewport: { width: 1200, height: 1000 } });
    await one.call('develop', { film: 'market', ...ENDLESS });
    await one.call('develop', { film: 'pier', ...ENDLESS });
    const [market, pier] = [one.cards('market').first(), one.cards('pier').first()];
    for (const card of [market, pier]) {
      await one.says(card, /frame [1-9]\d* of 100000/);
      await one.says(card.getByRole('list'), '10 frames are done');
      expect(await card.getByRole('progressbar').getAttribute('aria-valuemax')).toBe('100000');
      expect(await valueNow(card)).toBeGreaterThan(0);
      await one.says(card.locator('.elapsed'), /^(?!0\.0 s)/);
    }
    // Each has the log messages of its own.
    for (const [card, other] of [
      [market, 'pier:'],
      [pier, 'market:'],
    ] as const)
      expect((await card.getByRole('listitem').allTextContents()).filter((line) => line.includes(other))).toEqual([]);
    await one.call('contact_sheet');
    await one.card('Contact sheet', 'done');

    const cancel = market.getByRole('button', { name: 'Cancel' });
    await cancel.focus();
    await one.page.keyboard.press('Enter');
    await one.card('market', 'cancelled');
    expect(await one.hasFocus(market.getByRole('heading'))).toBe(true);
    await one.says(one.page.locator('#announcer'), 'Develop a film: cancelled');
    if (era === 'legacy') await one.says(one.page.locator('#wire'), 'notifications/cancelled');

    // The other goes on.
    const before = await valueNow(pier);
    await one.page.waitForFunction(
      ([seen]) =>
        [...document.querySelectorAll('[role=progressbar]')].some(
          (bar) => Number(bar.getAttribute('aria-valuenow')) > Number(seen),
        ),
      [before],
    );
    await one.card('pier', 'running');
    await one.page.getByRole('button', { name: 'Clear those that are over' }).click();
    expect(await one.page.locator('#calls article').count()).toBe(1);
  });

  it('asks by a form in a dialog, which has the focus and gives it back: accepted, declined, cancelled', async () => {
    const one = await visit();
    await one.call('order');
    const { dialog, page } = one;
    await dialog.waitFor();
    await one.says(dialog.getByRole('heading'), 'The darkroom asks');
    await one.says(dialog, 'Whom are the prints for?');
    await one.says(dialog, demo.urls[era]);
    expect(await dialog.evaluate((shown) => shown.contains(document.activeElement))).toBe(true);

    // What does not fit is not sent.
    await dialog.getByLabel('Name').fill('A');
    await dialog.getByLabel('Email').fill('nowhere');
    await dialog.getByRole('button', { name: 'Send' }).click();
    expect(await dialog.locator(':invalid:not(form, fieldset)').count()).toBe(2);
    await dialog.getByLabel('Name').fill('Ada');
    await dialog.getByLabel('Email').fill('ada@example.com');
    await dialog.getByLabel('Size').selectOption({ label: '20 × 30' });
    await dialog.getByLabel('frame').check();
    await dialog.getByLabel('It is a gift').check();
    await dialog.getByRole('button', { name: 'Send' }).click();
    const card = await one.card('Order prints', 'done');
    const answer =
      '{"name":"Ada","email":"ada@example.com","size":"l","copies":1,"extras":["frame","card"],"gift":true}';
    await one.says(card, answer);
    expect(await one.hasFocus(one.tool('order').getByRole('button', { name: 'Call' }))).toBe(true);

    await one.call('order', { film: 'declined' });
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await one.says(await one.card('"declined"', 'done'), 'No prints of declined: decline');
    await one.call('order', { film: 'escaped' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await one.says(await one.card('"escaped"', 'done'), 'No prints of escaped: cancel');
  });

  it('asks one question after another, and withdraws that of a call which is given up', async () => {
    const one = await visit();
    await one.call('order', { film: 'first' });
    await one.dialog.waitFor();
    // Behind the dialog nothing can be clicked.
    await one.page.evaluate(() => {
      const form = document.querySelector<HTMLFormElement>('[data-tool="order"] form');
      const film = form?.querySelector<HTMLInputElement>('[name="film"]');
      if (film) film.value = 'second';
      form?.requestSubmit();
    });
    await one.card('"second"', 'running');
    await one.says(one.cards('"second"'), 'asks');
    expect(await one.dialog.count()).toBe(1);
    await one.cards('"first"').getByRole('button', { name: 'Cancel', includeHidden: true }).dispatchEvent('click');
    await one.card('"first"', 'cancelled');
    await one.dialog.getByLabel('Name').fill('Grace');
    await one.dialog.getByRole('button', { name: 'Send' }).click();
    await one.says(await one.card('"second"', 'done'), 'Prints of second, for {"name":"Grace"');
    await one.dialog.waitFor({ state: 'detached' });
  });

  it('shows a URL before it opens it, in a window that knows nothing of the page', async () => {
    const one = await visit();
    await one.call('sign_release');
    const { dialog } = one;
    await one.says(dialog.locator('.url'), `${new URL(demo.urls[era]).origin}/sign?paper=7`);
    await one.says(dialog.locator('mark'), new URL(demo.urls[era]).host);
    const window$ = one.context.waitForEvent('page');
    await dialog.getByRole('button', { name: 'Open the page' }).click();
    const window = await window$;
    await window.getByRole('heading', { name: 'Signed' }).waitFor();
    expect(await window.evaluate(() => [globalThis.opener, document.referrer])).toEqual([null, '']);
    await window.close();
    await one.says(await one.card('Sign the release', 'done'), 'The release: accept');

    await one.call('sign_release');
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await one.says(one.cards('Sign the release').first(), 'The release: decline');
    expect(one.context.pages()).toHaveLength(1);
  });

  it('shows text, pictures, links and structured data; failures; and log messages of every level', async () => {
    const one = await visit();
    await one.call('contact_sheet');
    const sheet = await one.card('Contact sheet', 'done');
    await one.says(sheet, 'The best frame of harbour');
    const image = sheet.getByRole('img', { name: 'The picture of the result' });
    await image.waitFor();
    await image.evaluate((shown: HTMLImageElement) => shown.decode());
    expect(await image.evaluate((shown: HTMLImageElement) => [shown.naturalWidth, shown.crossOrigin])).toEqual([
      240,
      'anonymous',
    ]);
    await one.says(sheet.locator('.data'), '"keywords"');
    expect(await sheet.getByRole('link', { name: 'the whole film' }).getAttribute('rel')).toBe('noopener noreferrer');

    await one.call('overexpose');
    await one.says(await one.card('Overexpose', 'failed'), 'it saw too much light');
    await one.call('mutter');
    const levels = (await one.card('Mutter', 'done')).locator('[data-level] b');
    expect(await levels.allTextContents()).toEqual([
      ...['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'],
    ]);
  });

  it('follows the list of tools, and takes nothing away from whoever fills in a form', async () => {
    const one = await visit();
    await one.tool('develop').locator('summary').click();
    await one.tool('develop').getByRole('textbox', { name: 'film' }).fill('half-typed');
    await one.call('annex');
    await one.tool('enlarge').waitFor();
    await one.says(one.page.locator('#tools'), '9 tools, live');
    await one.says(one.page.locator('#announcer'), 'New: enlarge');
    await one.call('enlarge', { times: '7' });
    await one.says(await one.card('Enlarge', 'done'), '7 times as large');
    await one.call('annex');
    await one.tool('enlarge').waitFor({ state: 'detached' });
    expect(await one.tool('develop').getByRole('textbox', { name: 'film' }).inputValue()).toBe('half-typed');
  });

  it('says that the server is away and that the call is lost, and comes back by itself', async () => {
    const one = await visit();
    await one.says(one.state, 'connected');
    await one.call('develop', ENDLESS);
    await one.says(one.cards('harbour'), /frame [1-9]/);
    await demo.stop();
    await one.says(await one.card('harbour', 'lost'), 'is unknown');
    await one.page.locator('#status [data-state="reconnecting"], #status [data-state="failed"]').waitFor();
    // Nobody touches the page.
    await demo.start();
    await one.page.locator('#status [data-state="connected"]').waitFor();
    await one.call('contact_sheet');
    await one.card('Contact sheet', 'done');
    await one.call('annex');
    await one.tool('enlarge').waitFor();
  });

  it('says why it cannot connect, and tries again when it is told to', async () => {
    await demo.stop();
    const one = (opened = await DemoPage.open(files.url));
    await one.ask(demo.urls[era]);
    await one.says(one.page.getByRole('alert'), /could not be reached|broke/);
    await one.says(one.state, 'failed');
    await demo.start();
    await one.page.getByRole('button', { name: 'Try again' }).click();
    await one.tool('develop').waitFor();
    await one.says(one.state, 'connected');
    await one.page.getByRole('button', { name: 'Disconnect' }).click();
    await one.says(one.state, 'not connected');
    expect(await one.tools()).toEqual([]);
  });

  it('can be used by the keyboard alone, and has a name for everything that is used', async () => {
    const one = (opened = await DemoPage.open(files.url, {
      colorScheme: 'dark',
      viewport: { width: 1200, height: 1000 },
    }));
    const { keyboard } = one.page;
    await keyboard.press('Tab'); // skip link
    await keyboard.press('Tab');
    await keyboard.insertText(demo.urls[era]);
    await keyboard.press('Enter');
    await one.tool('develop').waitFor();
    // On through era, token and both buttons, to the first tool.
    for (let key = 0; key < 5; key += 1) await keyboard.press('Tab');
    expect(await one.hasFocus(one.tool('develop').locator('summary'))).toBe(true);
    await keyboard.press('Enter');
    // Its form is made when it is opened.
    await one.tool('develop').locator('form input').first().waitFor();
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.press('ControlOrMeta+A');
    await keyboard.insertText('2');
    await keyboard.press('Enter');
    await one.card('harbour', 'done');
    await one.call('contact_sheet');
    await one.card('Contact sheet', 'done');
    await one.page
      .locator('#tools details')
      .evaluateAll((all: HTMLDetailsElement[]) => all.forEach((one) => (one.open = true)));
    const tree = await one.page.locator('body').ariaSnapshot();
    const nameless = tree
      .split('\n')
      .filter((line) => /- (button|textbox|combobox|checkbox|spinbutton|progressbar|dialog)\b(?! ")/.test(line));
    expect(nameless).toEqual([]);
  });
});
