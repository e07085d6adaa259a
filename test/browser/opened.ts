import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { openChromium, openReport, watched } from './chromium.ts';

interface Watched {
  readonly page: Page;
  readonly faults: string[];
}

export type Opened = <T>(html: string, look: (page: Page) => Promise<T>, options?: BrowserContextOptions) => Promise<T>;

/**
 * For the tests of one `describe`: opens a report in a browser of theirs, as the file that a user opens, and lets them
 * look at it. A fault on the page or a request fails the test.
 */
export function reportsInBrowser(): Opened {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-browser-'));
  let browser: Browser;
  let usual: Promise<Watched> | undefined;
  let files = 0;

  async function newPage(options: BrowserContextOptions): Promise<Watched> {
    const page = await browser.newPage({ viewport: { width: 1200, height: 800 }, ...options });
    return { page, faults: await watched(page) };
  }

  beforeAll(async () => {
    browser = await openChromium();
  });

  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  return async (html, look, options) => {
    const file = join(folder, `${files++}.html`);
    writeFileSync(file, html);
    // A page costs the start of a process: those without options of their own follow one another in one.
    const { page, faults } = await (options === undefined ? (usual ??= newPage({})) : newPage(options));
    try {
      faults.length = 0;
      await openReport(page, pathToFileURL(file).href);
      const seen = await look(page);
      expect(faults).toEqual([]);
      return seen;
    } finally {
      if (options === undefined) await page.mouse.move(0, 0);
      else await page.close();
    }
  };
}
