// Pages in a real browser: any chromium of the machine.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Starts one; whoever starts it closes it. */
export const openBrowser = () => {
  const executablePath = process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error('there is no chromium: install it, or name it in CHROMIUM');
  // Who runs as root, as containers do, has no sandbox.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
};

/** Opens a page, and hands it to `visit`; what the page complains about is an error. */
export const visitPage = async (browser, url, visit) => {
  const page = await browser.newPage();
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !message.location().url.endsWith('/favicon.ico'))
      complaints.push(message.text());
  });
  try {
    await page.goto(url);
    await visit(page);
  } catch (error) {
    throw new Error([`${url}: ${error.message}`, ...complaints].join('\n  '), { cause: error });
  } finally {
    await page.close();
  }
  if (complaints.length > 0) throw new Error(`${url} complained:\n  ${complaints.join('\n  ')}`);
};
