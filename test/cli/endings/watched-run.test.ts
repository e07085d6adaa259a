import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRuns, type OpenRun } from '../../../src/views/watch/index.ts';
import type { RunJson } from '../../../src/index.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf } from '../../crawl/loopback.ts';
import { Watcher } from '../../watch/opened.ts';
import { finished, mainFile, newFolder, orbweaver, start } from '../command.ts';
import { isFullSweep } from '../../sweep.ts';

// Goal: --watch opens a run to its user from its first moment to its last, however it ends, and leaves nothing behind.

let folder: string;
let before: string | undefined;
beforeEach(() => {
  folder = newFolder();
  chmodSync(folder, 0o700);
  before = process.env['XDG_RUNTIME_DIR'];
  process.env['XDG_RUNTIME_DIR'] = folder;
});
afterEach(() => {
  if (before === undefined) delete process.env['XDG_RUNTIME_DIR'];
  else process.env['XDG_RUNTIME_DIR'] = before;
  rmSync(folder, { recursive: true });
});

const doors = (): string => join(folder, 'orbweaver');

/** The run of this process, once its door is open. */
async function theRun(pid: number | undefined): Promise<OpenRun> {
  for (;;) {
    const run = (await openRuns()).find(({ card }) => card.pid === pid);
    if (run !== undefined) return run;
    await sleep(10);
  }
}

test('a simulation is steered from outside, and repeated by its run.json', async () => {
  const flags = ['docs-web', '--processors', '2', '--superstep-limit', '8', '--statistics', 'off'];
  const child = start(['simulate', ...flags, '--watch', '--out', 'run', '--json'], folder);
  const end = finished(child);
  const run = await theRun(child.pid);
  expect(run.card).toMatchObject({
    kind: 'simulation', name: 'docs-web', folder: join(folder, 'run'),
    command: `orbweaver simulate ${flags.join(' ')} --watch --out run --json`,
  });
  const watcher = await Watcher.join(run);
  await watcher.joined.ask({ do: 'pause' });
  await watcher.until(() => watcher.state?.phase === 'paused');
  await watcher.joined.ask({ do: 'robots', robots: 9 });
  await watcher.joined.ask({ do: 'resume' });
  await watcher.until(() => watcher.state!.pagesFetched > 0);
  await watcher.joined.ask({ do: 'stop' });
  const { code, stderr } = await end;
  expect({ code, remark: stderr.split('\n')[0] }).toEqual({
    code: 130, remark: 'watch: orbweaver dashboard shows this run',
  });
  await watcher.until(() => watcher.isClosed);
  expect(watcher.state).toMatchObject({ phase: 'finished' });
  expect(watcher.curves!.rank.at(-1)).toBeGreaterThan(0);
  expect(readdirSync(doors())).toEqual([]);
  const recorded = JSON.parse(readFileSync(join(folder, 'run', 'run.json'), 'utf8')) as RunJson;
  expect(watcher.state!.pagesFetched).toBe(recorded.summary.pagesFetched);
  const again = await orbweaver(['simulate', 'docs-web', '--config', 'run/run.json', '--json'], folder);
  expect((JSON.parse(again.stdout) as RunJson).replayHash).toBe(recorded.replayHash);
});

test('paused, it waits for who resumes it, even if nobody is there; SIGINT ends it', async () => {
  const child = start(['simulate', 'docs-web', '--watch', '--superstep-limit', '8', '--statistics', 'off'], folder);
  const end = finished(child);
  const watcher = await Watcher.join(await theRun(child.pid));
  await watcher.joined.ask({ do: 'pause' });
  await watcher.until(() => watcher.state?.phase === 'paused');
  watcher.joined.close();
  await sleep(100);
  expect(child.exitCode).toBeNull();
  child.kill('SIGINT');
  const { code, stderr } = await end;
  expect(code).toBe(130);
  expect(stderr).toMatch(/^watch: .*\ninterrupted after /);
  expect(readdirSync(doors())).toEqual([]);
});

test('a command that fails says so last, in the words that it prints', async () => {
  const child = spawn(process.execPath, [mainFile, 'simulate', '-', '--watch'], { cwd: folder });
  const end = finished(child);
  const watcher = await Watcher.join(await theRun(child.pid));
  await watcher.until(() => watcher.state?.phase === 'preparing');
  child.stdin.end('no graph at all\n');
  const { code, stderr } = await end;
  expect(code).toBe(2);
  await watcher.until(() => watcher.isClosed);
  expect(watcher.state?.phase).toBe('failed');
  expect(stderr).toBe(`watch: orbweaver dashboard shows this run\n${String(watcher.state?.error)}\n`);
  expect(readdirSync(doors())).toEqual([]);
});

test.runIf(isFullSweep)('interrupted a second time, a command removes its door too', async () => {
  const site = graphWeb(syntheticWeb(50, 5), { latencyMs: 60_000 });
  const web = await loopback(site);
  try {
    const child = start([
      'crawl', ...urlsOf(site, site.seedPages), '--contact', 'test@localhost', '--allow-network', '127.0.0.0/8',
      '--resolve', `*=127.0.0.1:${web.port}`, '--reader-threads', '0', '--out', 'crawl', '--watch',
    ], folder);
    const end = finished(child);
    const watcher = await Watcher.join(await theRun(child.pid));
    await watcher.until(() => watcher.state?.processors.some(({ openCount }) => openCount > 0) === true);
    child.kill('SIGINT');
    await watcher.until(() => watcher.state?.phase === 'stopping');
    child.kill('SIGINT');
    expect((await end).code).toBe(130);
    expect(readdirSync(doors())).toEqual([]);
  } finally {
    await web.close();
  }
});

test.runIf(isFullSweep)('a live crawl is joined, also when it is resumed', async () => {
  const site = graphWeb(syntheticWeb(600, 5), { latencyMs: 20 });
  const web = await loopback(site);
  try {
    const flags = [
      '--contact', 'test@localhost', '--allow-network', '127.0.0.0/8', '--resolve', `*=127.0.0.1:${web.port}`,
      '--politeness-ms', '1', '--superstep-ms', '100', '--reader-threads', '0', '--out', 'crawl', '--log', 'json',
      '--processors', '2',
    ];
    const seeds = urlsOf(site, site.seedPages);
    const child = start(['crawl', ...seeds, ...flags, '--watch'], folder);
    const end = finished(child);
    const run = await theRun(child.pid);
    expect(run.card).toMatchObject({ kind: 'live', name: seeds[0], folder: join(folder, 'crawl') });
    const watcher = await Watcher.join(run);
    await watcher.until(() => (watcher.state?.pagesFetched ?? 0) > 5);
    await watcher.joined.ask({ do: 'stop' });
    const { code, stderr } = await end;
    expect(code).toBe(130);
    expect(JSON.parse(stderr.split('\n')[0])).toMatchObject({ event: 'watch', id: run.card.id });
    await watcher.until(() => watcher.isClosed);
    expect(watcher.state?.phase).toBe('finished');
    expect(existsSync(join(folder, 'crawl', 'report.html'))).toBe(true);

    const most = watcher.state!.pagesFetched + 5;
    expect(most).toBeLessThan(600);
    const resumed = start(['crawl', '--resume', 'crawl', '--max-pages', String(most), '--watch'], folder);
    const resumedEnd = finished(resumed);
    const later = await Watcher.join(await theRun(resumed.pid));
    expect((await resumedEnd).code).toBe(0);
    await later.until(() => later.isClosed);
    expect(later.state).toMatchObject({ phase: 'finished', pagesFetched: most });
    expect(readdirSync(doors())).toEqual([]);
  } finally {
    await web.close();
  }
});

test('a run that nobody could join does not begin', async () => {
  mkdirSync(doors());
  chmodSync(doors(), 0o755);
  for (const words of [
    ['simulate', 'docs-web', '--watch', '--out', 'run'],
    ['crawl', 'http://nobody.test/', '--contact', 'test@localhost', '--out', 'run', '--watch'],
  ]) {
    expect(await orbweaver(words, folder)).toEqual({
      code: 2, stdout: '', stderr: `--watch: ${doors()}: is open to others (mode 755); it must be your own, with mode 700\n`,
    });
    expect(existsSync(join(folder, 'run'))).toBe(false);
  }
  expect(await orbweaver(['simulate', 'docs-web', '--watch', '--repeat', '2'], folder)).toEqual({
    code: 2, stdout: '', stderr: '--watch shows a single run; leave out --repeat, or --watch\n',
  });
});
