import { existsSync } from 'node:fs';
import { afterAll, afterEach } from '@jest/globals';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

let browser: Promise<Browser> | undefined;
const contexts = new Set<BrowserContext>();

const launch = (): Promise<Browser> => {
  const executablePath = process.env['CHROMIUM'] ?? PLACES.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error('there is no chromium: install it, or name it in CHROMIUM');
  // Who runs as root, as containers do, has no sandbox.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
};

/** A profile of its own in the one browser of a spec file; closed after its spec. */
export const openContext = async (options: BrowserContextOptions = {}): Promise<BrowserContext> => {
  const context = await (await (browser ??= launch())).newContext(options);
  contexts.add(context);
  return context;
};

afterEach(async () => {
  await Promise.all([...contexts].map((context) => context.close()));
  contexts.clear();
});

afterAll(async () => {
  await (await browser)?.close();
});
