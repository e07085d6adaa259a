import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { machine, spread, type Spread } from '../../../src/questions/bench/index.ts';
import { openRuns } from '../../../src/views/watch/index.ts';
import { chromiumIsHere, chromiumPath, openChromium } from '../../browser/chromium.ts';
import { startedDashboard } from '../../service/dashboard/started.ts';
import { FedRun } from '../../watch/fed-run.ts';

export interface DashboardBenchOptions {
  /** Name or file for `simulate`. */
  readonly graph: string;
  /** Whether the runs are live crawls of the graph, served on loopback without any delay, instead of simulations. */
  readonly isLive: boolean;
  readonly rounds: number;
  /** R_x of the simulations: 1 has most to report for the least work; undefined: the default. */
  readonly superstepLimit?: string | undefined;
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
    /** Scripts of the page, and all that its thread does, as shares of a core; the worker of all tabs apart. */
    readonly scripting: number;
    readonly working: number;
    readonly firstPaintMs: Spread;
    readonly heapBytes: number;
  };
  readonly runs: readonly RunsOfSide[];
}

/**
 * Of whole commands; ratios: of the command alone to these, round by round. Beside a dashboard of another run, the
 * command itself does nothing for it: what it loses, a browser at work on the other core takes from any command.
 */
interface RunsOfSide {
  readonly name: string;
  readonly seconds: Spread;
  readonly speed: Spread;
  /** By the time of its processor instead of the clock's. */
  readonly cpuSpeed: Spread;
  /** Relative to the command with `--watch` that nobody looks at, by the clock and by processor time. */
  readonly unseenSpeed: Spread;
  readonly unseenCpuSpeed: Spread;
}

const main = fileURLToPath(new URL('../../../dist/bundle/main.js', import.meta.url));
const crawlFolder = 'crawl';
const sides = [
  'alone', '--watch, nobody looks', '--watch, shown by a dashboard', 'alone, beside a dashboard of another run',
] as const;

/**
 * What the dashboard costs a browser: with a run that sends four states a second after `supersteps` supersteps; and
 * what it costs a simulation or a live crawl: the whole command, in turn alone, with a door, and shown in a browser.
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
  const { url, child: server } = await startedDashboard(folder);
  const { command, stop } = await measured(options);
  const browser = await openChromium();
  try {
    const page = await costOfPage(browser, url, options);
    const runs = await costOfRuns(browser, url, { ...options, folder, isPinned, command });
    return { machine: machine(), load: [before, loadavg()[0]], isPinned, page, runs };
  } finally {
    await browser.close();
    server.kill();
    stop();
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
    const metrics = async (): Promise<number[]> => {
      const { metrics } = await session.send('Performance.getMetrics');
      return ['ScriptDuration', 'TaskDuration'].map((name) => metrics.find((metric) => metric.name === name)!.value);
    };
    const [before, beganMs] = [await metrics(), performance.now()];
    for (let state = 0; state < 4 * seconds; state++) {
      run.feed(1);
      run.tick();
      await sleep(250);
    }
    const tookSeconds = (performance.now() - beganMs) / 1000;
    const [scripting, working] = (await metrics()).map((one, i) => (one - before[i]) / tookSeconds);
    // Figures of a page that did not follow the run would say nothing.
    const pages = ((supersteps + 4 * seconds) * processors).toLocaleString('en');
    // What is sent is bounded by time, so the last state may have been left out.
    const ticks = setInterval(() => { run.tick(); }, 250);
    await page!.locator('main', { hasText: pages }).waitFor().finally(() => { clearInterval(ticks); });
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage') as { usedSize: number };
    return { scripting, working, firstPaintMs: spread(paints), heapBytes: usedSize };
  } finally {
    await run.finish();
    await context.close();
  }
}

interface Measured {
  readonly command: readonly string[];
  readonly stop: () => void;
}

/** The command whose runs are measured. A web that it needs is served by another process until it is stopped. */
async function measured({ graph, isLive, superstepLimit }: DashboardBenchOptions): Promise<Measured> {
  const name = existsSync(graph) ? resolve(graph) : graph;
  const limit = superstepLimit === undefined ? [] : ['--superstep-limit', superstepLimit];
  if (!isLive) {
    return { command: ['simulate', name, '--processors', '2', '--json', ...limit], stop: () => undefined };
  }
  const child = spawn(process.execPath, [main, 'serve', 'web', name, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data') as [Buffer];
  const { port, startUrls } = JSON.parse(String(line)) as { port: number; startUrls: readonly string[] };
  const command = [
    'crawl', ...startUrls, '--resolve', `*=127.0.0.1:${port}`, '--allow-network', '127.0.0.0/8', '--politeness-ms', '0',
    '--contact', 'bench@example.org', '--processors', '2', '--no-warc', '--reader-threads', '0', '--json', ...limit,
    '--out', crawlFolder,
  ];
  return { command, stop: () => { child.kill(); } };
}

interface Place extends DashboardBenchOptions {
  readonly command: readonly string[];
  readonly folder: string;
  readonly isPinned: boolean;
}

async function costOfRuns(browser: Browser, url: string, place: Place): Promise<DashboardReport['runs']> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(url);
  const times = new Map(sides.map((side) => [side, [] as Times[]]));
  // The first round is not counted.
  for (let round = -1; round < place.rounds; round++) {
    // Every second round in the opposite order: what goes on beside it may change steadily.
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const shown = side === '--watch, shown by a dashboard' ? page : undefined;
      const other = side === sides[3] ? await shownBeside(page) : undefined;
      const time = await timed(place, side.startsWith('--watch'), shown);
      await other?.close();
      if (round >= 0) times.get(side)!.push(time);
    }
  }
  await context.close();
  const [alone, unseen] = sides.map((side) => times.get(side)!);
  return sides.map((name) => {
    const own = times.get(name)!;
    const ratio = (base: readonly Times[], of: keyof Times): Spread =>
      spread(own.map((one, round) => base[round][of] / one[of]));
    return {
      name, seconds: spread(own.map((one) => one.clock)), speed: ratio(alone, 'clock'), cpuSpeed: ratio(alone, 'cpu'),
      unseenSpeed: ratio(unseen, 'clock'), unseenCpuSpeed: ratio(unseen, 'cpu'),
    };
  });
}

/** Of a whole process, seconds. */
interface Times {
  readonly clock: number;
  readonly cpu: number;
}

/** The times of a command, which `page` shows as soon as it can be joined. */
async function timed(
  { command, isPinned, folder }: Place, watches: boolean, page: Page | undefined,
): Promise<Times> {
  const words = [
    ...(isPinned ? ['taskset', '-c', '0'] : []), process.execPath, main, ...command, ...(watches ? ['--watch'] : []),
  ];
  rmSync(join(folder, crawlFolder), { recursive: true, force: true });
  const script = 'TIMEFORMAT="%R %U %S"; time "$@" > /dev/null 2> /dev/null';
  const child = spawn('bash', ['-c', script, 'bash', ...words], {
    cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, LC_ALL: 'C' },
  });
  let text = '';
  let isOver = false;
  child.stderr.setEncoding('utf8').on('data', (more: string) => { text += more; });
  const ended = new Promise<void>((fulfil, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      isOver = true;
      if (code === 0) fulfil();
      else reject(new Error(`${words.join(' ')}: exit code ${code}`));
    });
  });
  await Promise.all([ended, page && show(page, () => isOver)]);
  const [clock, user, system] = text.trim().split(' ').map(Number);
  return { clock, cpu: user + system };
}

/** A page that shows a run of two processors, which this process feeds until it is closed. */
async function shownBeside(page: Page): Promise<{ close(): Promise<void> }> {
  const run = await FedRun.open(2);
  await page.evaluate(`location.hash = '#/run/${run.watch.card.id}'`);
  const timer = setInterval(() => {
    run.feed(10);
    run.tick();
  }, 250);
  await page.locator('.state', { hasText: 'running' }).waitFor();
  return {
    async close() {
      clearInterval(timer);
      await run.finish();
    },
  };
}

async function show(page: Page, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const run = (await openRuns()).at(0);
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
    ? 'runs on core 0, servers and browser on core 1' : 'no taskset: nothing has a core of its own'}`);
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  console.log(`scripting ${percent(page.scripting)} of a core, all that the page's thread does ${percent(page.working)}`);
  console.log(`first contentful paint ${range(page.firstPaintMs, 0)} ms`);
  console.log(`heap ${(page.heapBytes / 2 ** 20).toFixed(1)} MiB`);
  for (const { name, seconds, speed, cpuSpeed, unseenSpeed, unseenCpuSpeed } of runs) {
    console.log(`${name.padEnd(44)}${range(seconds, 2)} s`);
    if (name !== 'alone') console.log(`    speed ${range(speed, 3)} x, by processor time ${range(cpuSpeed, 3)} x`);
    if (name === sides[2])
      console.log(`    of --watch alone ${range(unseenSpeed, 3)} x, by processor time ${range(unseenCpuSpeed, 3)} x`);
  }
}
