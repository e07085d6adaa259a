import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { machine, spread, type Spread } from '../../src/bench/index.ts';
import { openRuns } from '../../src/watch/index.ts';
import { chromiumIsHere, chromiumPath, openChromium } from '../browser/chromium.ts';
import { FedRun } from '../watch/fed-run.ts';

export interface DashboardBenchOptions {
  /** Name for `simulate`. */
  readonly graph: string;
  readonly rounds: number;
  readonly supersteps: number;
  readonly processors: number;
  /** How long the page's scripts are watched. */
  readonly seconds: number;
  /** Whether the simulations have a core of their own, and this process and its children another: for good. */
  readonly pins: boolean;
}

export interface DashboardReport {
  readonly machine: string;
  readonly load: readonly [before: number, after: number];
  readonly isPinned: boolean;
  readonly page: {
    /** Scripts of the page, as a share of a core. */
    readonly scripting: number;
    readonly firstPaintMs: Spread;
    readonly heapBytes: number;
  };
  /** Of whole commands; `ratio`: speed relative to the command alone, round by round. */
  readonly runs: readonly { readonly name: string; readonly seconds: Spread; readonly ratio: Spread }[];
}

const main = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url));
const sides = ['alone', '--watch, nobody looks', '--watch, shown by a dashboard'] as const;

/**
 * What the dashboard costs a browser: with a run that sends four states a second after `supersteps` supersteps; and
 * what it costs a simulation: the whole command, in turn alone, with a door, and shown in a browser.
 * @throws Error without a browser.
 */
export async function benchDashboard(options: DashboardBenchOptions): Promise<DashboardReport> {
  if (!chromiumIsHere()) throw new Error(`no browser at ${chromiumPath}; set CHROMIUM to the path of one`);
  const before = loadavg()[0];
  const isPinned = options.pins && spawnSync('taskset', ['-a', '-c', '-p', '1', String(process.pid)]).status === 0;
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
  chmodSync(folder, 0o700);
  const runtime = process.env['XDG_RUNTIME_DIR'];
  process.env['XDG_RUNTIME_DIR'] = folder;
  const server = spawn(process.execPath, [main, 'dashboard', '--json', '--port', '0'], {
    cwd: folder, stdio: ['ignore', 'pipe', 'inherit'],
  });
  const browser = await openChromium();
  try {
    const url = await new Promise<string>((resolve, reject) => {
      server.once('exit', () => { reject(new Error('the dashboard ended')); });
      server.stdout.once('data', (line: Buffer) => { resolve((JSON.parse(String(line)) as { url: string }).url); });
    });
    const page = await costOfPage(browser, url, options);
    const runs = await costOfRuns(browser, url, { ...options, folder, isPinned });
    return { machine: machine(), load: [before, loadavg()[0]], isPinned, page, runs };
  } finally {
    await browser.close();
    server.kill();
    if (runtime === undefined) delete process.env['XDG_RUNTIME_DIR'];
    else process.env['XDG_RUNTIME_DIR'] = runtime;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function costOfPage(
  browser: Browser, url: string, { supersteps, processors, seconds, rounds }: DashboardBenchOptions,
): Promise<DashboardReport['page']> {
  const run = await FedRun.open(processors);
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    run.feed(supersteps);
    const paints: number[] = [];
    let page: Page | undefined;
    for (let round = 0; round < rounds; round++) {
      await page?.close();
      page = await context.newPage();
      if (round === 0) await page.goto(url);
      await page.goto('about:blank');
      await page.goto(`${new URL(url).origin}/#/run/${run.watch.card.id}`);
      await page.locator('.state', { hasText: 'running' }).waitFor();
      paints.push(await page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0].startTime`));
    }
    const session = await context.newCDPSession(page!);
    await session.send('Performance.enable');
    const scripted = async (): Promise<number> => {
      const { metrics } = await session.send('Performance.getMetrics') as { metrics: { name: string; value: number }[] };
      return metrics.find(({ name }) => name === 'ScriptDuration')!.value;
    };
    const [scripts, beganMs] = [await scripted(), performance.now()];
    for (let state = 0; state < 4 * seconds; state++) {
      run.feed(1);
      run.tick();
      await sleep(250);
    }
    const scripting = (await scripted() - scripts) / ((performance.now() - beganMs) / 1000);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage') as { usedSize: number };
    return { scripting, firstPaintMs: spread(paints), heapBytes: usedSize };
  } finally {
    await run.finish();
    await context.close();
  }
}

interface Place extends DashboardBenchOptions {
  readonly folder: string;
  readonly isPinned: boolean;
}

async function costOfRuns(browser: Browser, url: string, place: Place): Promise<DashboardReport['runs']> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(url);
  const seconds = new Map(sides.map((side) => [side, [] as number[]]));
  // The first round is not counted.
  for (let round = -1; round < place.rounds; round++) {
    for (const side of sides) {
      const shown = side === '--watch, shown by a dashboard' ? page : undefined;
      const time = await timed(place, side !== 'alone', shown);
      if (round >= 0) seconds.get(side)!.push(time);
    }
  }
  await context.close();
  const alone = seconds.get('alone')!;
  return sides.map((name) => {
    const own = seconds.get(name)!;
    return { name, seconds: spread(own), ratio: spread(own.map((one, round) => alone[round] / one)) };
  });
}

/** The seconds of a command, which `page` shows as soon as it can be joined. */
async function timed({ graph, isPinned, folder }: Place, watches: boolean, page: Page | undefined): Promise<number> {
  const words = [
    process.execPath, main, 'simulate', graph, '--superstep-limit', '1', '--processors', '2', '--json',
    ...(watches ? ['--watch'] : []),
  ];
  const [program, ...rest] = isPinned ? ['taskset', '-c', '0', ...words] : words;
  const beganMs = performance.now();
  const child = spawn(program, rest, { cwd: folder, stdio: 'ignore' });
  let seconds: number | undefined;
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      seconds = (performance.now() - beganMs) / 1000;
      if (code === 0) resolve();
      else reject(new Error(`${words.join(' ')}: exit code ${code}`));
    });
  });
  const shown = page === undefined ? undefined : show(page, () => seconds !== undefined);
  await Promise.all([ended, shown]);
  return seconds!;
}

async function show(page: Page, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const [run] = await openRuns();
    if (run !== undefined) {
      await page.evaluate(`location.hash = '#/run/${run.card.id}'`);
      return;
    }
    await sleep(20);
  }
}

export function printDashboard({ machine, load, isPinned, page, runs }: DashboardReport): void {
  const range = ({ median, min, max }: Spread, digits: number): string =>
    `${median.toFixed(digits)} (${min.toFixed(digits)} to ${max.toFixed(digits)})`;
  console.log(`${machine}; load ${load.map((one) => one.toFixed(1)).join(' to ')}; ${isPinned
    ? 'simulations on core 0, server and browser on core 1' : 'no taskset: nothing has a core of its own'}`);
  console.log(`scripting ${(100 * page.scripting).toFixed(1)} % of a core`);
  console.log(`first contentful paint ${range(page.firstPaintMs, 0)} ms`);
  console.log(`heap ${(page.heapBytes / 2 ** 20).toFixed(1)} MiB`);
  for (const { name, seconds, ratio } of runs)
    console.log(`${name.padEnd(32)}${range(seconds, 2)} s, ${range(ratio, 3)} x the speed alone`);
}
