import { describe, expect, test } from 'vitest';
import { assembleCrew, jointParts, type CrewAssembly } from '../../../src/core/engine/assembly.ts';
import { type ExperimentInput } from '../../../src/core/settings/index.ts';
import { policyNames } from '../../../src/core/policy/index.ts';
import { LocalCrew, partitionHosts, settle, settleSeeds, simulate } from '../../../src/core/engine/index.ts';
import { crawl } from '../../../src/core/engine/loop.ts';
import { Recovery, type RecoveryOptions } from '../../../src/core/engine/recovery.ts';
import { Sinks, type RunSink } from '../../../src/core/events/index.ts';
import { parseExperiment } from '../../../src/core/policy/index.ts';
import { buildGraph, hostsFromNames, type WebGraph } from '../../../src/graphs/graph/index.ts';
import { MemoryRecord, TotalOrder, type RunEvents } from '../../../src/core/measure/index.ts';
import { leastQueueMemoryBytes } from '../../../src/core/queue/index.ts';
import type { FrontierState } from '../../../src/core/frontier/index.ts';
import { DrawStream } from '../../../src/base/index.ts';
import { sampled } from '../../sweep.ts';
import { Watch, type Life } from '../../swarm/watched.ts';

// Goal: a processor that crashes at any superstep goes on from its checkpoint: no page completed before is fetched
// again, coins are conserved, and the order afterwards is that of a crawl which began at the checkpoint and never knew
// what came between. And with a checkpoint from which something is missing this fails.

type Damage = (saved: FrontierState) => FrontierState;

const [pages, hosts, processors] = [40, 7, 3];
/**
 * Long enough that downloads end during a barrier, and are known of in the checkpoint, with their messages
 * other processors.
 */
const barrierUs = 200_000;
const draws = new DrawStream(20081030, 'checkpoint test');

const graph: WebGraph = buildGraph({
  name: 'forty', pages,
  sources: Uint32Array.from({ length: 3 * pages }, (_, arc) => draws.uint32(arc, 0) % pages),
  targets: Uint32Array.from({ length: 3 * pages }, (_, arc) => draws.uint32(arc, 1) % pages),
  hosts: hostsFromNames(Array.from({ length: pages }, (_, page) => `h${draws.uint32(page, 2) % hosts}.example.org`)),
});
const scores = Float64Array.from({ length: pages }, (_, page) => draws.uint32(page, 3) % 9);

/** Faults keyed by page and try: what fails for good is the same however often a crawl is thrown back. */
const network: ExperimentInput['network'] = {
  restartSeconds: 2, serverErrorShare: 0.2, retryAfterShare: 0.5, retryAfterSeconds: 4, notFoundShare: 0.05,
};

interface Crawled {
  readonly events: RunEvents;
  readonly lives: readonly Life[][];
  /** Coins at the end, all processors together; undefined where pages have none. */
  readonly coins: number | undefined;
  readonly ended: string;
  /** Outcomes of each processor at the last checkpoint. */
  readonly atCheckpoint: readonly number[];
}

interface Changed {
  readonly crashes?: RecoveryOptions['crashes'];
  /** The processors that the crawl begins with, and when. */
  readonly from?: { readonly saved: readonly FrontierState[]; readonly nowUs: number };
  readonly revive?: CrewAssembly['revive'];
}

/** A crawl whose crashes, beginning or revival differ from what the experiment says. */
async function crawled(
  policy: ExperimentInput['policy'], change: (assembly: CrewAssembly) => Changed,
): Promise<Crawled> {
  const experiment = parseExperiment({
    processors, policy, robots: 2, superstepLimit: 3, superstepMs: 1500, checkpointSupersteps: 3, retries: 2, barrierUs,
    network,
    policyOptions: { rankEveryPages: 5, hostUrls: 2, resetHosts: 2, weights: { opic: 0.7, 'larger-sites-first': 0.3 } },
  });
  const { seedPages, reachable } = settleSeeds(graph, { ...experiment, seedPages: [0, 1, 2] });
  const settled = settle(experiment, 3, seedPages);
  const watch = new Watch();
  const owners = partitionHosts(graph, settled, reachable);
  const record = new MemoryRecord();
  const order = new TotalOrder([record]);
  const outcomes = new Array<number>(processors).fill(0);
  let atCheckpoint: readonly number[] = [];
  const counting: RunSink = {
    outcome: (processor) => { outcomes[processor]++; },
    checkpoint: () => { atCheckpoint = [...outcomes]; },
  };
  const sinks = new Sinks([order, counting]);
  order.started({ mayRollBack: true });
  const assembly = assembleCrew(graph, settled, owners, Array.from({ length: processors }, (_, id) => id), {
    ranks: scores, scores, sinks, makeQueue: watch.makeQueue, makeWorld: watch.makeWorld,
  });
  try {
    const { crashes = noCrash, from, revive = assembly.revive } = change(assembly);
    const beginUs = from?.nowUs ?? 0;
    const parts = { processors: from ? assembly.revive(from.saved, beginUs) : assembly.processors, revive };
    const recovery = new Recovery({ crashes, restartUs: 2e6, checkpointSupersteps: settled.checkpointSupersteps });
    const crews = [new LocalCrew(parts, beginUs)];
    const ended = await crawl({ ...jointParts(settled), sinks, recovery, crews, beginUs });
    await order.ended(ended);
    const held = parts.processors.map(({ frontier }) => frontier.options.policy.amounts?.cash?.held());
    const coins = held.includes(undefined) ? undefined : held.reduce<number>((sum, one) => sum + (one ?? 0), 0);
    return { events: record.events(), lives: watch.lives, coins, ended, atCheckpoint };
  } finally {
    assembly.dispose();
  }
}

const noCrash: RecoveryOptions['crashes'] = { nextUs: () => Infinity };
const last = (lives: readonly Life[][]): Life['seen'][] =>
  lives.map((ofProcessor) => ofProcessor[ofProcessor.length - 1].seen);
const sorted = (order: Uint32Array): Uint32Array => order.slice().sort();

/** Crashes `processor` at `atUs` and checks what the goal says. Rejects where it does not hold. */
async function crashAt(
  policy: ExperimentInput['policy'], { superstep, processor, atUs }: ReturnType<typeof moments>[number], whole: Crawled,
  damage: Damage,
): Promise<void> {
  let checkpoint: readonly FrontierState[] | undefined;
  const thrown = await crawled(policy, ({ revive }) => ({
    crashes: { nextUs: (id, sinceUs) => (id === processor && sinceUs < atUs ? atUs : Infinity) },
    revive: (saved, nowUs) => {
      checkpoint = structuredClone(saved);
      return revive(saved.map(damage), nowUs);
    },
  }));
  expect(thrown.ended).toBe('frontier dry');
  expect(thrown.events.crashes).toMatchObject([{ superstep, processor, atUs }]);
  expect(thrown.coins).toBe(whole.coins);
  expect(thrown.events.rows.reduce((sum, row) => sum + row.pages, 0)).toBe(thrown.events.order.length);
  expect(sorted(thrown.events.order)).toEqual(sorted(whole.events.order));

  const again = last(thrown.lives).flatMap((seen) =>
    seen.flatMap((event) => (event.what === 'start' ? [event.page] : [])),
  );
  const before = thrown.lives.flatMap(([first], id) => {
    const outcomes = first.seen.flatMap((event) =>
      event.what === 'next' && event.outcome !== undefined ? [event.outcome] : [],
    );
    return outcomes.slice(0, thrown.atCheckpoint[id]).filter(({ kind }) => kind === 'fetched').map(({ page }) => page);
  });
  expect(before.filter((page) => again.includes(page))).toEqual([]);

  const [{ resumedUs }] = thrown.events.crashes;
  const undisturbed = await crawled(policy, () => ({ from: { saved: checkpoint!, nowUs: resumedUs } }));
  expect(last(thrown.lives)).toEqual(last(undisturbed.lives));
}

/**
 * Each superstep as it begins, in the price of its barrier, as this is passed and, where it lasts, amid it; one
 * processor in turns.
 */
function moments({ events: { rows } }: Crawled): { superstep: number; processor: number; atUs: number }[] {
  const barriers = [0, ...new Set(rows.map((row) => row.barrierUs))];
  return barriers.slice(0, -1).flatMap((beginUs, superstep) => {
    const amidUs = Math.floor((beginUs + barriers[superstep + 1]) / 2);
    const isLong = barriers[superstep + 1] - beginUs > 2.5 * barrierUs;
    const endUs = barriers[superstep + 1];
    return [beginUs + 1, ...(isLong ? [amidUs] : []), endUs - 1, endUs]
      .map((atUs, i) => ({ superstep, processor: (superstep + i) % processors, atUs }));
  });
}

const nothing: FrontierState = {
  frontier: {
    pages: new Uint32Array(0), states: new Uint8Array(0), queuedKeys: new Uint32Array(0),
    queuedScores: new Float64Array(0),
  },
  pending: { entries: new Float64Array(0), hosts: new Uint32Array(0), waits: [] },
  attempts: [],
  outboxes: { pairs: [], sentPages: new Uint32Array(0) },
  policy: { known: 0, parts: [] },
  pendingTarget: 1,
};

test('queues in files are made anew, and the crawl is that of queues in memory', async () => {
  const queue = { kind: 'cbt', block: 4 } as const;
  const runs = [0, leastQueueMemoryBytes({ ...queue, slices: 1 })].map((memoryBytes) =>
    simulate(graph, {
      processors, superstepLimit: 3, seedPages: [0, 1, 2], queue: { ...queue, memoryBytes }, checkpointSupersteps: 2,
      maxSeconds: 300, network: { crashSeconds: 8, restartSeconds: 1 },
    }),
  );
  const [inMemory, inFiles] = await Promise.all(runs);
  expect(inMemory.events.crashes.length).toBeGreaterThan(1);
  expect(inFiles.run.replayHash).toBe(inMemory.run.replayHash);
});

describe('a processor that crashes goes on from its checkpoint', () => {
  test.each(policyNames)('%s, at any superstep', async (policy) => {
    const whole = await crawled(policy, () => ({}));
    expect(whole.coins).toBe(policy.startsWith('opic') || policy === 'weighted' ? 2 ** 52 : undefined);
    const all = moments(whole);
    expect(all.length).toBeGreaterThan(10);
    for (const moment of sampled(all, 10)) await crashAt(policy, moment, whole, (saved) => saved);
  });

  test('and not from one that is empty', async () => {
    const whole = await crawled('opic', () => ({}));
    for (const moment of sampled(moments(whole), 6)) {
      await expect(crashAt('opic', moment, whole, () => nothing)).rejects.toThrow();
    }
  });

  test.each(Object.keys(nothing) as (keyof FrontierState)[])(
    'nor at every superstep from one without its %s',
    async (part) => {
      const whole = await crawled('opic', () => ({}));
      let broken = 0;
      for (const moment of sampled(moments(whole), 4)) {
        await crashAt('opic', moment, whole, (saved) => ({ ...saved, [part]: nothing[part] })).catch(() => broken++);
      }
      expect(broken).toBeGreaterThan(0);
    },
  );
});
