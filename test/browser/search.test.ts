import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { servedIndex } from '../service/search/served.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { chromiumIsHere, openChromium } from './chromium.ts';
import { barriersOn } from './dashboard/tabs.ts';

// Goal: searching works in a real browser, wide and narrow, light and dark, by keyboard, with and without JavaScript;
// it loads nothing from elsewhere, and nothing that was indexed runs.

const { folder } = temporaryFolder();

describe.skipIf(!chromiumIsHere())('searching in a browser', () => {
  const served = servedIndex(folder);
  const faults: string[] = [];
  let browser: Browser;

  async function opened(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) faults.push(message.text());
    });
    context.on('weberror', (error) => faults.push(error.error().message));
    context.on('dialog', (dialog) => {
      faults.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    context.on('request', (request) => {
      if (!request.url().startsWith(served.origin) && !request.url().startsWith('data:')) faults.push(request.url());
    });
    const page = await context.newPage();
    await page.goto(served.url);
    await page.close();
    return context;
  }

  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser.close();
  });

  test.each([
    [1280, 'light', true], [1280, 'dark', true], [400, 'light', true], [400, 'dark', false],
  ] as const)('%d pixels, %s, JavaScript %s: no barrier, no fault', async (width, colorScheme, javaScriptEnabled) => {
    const context = await opened({ viewport: { width, height: 800 }, colorScheme, javaScriptEnabled });
    const page = await context.newPage();
    for (const path of ['/', '/?q=grey+wolf', '/?q=hostile&explain=1', '/?q=xylophone', '/?q=%22%22']) {
      await page.goto(`${served.origin}${path}`);
      if (javaScriptEnabled) expect(await barriersOn(page), path).toEqual([]);
    }
    await page.goto(`${served.origin}/?q=hostile`);
    const heading = page.getByRole('heading', { level: 2 }).first();
    expect(await heading.textContent()).toBe('<script>alert(1)</script> & "wolf"');
    await context.close();
    // The page of a refused query has its own status.
    expect(faults.splice(0).filter((fault) => !fault.includes('400 (Bad Request)'))).toEqual([]);
  });

  test('typed, sent, gone through and narrowed by keyboard alone', async () => {
    const context = await opened();
    const page = await context.newPage();
    await page.goto(served.origin);
    await page.keyboard.type('grey wolf');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/?q=grey+wolf*');
    const focused = (): Promise<string> => page.evaluate<string>('document.activeElement.textContent');
    const titles = await page.locator('.result h2 a').allTextContents();
    for (const [key, title] of [['j', 0], ['j', 1], ['ArrowDown', 2], ['k', 1]] as const) {
      await page.keyboard.press(key);
      expect(await focused()).toBe(titles[title]);
    }
    await page.keyboard.press('/');
    expect(await page.evaluate<string>('document.activeElement.name')).toBe('q');
    await page.keyboard.type('wolf');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/?q=wolf*');
    await page.getByRole('link', { name: 'Next results' }).press('Enter');
    await page.waitForURL('**after=*');
    await page.getByRole('link', { name: 'a.example' }).press('Enter');
    await page.waitForURL('**site%3Aa.example*');
    expect(await page.locator('.place').allTextContents()).toEqual(
      expect.not.arrayContaining([expect.stringContaining('b.example')]),
    );
    await context.close();
  });
});
