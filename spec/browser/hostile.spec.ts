// The page of `examples/web` before servers that mean it ill, or that err.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DemoPage } from '../support/browser/demo-page.js';
import { type Files, serveFiles } from '../support/browser/files.js';
import { type PageServerOptions, pageServer } from '../support/browser/page-server.js';

const tool = (name: string, properties: object = {}, more: object = {}): object => ({
  name,
  inputSchema: { type: 'object', properties },
  ...more,
});
const TEXT = { x: { type: 'string' } };

let files: Files;
let opened: DemoPage | undefined;

beforeAll(async () => {
  files = await serveFiles('examples/web/dist/page');
});

afterAll(() => files.close());

afterEach(() => {
  expect(opened?.complaints).toEqual([]);
  opened = undefined;
});

const open = async (): Promise<DemoPage> => (opened = await DemoPage.open(files.url));

const visit = async (options: PageServerOptions) => {
  const server = await pageServer(options);
  const one = await open();
  await one.connect(server.url);
  return { one, server };
};

describe('a token', () => {
  it('goes to the server it was typed for, whatever is typed afterwards', async () => {
    const server = await pageServer({ tools: [tool('a')] });
    const one = await open();
    const token = one.page.getByLabel('Token');
    await token.fill('secret-a');
    await one.connect(server.url);
    await one.page.getByRole('combobox', { name: 'Server' }).fill('https://bank.example/mcp');
    await token.fill('secret-b');
    await one.call('a');
    await one.card('a', 'done');
    await token.fill('');
    await one.call('a');
    await one.page.locator('#calls article[data-status="done"]').nth(1).waitFor();
    expect([...new Set(server.authorizations)]).toEqual(['Bearer secret-a']);
  });
});

describe('a URL', () => {
  it('that is none of a server is said to be none, and the next one is connected with', async () => {
    const one = await open();
    for (const url of ['ftp://example.com/mcp', 'mailto:a@example.com', 'https://a:b@example.com/mcp']) {
      await one.ask(url);
      await one.page.locator('#status [data-state="failed"]').waitFor();
    }
    await one.connect((await pageServer({ tools: [tool('a')] })).url);
    await one.says(one.state, 'connected');
    expect(one.page.url()).toBe(files.url);
  });
});

describe('a server that describes itself in an odd way', () => {
  it('is shown as far as it can be, and so is the next one', async () => {
    const one = await open();
    for (const info of [
      { name: 'n', version: '1', icons: [null] },
      { name: 'n', version: '1', icons: 'x' },
      { name: 5, version: null, title: {} },
      { name: 'n'.repeat(200_000), version: '1' },
    ]) {
      const { url } = await pageServer({ tools: [tool('a')], info });
      await one.connect(url);
      await one.says(one.page.locator('#status .about'), url);
      expect((await one.page.locator('#status .about').textContent())?.length).toBeLessThan(5_000);
    }
  });
});

describe('a tool that makes no sense', () => {
  it('takes no other one from the list', async () => {
    const names = ['addEventListener', 'append', 'submit', 'children', '__proto__', 'method'];
    const tools = [
      tool('good', TEXT),
      ...names.map((name) => tool(`has ${name}`, JSON.parse(`{"${name}":{"type":"string"}}`) as object)),
      ...[{ annotations: null }, { icons: 'x' }, { icons: [null] }, { title: 5 }, { description: { a: 1 } }].map(
        (more) => tool(`is ${JSON.stringify(more).replaceAll('"', '')}`, TEXT, more),
      ),
    ];
    const { one, server } = await visit({ tools });
    expect(await one.tools()).toHaveLength(tools.length);
    // A form is made when somebody wants it.
    expect(await one.page.locator('#tools form').count()).toBe(0);
    for (const name of names) await one.call(`has ${name}`, { [name]: 'v' });
    for (const { name } of tools.filter((one) => !names.includes((one as { name: string }).name.slice(4))) as {
      name: string;
    }[])
      await one.call(name, { x: 'v' });
    await one.page
      .locator('#calls article[data-status="done"]')
      .nth(tools.length - 1)
      .waitFor();
    expect(server.calls.slice(0, names.length).map((args) => Object.entries(args))).toEqual(
      names.map((name) => [[name, 'v']]),
    );
  });

  it('leaves the focus where it is as the list changes', async () => {
    const { one, server } = await visit({ tools: ['a', 'b', 'c'].map((name) => tool(name, TEXT)) });
    await one.tool('b').locator('summary').click();
    const field = one.tool('b').locator('input');
    await field.fill('half');
    server.change([tool('b', TEXT), tool('c', TEXT)]);
    await one.tool('a').waitFor({ state: 'detached' });
    expect(await one.hasFocus(field)).toBe(true);
    server.change([tool('d'), tool('c', TEXT), tool('b', TEXT)]);
    await one.tool('d').waitFor();
    expect([await one.tools(), await one.hasFocus(field), await field.inputValue()]).toEqual([
      ['d', 'c', 'b'],
      true,
      'half',
    ]);
  });
});

describe('a question', () => {
  const URL_ASKED = { mode: 'url', elicitationId: '1', message: 'm' };

  it('takes nothing that somebody types elsewhere for consent', async () => {
    let ask: () => void = () => undefined;
    const wanted = new Promise<void>((resolve) => {
      ask = resolve;
    });
    const { one } = await visit({
      tools: [tool('go'), tool('note', TEXT)],
      call: async ({ ask: put }) => {
        await wanted;
        const answer = await put({ ...URL_ASKED, url: 'https://evil.example/steal' });
        return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
      },
    });
    // How the button is at the moment when it is there.
    await one.page.evaluate(() => {
      const seen: boolean[] = [];
      Object.assign(globalThis, { seen });
      new MutationObserver(() => {
        const accept = document.querySelector<HTMLButtonElement>('dialog .accept');
        if (accept !== null && seen.length === 0) seen.push(accept.disabled);
      }).observe(document.body, { childList: true });
    });
    await one.call('go');
    await one.tool('note').locator('summary').click();
    await one.tool('note').locator('input').focus();
    ask();
    while ((await one.dialog.count()) === 0) await one.page.keyboard.press('w');
    expect(await one.page.evaluate(() => (globalThis as unknown as { seen: boolean[] }).seen)).toEqual([true]);
    for (const key of ['Space', 'Enter', 'w']) await one.page.keyboard.press(key);
    expect(await one.hasFocus(one.dialog.getByRole('heading'))).toBe(true);
    // It can be accepted, in time.
    await one.dialog.locator('.accept:enabled').waitFor();
    for (const key of ['Space', 'Enter', 'w']) await one.page.keyboard.press(key);
    expect([await one.dialog.count(), one.context.pages().length]).toEqual([1, 1]);
    await one.dialog.getByRole('button', { name: 'Decline' }).click();
    await one.says(await one.card('go', 'done'), '"action":"decline"');
  });

  it('is answered by what a person left, not by what was filled in', async () => {
    const properties = {
      addEventListener: { type: 'string', default: 'x' },
      line: { type: 'string', default: 'x', minLength: 1 },
      size: { type: 'string', enum: ['s', 'l'], default: 's' },
      copies: { type: 'integer', default: 1 },
      extras: { type: 'array', items: { type: 'string', enum: ['card'] }, default: ['card'] },
      gift: { type: 'boolean', default: true },
      kept: { type: 'string', default: 'kept' },
    };
    const { one } = await visit({
      tools: [tool('go')],
      call: async ({ ask }) => {
        const answer = await ask({ message: 'm', requestedSchema: { type: 'object', properties } });
        return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
      },
    });
    await one.call('go');
    const { dialog } = one;
    await dialog.getByLabel('addEventListener').fill('');
    await dialog.getByLabel('line').fill('');
    await dialog.getByLabel('size').selectOption({ index: 0 });
    await dialog.getByLabel('copies').fill('');
    await dialog.getByLabel('card').uncheck();
    await dialog.getByLabel('gift').uncheck();
    await dialog.getByRole('button', { name: 'Send' }).click();
    const answer = '{"action":"accept","content":{"addEventListener":"","extras":[],"gift":false,"kept":"kept"}}';
    await one.says(await one.card('go', 'done'), answer);
  });

  it('shows the URL that it will open, and says why it does not show one', async () => {
    const { one } = await visit({
      tools: [tool('go', { url: { type: 'string' } })],
      call: async ({ ask, args }) => {
        const answer = await ask({ ...URL_ASKED, url: args['url'] });
        return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
      },
    });
    for (const [url, host] of [
      ['https://EXAMPLE.com/login', 'example.com'],
      ['https://s/x', 's'],
      ['https://evil.example/\u202emoc.elgoog', 'evil.example'],
    ] as const) {
      await one.call('go', { url });
      await one.says(one.dialog.locator('mark'), host);
      expect([await one.dialog.locator('.url').textContent(), await one.dialog.locator('mark').textContent()]).toEqual([
        new URL(url).href,
        host,
      ]);
      await one.page.keyboard.press('Escape');
      await one.dialog.waitFor({ state: 'detached' });
    }
    await one.call('go', { url: 'javascript:alert(1)' });
    await one.says(one.page.getByRole('list', { name: 'What was refused' }), 'neither https nor http on loopback');
  });
});

describe('a server that says much', () => {
  const log = (data: unknown): object => ({ method: 'notifications/message', params: { level: 'info', data } });
  const lines = Array.from({ length: 3_000 }, (_, at) => log(`line ${at}`));

  it('has the page laid out once for each frame of the screen, and the last of it kept', async () => {
    const { one, server } = await visit({
      tools: [tool('a')],
      call: ({ say }) => {
        for (const line of lines) say(line);
        return { content: [] };
      },
    });
    const profile = await one.context.newCDPSession(one.page);
    await profile.send('Performance.enable');
    const layouts = async (): Promise<number> =>
      (await profile.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'LayoutCount')?.value ?? NaN;
    const before = await layouts();
    await server.say(...lines);
    await one.says(one.page.locator('#wire'), /3\d\d\d frames, of which the last 500 are here/);
    // Each frame by itself made two.
    expect((await layouts()) - before).toBeLessThan(1_500);
    expect(await one.page.locator('#wire .frames > li').count()).toBe(500);
    await one.call('a');
    const card = await one.card('a', 'done');
    expect(await card.locator('.logs li').count()).toBeLessThanOrEqual(500);
    await one.says(card.locator('.logs'), 'line 2999');
    expect(await card.getByText('Earlier lines are left out.').isVisible()).toBe(true);
  });

  it('is shown no more of a text than can be read', async () => {
    const { one } = await visit({
      tools: [tool('a')],
      call: () => ({ content: [{ type: 'text', text: 'word '.repeat(100_000) }] }),
    });
    await one.call('a');
    const text = (await one.card('a', 'done')).locator('.text');
    await one.says(text, '400,000 more characters');
    expect((await text.textContent())?.length).toBeLessThan(101_000);
  });
});

describe('a result that is not as it should be', () => {
  it('is shown block by block, with where its links lead', async () => {
    const content = [
      { type: 'resource_link', uri: 'https://paypal.com@evil.example/x', name: 'Your bank' },
      { type: 'resource_link', uri: 'https://evil.example/x', name: 'Your other bank' },
      { type: 'resource_link', uri: 'https://evil.example/\u202egnp.exe', name: 'a\u202eb' },
      { type: 'resource_link', uri: 'https://evil.example/' },
      { type: 'resource' },
      { type: 'resource', resource: 'x' },
      { type: 'text' },
      { type: 'hologram' },
      { type: 'text', text: 'the last' },
    ];
    const { one } = await visit({ tools: [tool('a')], call: () => ({ content }) });
    await one.call('a');
    const blocks = (await one.card('a', 'done')).locator('.result > *');
    await one.says(blocks.last(), 'the last');
    expect((await blocks.allTextContents()).map((words) => words.trim())).toEqual([
      'Your bank (https://paypal.com@evil.example/x)',
      'Your other bank (evil.example)',
      'a\u202eb (evil.example)',
      'a link without a name (evil.example)',
      'Not as it should be: resource',
      'Not as it should be: resource',
      'Not as it should be: text',
      'What cannot be shown here: hologram',
      'the last',
    ]);
    expect(await blocks.nth(0).locator('a').count()).toBe(0);
    // What turns letters around turns none but its own.
    expect(await blocks.nth(2).locator('a > bdi').count()).toBe(1);
  });
});
