import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';

/** The browser of the system; playwright-core brings none. */
export const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export function chromiumIsHere(): boolean {
  return existsSync(chromiumPath);
}

/** Starts chromium so that it asks the network for nothing on its own account. @param more - arguments of its own. */
export function openChromium(...more: readonly string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update',
      '--disable-sync', ...more,
    ],
  });
}

/**
 * Everything a page should not do, as it does it: errors on its console or thrown, and requests other than for itself.
 */
export async function watched(page: Page): Promise<string[]> {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.route('**/*', (route) => {
    if (route.request().isNavigationRequest() && route.request().url().startsWith('file:')) return route.continue();
    faults.push(`request: ${route.request().url()}`);
    return route.abort();
  });
  return faults;
}

/** Opens all that is folded, and waits until it is drawn. */
export async function unfold(page: Page): Promise<void> {
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  await drawn(page);
}

/** Opens a report and waits until all its figures are drawn that are not folded. */
export async function openReport(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await drawn(page);
}

async function drawn(page: Page): Promise<void> {
  // As text: what runs in the page is not of this program, which knows no document. Asked again from here: the page
  // itself may not evaluate.
  const isDrawn = `(() => {
    const plots = [...document.querySelectorAll('.plot')].filter((plot) => plot.closest('details:not([open])') === null);
    return plots.length > 0 && plots.every((plot) => plot.childElementCount > 0);
  })()`;
  while (!(await page.evaluate<boolean>(isDrawn))) await page.waitForTimeout(50);
}
