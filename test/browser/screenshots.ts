/**
 * `npm run screenshots`: pictures of real reports, of the dashboard and of the search page, to be looked at, and those
 * for README.md; `npm run screenshots -- dashboard` (or `search`, `reports`): of that alone. Writes
 * runs/screenshots/*.png and .github/images/*.png; makes the runs first where they are missing.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
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
  {
    name: 'plan',
    command: ['plan', 'docs-web', '--goal', '80% of rank', '--within', '10m', '--machines', '8', '--robots', '32'],
  },
  { name: 'policies', command: ['study', 'policies'] },
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
    const only = process.argv[2] as 'dashboard' | 'search' | 'reports' | undefined;
    if (only === undefined || only === 'dashboard') await takeDashboard(browser, pictures, images);
    if (only === undefined || only === 'search') await takeSearch(browser, root, views, { pictures, images });
    if (only === 'dashboard' || only === 'search') return;
    for (const { name, command } of reports) {
      const report = join(root, 'runs', name, 'report.html');
      if (!existsSync(report)) orbweaver(...command, '--out', `runs/${name}`);
      for (const view of views) await take(browser, report, `${name}-${view.name}`, view);
    }
    await takePart(browser, 'tour', 'report', '#figure-1');
    await takePart(browser, 'plan', 'plan', '#answer .panels');
    await takePart(browser, 'policies', 'policies', '#by-pages');
    await makePrediction();
    await takePart(browser, 'prediction/compared', 'predicted', '#pair .panels');
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

/** A picture in README.md: part of a report, sharp on dense screens, with air around it. */
async function takePart(browser: Browser, run: string, name: string, selector: string): Promise<void> {
  const page = await browser.newPage({
    viewport: { width: 1080, height: 900 }, deviceScaleFactor: 2, colorScheme: 'light',
  });
  await openReport(page, pathToFileURL(join(root, 'runs', run, 'report.html')).href);
  const box = (await page.locator(selector).first().boundingBox())!;
  const air = 24;
  await page.screenshot({
    path: join(root, `.github/images/${name}.png`), fullPage: true,
    clip: { x: box.x - air, y: box.y - air, width: box.width + 2 * air, height: box.height + 2 * air },
  });
  await page.close();
  console.log(`.github/images/${name}.png`);
}

/** A crawl of docs-web as a web on loopback, its prediction, and both compared. */
async function makePrediction(): Promise<void> {
  if (existsSync(join(root, 'runs/prediction/compared/report.html'))) return;
  const server = spawn(process.execPath, ['dist/bundle/main.js', 'serve', 'web', 'docs-web', '--json'], { cwd: root });
  try {
    const [line] = await once(server.stdout.setEncoding('utf8'), 'data') as [string];
    const { port, startUrls } = JSON.parse(line) as { readonly port: number; readonly startUrls: readonly string[] };
    orbweaver('crawl', startUrls[0], '--out', 'runs/prediction/crawl', '--max-pages', '3000', '--processors', '4',
      '--contact', 'pictures@localhost', '--resolve', `*=127.0.0.1:${port}`, '--allow-network', '127.0.0.0/8',
      '--politeness-ms', '50');
  } finally {
    server.kill();
  }
  orbweaver('simulate', 'runs/prediction/crawl', '--out', 'runs/prediction/predicted');
  orbweaver('compare', 'runs/prediction/predicted', 'runs/prediction/crawl', '--out', 'runs/prediction/compared');
}

function orbweaver(...words: readonly string[]): void {
  execFileSync(process.execPath, ['dist/bundle/main.js', ...words], { cwd: root, stdio: 'inherit' });
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
