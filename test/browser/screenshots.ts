/**
 * `npm run screenshots`: pictures of real reports, of the dashboard and of the search page, to be looked at, and those
 * for README.md; `npm run screenshots -- dashboard` (or `search`): of that alone. Writes runs/screenshots/*.png and
 * .github/images/*.png; makes the runs first where they are missing.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { chromiumIsHere, chromiumPath, openChromium, openReport, watched } from './chromium.ts';
import { takeDashboard } from './dashboard/screenshots.ts';
import { takeSearch } from './search-pictures.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pictures = join(root, 'runs/screenshots');
const reports = [
  { name: 'tour', command: ['tour', 'docs-web'] },
  { name: 'one', command: ['simulate', 'docs-web'] },
  { name: 'info', command: ['info', 'docs-web'] },
  { name: 'bench', command: ['bench', 'queues', '--entries', '1e4,1e5', '--rounds', '1'] },
] as const;
const views = [
  { name: 'light', width: 1200, colorScheme: 'light' },
  { name: 'dark', width: 1200, colorScheme: 'dark' },
  { name: 'narrow', width: 400, colorScheme: 'light' },
] as const;

async function main(): Promise<void> {
  if (!chromiumIsHere()) throw new Error(`no browser at ${chromiumPath}; set CHROMIUM to the path of one`);
  mkdirSync(pictures, { recursive: true });
  mkdirSync(join(root, '.github/images'), { recursive: true });
  const browser = await openChromium();
  try {
    const images = join(root, '.github/images');
    const only = process.argv[2] as 'dashboard' | 'search' | undefined;
    if (only !== 'search') await takeDashboard(browser, pictures, images);
    if (only !== 'dashboard') await takeSearch(browser, root, views, { pictures, images });
    if (only !== undefined) return;
    for (const { name, command } of reports) {
      const report = join(root, 'runs', name, 'report.html');
      if (!existsSync(report)) {
        execFileSync(process.execPath, ['dist/bundle/main.js', ...command, '--out', `runs/${name}`], {
          cwd: root, stdio: 'inherit',
        });
      }
      for (const view of views) await take(browser, report, `${name}-${view.name}`, view);
    }
    await takeFirstFigure(browser, join(root, 'runs/tour/report.html'));
  } finally {
    await browser.close();
  }
}

async function take(browser: Browser, report: string, name: string, view: (typeof views)[number]): Promise<void> {
  const page = await browser.newPage({ viewport: { width: view.width, height: 900 }, colorScheme: view.colorScheme });
  const faults = await watched(page);
  await openReport(page, pathToFileURL(report).href);
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  await page.close();
  if (faults.length > 0) throw new Error(`${report}:\n${faults.join('\n')}`);
  console.log(join('runs/screenshots', `${name}.png`));
}

/** The picture in README.md: sharp on dense screens, with air around it. */
async function takeFirstFigure(browser: Browser, report: string): Promise<void> {
  const page = await browser.newPage({
    viewport: { width: 1080, height: 900 }, deviceScaleFactor: 2, colorScheme: 'light',
  });
  await openReport(page, pathToFileURL(report).href);
  const box = (await page.locator('#figure-1').boundingBox())!;
  const air = 24;
  await page.screenshot({
    path: join(root, '.github/images/report.png'), fullPage: true,
    clip: { x: box.x - air, y: box.y - air, width: box.width + 2 * air, height: box.height + 2 * air },
  });
  await page.close();
  console.log('.github/images/report.png');
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
