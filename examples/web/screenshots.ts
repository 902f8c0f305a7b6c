// Takes the pictures of the page that are in `docs/`: `npm run docs:web`. Needs chromium, or its path in CHROMIUM.
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { createServer } from 'vite';
import { DemoServer } from './server/demo-server.js';
import { webConfig } from './web-config.js';

const demo = new DemoServer();
await demo.start();
const vite = await createServer({ ...webConfig(demo.urls), logLevel: 'warn' });
await vite.listen();
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});

const call = async (page: Page, tool: string, fields: Readonly<Record<string, string>> = {}): Promise<void> => {
  const item = page.locator(`[data-tool="${tool}"]`);
  if (!(await item.locator('form').isVisible())) await item.locator('summary').click();
  for (const [name, value] of Object.entries(fields)) await item.locator(`[name="${name}"]`).fill(value);
  await item.getByRole('button', { name: 'Call' }).click();
};

const keep = async (page: Page, name: string): Promise<void> => {
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: fileURLToPath(new URL(`../../docs/${name}.png`, import.meta.url)) });
};

for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1200, height: 1000 } });
  await page.goto(vite.resolvedUrls?.local[0] ?? '');
  await page.locator('[data-tool]').first().waitFor();
  await call(page, 'contact_sheet');
  await page.locator('[data-status="done"]').waitFor();
  await page.locator('[data-tool="contact_sheet"] summary').click();
  await call(page, 'develop', { film: 'winter', frames: '60', paceMs: '150' });
  await call(page, 'develop', { film: 'harbour', frames: '24', paceMs: '200' });
  await page.getByText(/^frame 1\d of 24$/).waitFor();
  await keep(page, `web-${colorScheme}`);
  if (colorScheme === 'light') {
    await call(page, 'order');
    await page.getByRole('dialog').waitFor();
    await keep(page, 'web-question');
  }
}

await browser.close();
await vite.close();
await demo.close();
