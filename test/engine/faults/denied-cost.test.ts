import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkpointAfter, simulate, type ExactCheckpoint } from '../../../src/core/engine/index.ts';
import { buildGraph, hostsFromNames, type WebGraph } from '../../../src/graphs/graph/index.ts';
import { readRunEvents, readRunJson, recordFiles, verifyRun, type RunResult } from '../../../src/core/measure/index.ts';
import type { ExperimentInput, SettledExperiment } from '../../../src/core/settings/index.ts';
import type { Visit } from '../../../src/core/simulation/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

// Goal: a page that known rules deny costs nothing, and what an earlier version recorded, which charged its host's
// delay, is read as that. Method: the log of the network, and records as they were.

/** A seed page and the pages that it links to, on one host. */
function star(pages: number): WebGraph {
  return buildGraph({
    name: 'star', pages, sources: new Uint32Array(pages - 1),
    targets: Uint32Array.from({ length: pages - 1 }, (_, i) => i + 1),
    hosts: hostsFromNames(Array.from({ length: pages }, () => 'a.test')),
  });
}

const network = { latencySigma: 0, pageBytesSigma: 0, robotsTxtShare: 1, crawlDelayShare: 0 };

async function crawled(
  pages: number, input: ExperimentInput,
): Promise<RunResult<SettledExperiment> & { visits: Visit[] }> {
  const visits: Visit[] = [];
  const result = await simulate(star(pages), { processors: 1, seedPages: [0], ...input }, {
    makeWorld: (world) => {
      world.onVisit = (visit) => { visits.push(visit); };
      return world;
    },
  });
  verifyRun(star(pages), result.run.experiment, result.events, result.run.summary.ended);
  return { ...result, visits };
}

describe('a host of which pages are denied', () => {
  test.each([
    [40, 0.3, 1000], [40, 0.9, 1000], [40, 1, 20_000], [200, 0.5, 0], [3, 1, 1000],
  ])('%i pages, a share of %f denied, %i ms apart: is asked as if they were not there', async (
    pages, deniedShare, politenessMs,
  ) => {
    const input = { politenessMs, network: { ...network, deniedShare } };
    const free = await crawled(pages, input);
    const costly = await crawled(pages, { ...input, deniedCost: 'delay' });
    const denied = free.events.failures.filter(({ kind }) => kind === 'robotsDenied');
    expect(denied.length).toBeGreaterThan(0);
    expect(denied.map(({ page }) => page).sort()).toEqual(
      costly.events.failures.filter(({ kind }) => kind === 'robotsDenied').map(({ page }) => page).sort(),
    );
    expect(free.visits).toHaveLength(1 + free.run.summary.pagesFetched);
    expect(free.run.summary.pagesFetched).toBe(pages - denied.length);
    expect(costly.visits).toHaveLength(free.visits.length + denied.length);
    // The bound is that of the requests alone, and met but for the barriers.
    const busyUs = free.visits.reduce((sum, { startedAtUs, finishedAtUs }) => sum + finishedAtUs - startedAtUs, 0);
    const boundUs = busyUs + 1000 * politenessMs * (free.visits.length - 1);
    expect(free.run.summary.lowerBoundSeconds).toBeCloseTo(boundUs / 1e6, 6);
    expect(free.run.summary.virtualSeconds).toBeLessThan(boundUs / 1e6 + 0.01 * free.run.summary.supersteps);
    expect(costly.run.summary.virtualSeconds)
      .toBeGreaterThanOrEqual(free.run.summary.virtualSeconds + (politenessMs / 1000) * (denied.length - 1));
  });

  test('they count towards no limit: R_x, the pages asked for, the robots', async () => {
    const { run: { summary }, events } = await crawled(60, {
      politenessMs: 0, robots: 1, superstepLimit: 2, maxPages: 10, network: { ...network, deniedShare: 0.6 },
    });
    expect(summary).toMatchObject({ ended: 'page limit', pagesFetched: 10 });
    const atOnce = Math.max(...events.rows.map(({ denied }) => denied));
    expect(atOnce).toBeGreaterThan(20);
    expect(events.rows.every(({ failures, denied }) => denied <= failures)).toBe(true);
  });
});

describe('a record of an earlier version', () => {
  const { folder } = temporaryFolder();
  const input: ExperimentInput = {
    processors: 1, seedPages: [0], deniedCost: 'delay', politenessMs: 100, superstepLimit: 5,
    network: { ...network, deniedShare: 0.4 },
  };

  test('is read and repeated as it was: a denied page costs a delay', async () => {
    const result = await simulate(star(30), input);
    const path = join(folder, 'earlier');
    mkdirSync(path);
    for (const [name, content] of recordFiles(result)) writeFileSync(join(path, name), earlier(name, content));
    const run = await readRunJson<SettledExperiment>(path);
    expect(run.experiment.deniedCost).toBe('delay');
    const { rows } = await readRunEvents(path, run);
    expect(rows.every(({ denied }) => denied === 0)).toBe(true);
    expect((await simulate(star(30), run.experiment)).run.replayHash).toBe(result.run.replayHash);
    expect((await simulate(star(30), { ...input, deniedCost: 'none' })).run.replayHash).not.toBe(result.run.replayHash);
  });

  test('is forked as it was, from its legs and from its checkpoints, and not under the other cost', async () => {
    const { run: { replayHash, experiment } } = await simulate(star(30), input);
    const { deniedCost, ...lacking } = experiment;
    expect(deniedCost).toBe('delay');
    const taken = await checkpointAfter(star(30), [{ experiment: lacking, untilSuperstep: 3 }]);
    expect(taken.settings.deniedCost).toBe('delay');
    const from: ExactCheckpoint = {
      ...taken, settings: lacking as SettledExperiment,
      events: {
        ...taken.events, rows: taken.events.rows.map((row) => ({ ...row, denied: undefined as unknown as number })),
      },
    };
    for (const one of [taken, from])
      expect((await simulate(star(30), input, { from: one })).run.replayHash).toBe(replayHash);
    await expect(simulate(star(30), { ...input, deniedCost: 'none' }, { from }))
      .rejects.toThrow('was taken with deniedCost "delay", not "none"');
  });

  test('a run without the cost is forked to its own hash, pages that wait for their denial included', async () => {
    const free: ExperimentInput = { ...input, deniedCost: 'none', superstepLimit: 1 };
    const { run: { replayHash, experiment, summary } } = await simulate(star(30), free);
    for (let untilSuperstep = 1; untilSuperstep < summary.supersteps; untilSuperstep++) {
      const from = await checkpointAfter(star(30), [{ experiment, untilSuperstep }]);
      expect((await simulate(star(30), free, { from })).run.replayHash, `from ${untilSuperstep}`).toBe(replayHash);
    }
  });
});

/** A file of a record without what this version added. */
function earlier(name: string, content: string | Uint8Array): string | Uint8Array {
  if (name === 'supersteps.csv') return String(content).replaceAll(/,[^,\n]*$/gm, '');
  if (name !== 'run.json') return content;
  const run = JSON.parse(String(content)) as { experiment: object };
  return JSON.stringify({ ...run, experiment: { ...run.experiment, deniedCost: undefined } });
}
