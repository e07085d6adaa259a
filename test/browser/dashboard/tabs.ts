import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Served } from '../../service/dashboard/served.ts';
import { openChromium } from '../chromium.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Tabs that anything could be from anything else. */
const MOST_TABS = 200;

export interface DashboardTabs {
  /** What a page should not do, as it does it: errors on its console or thrown, dialogs, requests to others. */
  readonly faults: string[];
  /** A browser of its own, with the cookie. */
  readonly opened: (options?: BrowserContextOptions) => Promise<BrowserContext>;
  /** A tab at an address after the `#`, by default of the browser that all tests share. */
  readonly at: (hash: string, within?: BrowserContext) => Promise<Page>;
}

/** For the tests of one `describe`: a dashboard in a browser. */
export function dashboardTabs(served: Served): DashboardTabs {
  let browser: Browser;
  let context: BrowserContext;
  const faults: string[] = [];
  const opened = async (options: BrowserContextOptions = {}): Promise<BrowserContext> => {
    const made = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    made.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) faults.push(`${message.text()} ${message.location().url}`);
    });
    made.on('weberror', (error) => faults.push(error.error().message));
    made.on('dialog', (dialog) => {
      faults.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    made.on('request', (request) => {
      if (!request.url().startsWith(served.origin)) faults.push(`request: ${request.url()}`);
    });
    const page = await made.newPage();
    await page.goto(served.url);
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    await page.close();
    return made;
  };
  beforeAll(async () => {
    browser = await openChromium();
    context = await opened();
  });
  // Those of a test that failed are not the next one's.
  beforeEach(() => { faults.length = 0; });
  afterAll(async () => {
    await browser.close();
  });
  return {
    faults, opened,
    async at(hash, within = context) {
      const page = await within.newPage();
      await page.goto(`${served.origin}/${hash}`);
      return page;
    },
  };
}

/** What axe-core finds, a line for each rule; and a page that is wider than its window. */
export async function barriersOn(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate<string[]>(`axe.run(document).then(({ violations }) => [
    ...violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')),
    ...(document.documentElement.scrollWidth > innerWidth ? ['wider than the window'] : []),
  ])`);
}

/** Presses Tab until the focus is there. @throws Error if it never is. */
export async function tabTo(page: Page, there: Locator): Promise<void> {
  await there.waitFor();
  for (let i = 0; i < MOST_TABS; i++) {
    if (await there.and(page.locator(':focus')).count() > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the focus never reaches ${String(there)}`);
}
