import type { BrowserContext, Locator, Page } from 'playwright-core';
import { openContext } from './chromium.js';

type Status = 'running' | 'done' | 'failed' | 'cancelled' | 'lost';

/** What the browser itself says about a server that is away. */
const ABOUT_THE_NETWORK = /net::ERR_|Failed to load resource/;

/** The page of `examples/web`, as somebody sits before it. */
export class DemoPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the page complained about: uncaught errors, and what its policy kept it from. */
  readonly complaints: string[] = [];

  private constructor(page: Page, context: BrowserContext) {
    this.page = page;
    this.context = context;
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => {
      const text = message.text();
      if (message.type() === 'error' && !ABOUT_THE_NETWORK.test(text)) this.complaints.push(text);
    });
  }

  /** Opens it in a browser that has never been there. */
  static async open(url: string, options: Parameters<typeof openContext>[0] = {}): Promise<DemoPage> {
    const context = await openContext(options);
    const page = await context.newPage();
    const opened = new DemoPage(page, context);
    await page.goto(url);
    return opened;
  }

  /** Types the URL of a server, and connects. Resolves when its tools are there. */
  async connect(server: string): Promise<void> {
    await this.ask(server);
    await this.page.locator('[data-tool]').first().waitFor();
  }

  /** Types the URL of a server, and asks for it. */
  async ask(server: string): Promise<void> {
    await this.page.getByRole('combobox', { name: 'Server' }).fill(server);
    await this.page.getByRole('button', { name: 'Connect', exact: true }).click();
  }

  /** How the connection is said to be. */
  get state(): Locator {
    return this.page.locator('#status [role=status]');
  }

  /** A tool in the list. */
  tool(name: string): Locator {
    return this.page.locator(`[data-tool="${name}"]`);
  }

  /** The names of the tools, as they stand in the list. */
  tools(): Promise<readonly (string | null)[]> {
    return this.page.locator('[data-tool]').evaluateAll((items) => items.map((item) => item.getAttribute('data-tool')));
  }

  /** Opens a tool, fills in its form, and calls it. */
  async call(name: string, fields: Readonly<Record<string, string>> = {}): Promise<void> {
    const tool = this.tool(name);
    if (!(await tool.locator('form').isVisible())) await tool.locator('summary').click();
    for (const [field, value] of Object.entries(fields)) await tool.locator(`[name="${field}"]`).fill(value);
    await tool.getByRole('button', { name: 'Call' }).click();
  }

  /** The cards of the calls whose arguments contain a text, the newest first. */
  cards(text: string): Locator {
    return this.page.locator('#calls article').filter({ hasText: text });
  }

  /** The newest card with a text, as soon as its call has come to this. */
  async card(text: string, status: Status): Promise<Locator> {
    const card = this.cards(text).first();
    await this.page.locator(`#calls article[data-status="${status}"]`).filter({ hasText: text }).first().waitFor();
    return card;
  }

  /** The question that is asked at the moment. */
  get dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  /** What the frames of the wire are, in order. */
  frames(): Promise<readonly string[]> {
    return this.page
      .locator('#wire li')
      .evaluateAll((items) => items.map((item) => item.querySelector('summary > span:last-child')?.textContent ?? ''));
  }

  /** Resolves as soon as an element has a text in it. */
  async says(element: Locator, text: string | RegExp): Promise<void> {
    await element.filter({ hasText: text }).first().waitFor({ state: 'attached' });
  }

  /** Whether what has the focus is this. */
  hasFocus(element: Locator): Promise<boolean> {
    return element.evaluate((one) => one === document.activeElement);
  }
}
