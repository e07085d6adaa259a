import { expect, test } from 'vitest';
import { DrawStream, PageIndex } from '../../src/base/index.ts';
import { newCounts, PageStates, PendingJobs } from '../../src/core/frontier/index.ts';
import { sampleQueued } from '../../src/core/frontier/idle-sample.ts';
import { packEntry } from '../../src/core/queue/index.ts';
import { replayCommand } from '../sweep.ts';

const delays = { politenessUs: 1000, backoffUs: 0, maxBackoffUs: 0 };

/** Pages in runs of one host each; a share of the runs is queued, the other pages are fetched. */
function clusters(seed: number, { runs, pagesPerRun, queuedShare, idleShare }: {
  runs: number; pagesPerRun: number; queuedShare: number; idleShare: number;
}) {
  const draws = new DrawStream(seed, 'clusters');
  const states = new PageStates(new PageIndex());
  const pendingJobs = new PendingJobs(delays);
  const hostOf = (local: number): number => Math.floor(local / pagesPerRun);
  let [queued, idle] = [0, 0];
  for (let host = 0; host < runs; host++) {
    const isQueued = draws.uniform(host) < queuedShare;
    const isIdle = draws.uniform(host, 1) < idleShare;
    if (!isIdle) pendingJobs.add(packEntry(1, host), host);
    for (let i = 0; i < pagesPerRun; i++)
      states.move(states.know(host * pagesPerRun + i), isQueued ? 'queued' : 'fetched');
    if (!isQueued) continue;
    queued += pagesPerRun;
    if (isIdle) idle += pagesPerRun;
  }
  return { frontier: { counts: newCounts(), states, pendingJobs, hostOf }, queued, idle };
}

test.each([
  [0.5, 40], [0.05, 40], [0.004, 20],
])('clusters, %d of them queued: the sample is as the queue is', (queuedShare, pagesPerRun) => {
  const first = Number(process.env['ORBWEAVER_SEED'] ?? 1);
  let [queued, idle, sampled, sampledIdle] = [0, 0, 0, 0];
  for (let seed = first; seed < first + 40; seed++) {
    const made = clusters(seed, { runs: 2000, pagesPerRun, queuedShare, idleShare: 0.3 });
    if (made.queued === 0) continue;
    const { counts } = made.frontier;
    sampleQueued(made.frontier);
    const least = queuedShare > 0.01 ? 8 : 0;
    expect(counts.sampledPages, replayCommand(seed, 'test/frontier/idle-sample.test.ts')).toBeGreaterThanOrEqual(least);
    queued += made.queued;
    idle += made.idle;
    sampled += counts.sampledPages;
    sampledIdle += counts.sampledIdle;
  }
  // Where few runs are queued, a crawl has few to choose from: four standard errors of their number.
  const clustersSeen = Math.min(sampled, queued / pagesPerRun);
  expect(Math.abs(sampledIdle / sampled - idle / queued)).toBeLessThan(4 * Math.sqrt(0.21 / clustersSeen));
});

test('the same state gives the same sample', () => {
  const made = [1, 2].map(() => clusters(3, { runs: 500, pagesPerRun: 10, queuedShare: 0.3, idleShare: 0.5 }));
  for (const { frontier } of made) sampleQueued(frontier);
  expect(made[0].frontier.counts).toEqual(made[1].frontier.counts);
});

test('the one queued page among a few is met, and none where none is queued', () => {
  for (const [queuedAt, met] of [[1234, true], [-1, false]] as const) {
    const { frontier } = clusters(1, { runs: 40, pagesPerRun: 100, queuedShare: 0, idleShare: 1 });
    if (queuedAt >= 0) frontier.states.move(queuedAt, 'queued');
    sampleQueued(frontier);
    expect(frontier.counts.sampledPages > 0).toBe(met);
  }
});

test('a host is idle without jobs only when it could be asked', () => {
  const jobs = new PendingJobs(delays);
  expect(jobs.isIdle(5)).toBe(true);
  jobs.add(packEntry(1, 0), 5);
  expect(jobs.isIdle(5)).toBe(false);
  jobs.takeBest(0);
  expect(jobs.isIdle(5)).toBe(false);
  jobs.close(5, 300);
  jobs.releaseHosts(1299);
  expect(jobs.isIdle(5)).toBe(false);
  jobs.releaseHosts(1300);
  expect(jobs.isIdle(5)).toBe(true);
});

test('a host at an address at work or at rest is not idle', () => {
  const jobs = new PendingJobs({ ...delays, politenessUs: 0 });
  for (const host of [1, 2]) jobs.add(packEntry(1, host), host);
  const rest = { address: 'a', restUs: 500 };
  for (const nowUs of [0, 600]) {
    jobs.takeBest(nowUs);
    jobs.close(nowUs === 0 ? 1 : 2, nowUs + 100, 0, false, undefined, rest);
    jobs.releaseHosts(nowUs + 100);
  }
  expect([jobs.isIdle(1), jobs.isIdle(2)]).toEqual([false, false]);
  jobs.releaseHosts(1200);
  expect([jobs.isIdle(1), jobs.isIdle(2)]).toEqual([true, true]);
});
