import type { Page } from 'playwright-core';
import type * as rx from 'rxjs';
import type * as mcp from '../../../src/index.js';
import { openContext } from './chromium.js';

/** What a function has that runs in the page: the built package, and rxjs. */
export interface Library {
  readonly mcp: typeof mcp;
  readonly rx: typeof rx;
  /** What one function leaves for the next. */
  readonly kept: {
    client: mcp.McpClient;
    readonly seen: unknown[];
    pending: Promise<unknown>;
    running: rx.Subscription;
  };
}

/** A page that holds the built package. */
export interface LibraryPage {
  readonly page: Page;
  /** Runs a function in the page. It sees nothing of the spec but `given`; what it returns comes back as JSON does. */
  run<A, R>(work: (library: Library, given: A) => R | Promise<R>, given: A): Promise<R>;
  /** Uncaught errors, and what the policy of the page kept it from: it allows no eval. */
  readonly complaints: readonly string[];
}

/** Opens a page that holds the built package. */
export const openLibrary = async (url: string): Promise<LibraryPage> => {
  const page = await (await openContext()).newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text());
  });
  await page.goto(url);
  await page.waitForFunction(() => 'library' in globalThis);
  return {
    page,
    complaints,
    run: <A, R>(work: (library: Library, given: A) => R | Promise<R>, given: A) =>
      page.evaluate<R>(`(${work.toString()})(globalThis.library, ${JSON.stringify(given)})`),
  };
};
