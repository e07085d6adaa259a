import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { NewRun, RunView } from '../../../src/views/service/dashboard/api.ts';
import { askDashboard, startedDashboard } from '../../service/dashboard/started.ts';

const wide = { viewport: { width: 1280, height: 900 } };
const looks: readonly (readonly [name: string, BrowserContextOptions])[] = [
  ['light', wide], ['dark', { ...wide, colorScheme: 'dark' }], ['narrow', { viewport: { width: 400, height: 900 } }],
];

/** The views of the dashboard, of runs of its own, into `pictures`; those of README.md into `images`. */
export async function takeDashboard(browser: Browser, pictures: string, images: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-pictures-'));
  chmodSync(folder, 0o700);
  process.env['XDG_RUNTIME_DIR'] = folder;
  const { url, child } = await startedDashboard(folder);
  try {
    const { done, fork, plan, going } = await madeRuns(url);
    const views = [
      ['runs', '#/', 'tbody'], ['new', '#/new', '#graph'], ['run', `#/run/${going}`, '.state'],
      ['fork', `#/run/${fork}`, '.state'], ['finished', `#/run/${done}`, '.state'],
      ['graph', `#/run/${done}/graph`, '[data-drawn]'],
      ['plan', `#/run/${plan}`, '.picture'], ['compare', `#/compare?run=${done}&run=${fork}`, '.plot'],
    ] as const;
    for (const [look, options] of looks) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      await page.goto(url);
      for (const [name, hash, settled] of views) {
        await show(page, url, hash, settled);
        if (name === 'finished') {
          await page.getByText(/^Fork: /).click();
          await page.getByLabel('Policy').waitFor();
          await page.waitForTimeout(500);
        }
        await page.screenshot({ path: join(pictures, `dashboard-${name}-${look}.png`), fullPage: true });
        console.log(`runs/screenshots/dashboard-${name}-${look}.png`);
        if (name === 'run' && look === 'light') {
          // Down to the first charts.
          const clip = { x: 0, y: 0, width: 1280, height: 730 };
          await page.screenshot({ path: join(images, 'dashboard.png'), clip });
        }
        if (name === 'graph' && look === 'light') {
          // The hosts, without the tables below.
          const clip = { x: 0, y: 0, width: 1280, height: 1000 };
          await page.screenshot({ path: join(images, 'graph.png'), clip, fullPage: true });
        }
      }
      await context.close();
    }
    await askDashboard(url, `/api/runs/${going}/control`, { do: 'stop' });
    await until(url, going, ({ listed }) => listed.state !== 'running');
  } finally {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function show(page: Page, url: string, hash: string, settled: string): Promise<void> {
  await page.goto(`${new URL(url).origin}/${hash}`);
  await page.locator(settled).first().waitFor();
  // Charts are drawn when their part of the page has its size.
  await page.waitForTimeout(1000);
}

/**
 * One that has ended, a fork of it, a plan, and one that waits, at a third of its pages, with two processors of other
 * robots.
 */
async function madeRuns(url: string): Promise<{ done: string; fork: string; plan: string; going: string }> {
  const begin = async (run: NewRun): Promise<string> => {
    const { status, body } = await askDashboard(url, '/api/runs', run);
    if (status !== 201) throw new Error(JSON.stringify(body));
    return (body as { id: string }).id;
  };
  const hasEnded = ({ listed }: RunView): boolean => listed.state === 'finished';
  const of = (policy: string): NewRun => ({
    kind: 'simulation', graph: 'docs-web', settings: { policy, superstepLimit: 4, processors: 4 },
  });
  const done = await begin(of('breadth-first'));
  await until(url, done, hasEnded);
  const fork = await begin({ kind: 'fork', run: done, at: 100, settings: { policy: 'opic' } });
  await until(url, fork, hasEnded);
  const settings = { machines: 2, robots: 16 };
  const plan = await begin({ kind: 'plan', graph: 'docs-web', goal: ['30% of rank'], settings });
  await until(url, plan, hasEnded);
  const going = await begin(of('opic'));
  const steer = async (body: object): Promise<void> => {
    await askDashboard(url, `/api/runs/${going}/control`, body);
  };
  await until(url, going, ({ state }) => (state?.pagesFetched ?? 0) > 3000);
  for (const [processor, robots] of [[1, 8], [2, 2]]) await steer({ do: 'robots', processor, robots });
  await steer({ do: 'pause' });
  return { done, fork, plan, going };
}

async function until(url: string, id: string, isSo: (view: RunView) => boolean): Promise<void> {
  for (;;) {
    const { status, body } = await askDashboard(url, `/api/runs/${id}`);
    if (status === 200 && isSo(body as RunView)) return;
    await sleep(20);
  }
}
