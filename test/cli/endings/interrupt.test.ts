import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunJson } from '../../../src/measure/index.ts';
import { isFullSweep, sampled } from '../../sweep.ts';
import { finished, namesBelow, newFolder, orbweaver, start } from '../command.ts';
import { writeSmallWeb } from '../input/small-web.ts';

// Goal: SIGINT or SIGTERM ends a run with what it has, saved and readable; a second one ends it at once, and leaves
// nothing half done. Method: a run that would take minutes, in a process of its own, interrupted once it is under way.

const webs = newFolder();
const web = join(webs, 'web');
writeSmallWeb(web);
afterAll(() => { rmSync(webs, { recursive: true }); });

let folder: string;
let temporary: string;
beforeEach(() => {
  folder = newFolder();
  temporary = newFolder();
  // The processes started below take it over.
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => {
  vi.unstubAllEnvs();
  expect(readdirSync(temporary)).toEqual([]);
  rmSync(folder, { recursive: true });
  rmSync(temporary, { recursive: true });
});

/** Its queues are in files, which must not stay behind. */
const longRun = [
  'simulate', web, '--queue-memory-bytes', '4KiB', '--processors', '256', '--superstep-limit', '1',
  '--superstep-ms', '5', '--out', 'run',
];

/** Waits until the record has a superstep with pages. Its queues are in files then. */
async function underWay(): Promise<void> {
  const journal = join(folder, 'run.partial', 'journal.jsonl');
  while (!existsSync(journal) || !/"fetched": ?[1-9]/.test(readFileSync(journal, 'utf8'))) await sleep(20);
  expect(readdirSync(temporary)).not.toEqual([]);
}

test.each(sampled(['SIGINT', 'SIGTERM'] as const, 2))(
  'the first %s saves the run at its next barrier',
  async (signal) => {
    const child = start(longRun, folder);
    const end = finished(child);
    await underWay();
    child.kill(signal);
    const { code, stdout, stderr } = await end;

    expect(code).toBe(130);
    expect(stderr).toMatch(/^interrupted after [\d,]+ pages in [\d,]+ supersteps; saved in .*run$/m);
    expect(stdout).toContain('ended: interrupted');
    expect(namesBelow(folder)).toEqual([
      'run',
      ...[
        'failures.csv', 'order.u32', 'report.html', 'run.json', 'statistics.csv', 'supersteps.csv', 'times.f64',
      ].map((name) =>
        join('run', name),
      ),
    ]);
    const { summary } = JSON.parse(readFileSync(join(folder, 'run', 'run.json'), 'utf8')) as RunJson;
    expect(summary.ended).toBe('interrupted');
    expect(summary.pagesFetched).toBeGreaterThan(0);
    expect(summary.pagesFetched).toBeLessThan(summary.reachablePages);
    expect(readFileSync(join(folder, 'run', 'order.u32')).length).toBe(4 * summary.pagesFetched);
    expect(readFileSync(join(folder, 'run', 'times.f64')).length).toBe(16 * summary.pagesFetched);
  },
);

test.runIf(isFullSweep)('a plan leaves its finished runs in the cache, from which it goes on', async () => {
  const plan = [
    'plan', web, '--goal', '20% of rank', '--machines', '2', '--robots', '16', '--vary', 'policy,processors',
    '--threads', '1', '--cache', 'cache', '--out', 'plan',
  ];
  const child = start(plan, folder);
  const end = finished(child);
  const runs = (): string[] => namesBelow(folder).filter((name) => name.endsWith('.run'));
  while (runs().length < 3) await sleep(20);
  child.kill('SIGINT');
  const { code, stderr } = await end;
  expect(code).toBe(130);
  expect(stderr).toContain('its finished runs are stored');
  const before = runs();
  expect(namesBelow(folder).filter((name) => !name.startsWith('cache'))).toEqual([]);

  expect(await orbweaver(plan, folder)).toMatchObject({ code: 0 });
  expect(namesBelow(folder)).toEqual(expect.arrayContaining([...before, 'plan/plan.json', 'plan/report.html']));
}, 120_000);

test('repeated runs keep those that were whole, and one report over all', async () => {
  const child = start(['simulate', web, '--repeat', '200', '--max-pages', '500', '--out', 'runs'], folder);
  const end = finished(child);
  const isThere = (name: RegExp): boolean => namesBelow(folder).some((path) => name.test(path));
  while (!isThere(/seed-3.run\.json$/)) await sleep(20);
  child.kill('SIGINT');
  const { code, stderr } = await end;

  expect(code).toBe(130);
  expect(stderr).toMatch(/^interrupted in run \d+ of 200; saved in/m);
  const { runs } = JSON.parse(readFileSync(join(folder, 'runs', 'runs.json'), 'utf8')) as { runs: RunJson[] };
  expect(runs.length).toBeGreaterThanOrEqual(3);
  expect(runs.length).toBeLessThan(200);
  expect(readdirSync(join(folder, 'runs'))).toEqual(
    expect.arrayContaining(['report.html', 'runs.json', ...runs.map((_, i) => `seed-${i + 1}`)]),
  );
});

test('the second SIGINT ends the process at once, and leaves nothing', async () => {
  const child = start(longRun, folder);
  const end = finished(child);
  await underWay();
  child.kill('SIGINT');
  child.kill('SIGINT');
  // Two signals that arrive together may count as one: a third is the second then.
  await sleep(5);
  child.kill('SIGINT');
  const { code } = await end;
  expect(code).toBe(130);
  // It may have been saved before the second signal came; what must not be there is a draft.
  expect(readdirSync(folder).filter((name) => name !== 'run')).toEqual([]);
});

test.runIf(isFullSweep)('a graph interrupted while it is written leaves nothing', async () => {
  const child = start(['generate', 'copying', '--pages', '3e5', '--arcs', '3e6', '--out', 'web.owg'], folder);
  const end = finished(child);
  // First the folder is tried, before the draft of the file itself is there.
  while (!readdirSync(folder).some((name) => /-\d+\.partial$/.test(name))) await sleep(2);
  child.kill('SIGINT');
  const { code, stdout, stderr } = await end;
  expect({ code, stdout, stderr }).toEqual({ code: 130, stdout: '', stderr: 'interrupted; nothing was written\n' });
  expect(readdirSync(folder)).toEqual([]);
});
