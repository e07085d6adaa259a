import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { MemoryEngine, SharedSimulation, type Streams } from '../../../src/machines/cluster/index.ts';
import { DrawStream } from '../../../src/base/index.ts';
import {
  PartialGraph, PreparedFile, simulate, simulateOn, trueRanks, WholeGraph, writePrepared, type CrawledGraph,
} from '../../../src/core/engine/index.ts';
import { writeOwg } from '../../../src/graphs/formats/index.ts';
import { buildGraph, hostsFromNames, prepare, type WebGraph } from '../../../src/graphs/graph/index.ts';
import type { RunResult } from '../../../src/core/measure/index.ts';
import { policyNames } from '../../../src/core/policy/index.ts';
import type { ExperimentInput } from '../../../src/core/settings/index.ts';
import { isFullSweep } from '../../sweep.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

// Goal: a simulation on several nodes is the simulation of one, to the last byte of its record, on each of the nodes;
// whatever nodes end and start again, and whatever the engine of the log loses meanwhile. Each has only the links of
// its own pages, and is refused those of others.

const draws = new DrawStream(20261124, 'shared simulation');
const [pages, hosts, processors] = [150, 19, 5];
const graph: WebGraph = buildGraph({
  name: 'web of 150', pages,
  sources: Uint32Array.from({ length: 4 * pages }, (_, arc) => draws.uint32(arc, 0) % pages),
  targets: Uint32Array.from({ length: 4 * pages }, (_, arc) => draws.uint32(arc, 1) % pages),
  hosts: hostsFromNames(Array.from({ length: pages }, (_, page) => `h${draws.uint32(page, 2) % hosts}.example.org`)),
});
const prepared = prepare(graph);
const scores = { file: 'scores', values: Float64Array.from({ length: pages }, (_, page) => draws.uint32(page, 3) % 9) };
trueRanks(prepared);
const seedPages = [0, 1, 2];
const { folder } = temporaryFolder();
const path = join(folder, 'web.owg');
const preparedFile = join(folder, 'web.owg.prepared');
beforeAll(async () => {
  await writeOwg(graph, path);
  await writePrepared(preparedFile, prepared, { seedPages });
});

async function part(): Promise<PartialGraph> {
  const file = await PreparedFile.open(preparedFile);
  if (file === undefined) throw new Error('the file is not there');
  return PartialGraph.open(path, file, { paths: false });
}

const settings = (input: ExperimentInput): ExperimentInput => ({
  processors, robots: 2, superstepLimit: 6, superstepMs: 3000, politenessMs: 500, seedPages, ...input,
});

/** What of a result is the same wherever it was computed. */
const shown = ({ run: { replayHash, summary }, events, curves }: RunResult) => (
  { replayHash, summary, events, curves }
);

/** As `toEqual`, which takes longer. */
function same(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
}

interface Started {
  readonly result: Promise<ReturnType<typeof shown> | 'killed'>;
}

/** The connection of a node that ends as its process would: nothing that it waits for ever comes. */
function dying(streams: Streams, records: number, onKilled: () => void): Streams {
  let left = records;
  return {
    ...streams,
    append: async (entry, after) => {
      if (left-- > 0) return streams.append(entry, after);
      streams.close();
      onKilled();
      return new Promise<never>(() => undefined);
    },
  };
}

/** A node, which ends in the middle of a superstep once it has written so many records. */
function start(
  engine: MemoryEngine, { node, nodes, killedAfter = Infinity }: { node: number; nodes: number; killedAfter?: number },
  input: ExperimentInput, open: () => Promise<CrawledGraph> = part,
): Started {
  let kill: (killed: 'killed') => void = () => undefined;
  const killed = new Promise<'killed'>((resolve) => { kill = resolve; });
  const shared = new SharedSimulation({
    node, nodes, connect: async () => Promise.resolve(
      dying(engine.connect(), killedAfter, () => { kill('killed'); }),
    ),
  });
  const run = async () => {
    const result = await simulateOn(await open(), settings(input), { shared, scores });
    await shared.ended(result.run.replayHash);
    shared.close();
    return shown(result);
  };
  return { result: Promise.race([run(), killed]) };
}

async function withEngine<T>(work: (engine: MemoryEngine) => Promise<T>): Promise<T> {
  const engine = new MemoryEngine();
  const timer = setInterval(() => { engine.passTime(); }, 2);
  try {
    return await work(engine);
  } finally {
    clearInterval(timer);
  }
}

/** All nodes have the record of one process. */
async function sameOnNodes(
  nodes: number, input: ExperimentInput, open?: () => Promise<CrawledGraph>,
): Promise<ReturnType<typeof shown>> {
  const alone = shown(await simulate(prepared, settings(input), { scores }));
  await withEngine(async (engine) => {
    const started = Array.from({ length: nodes }, (_, node) => start(engine, { node, nodes }, input, open));
    for (const { result } of started) same(await result, alone);
  });
  return alone;
}

const whole = async (): Promise<CrawledGraph> => Promise.resolve(new WholeGraph(prepared));

test.each([1, 2, 3, 4])('%i nodes, some with the whole graph, some with a part, some with either', async (nodes) => {
  await sameOnNodes(nodes, { partition: 'lpt' }, whole);
  await sameOnNodes(nodes, { partition: 'lpt' });
  let opened = 0;
  await sameOnNodes(nodes, { policy: 'opic' }, async () => opened++ % 2 === 0 ? part() : whole());
});

let turn = 0;

test.each(policyNames)('%s, with crashes and a faulty network', async (policy) => {
  const input: ExperimentInput = {
    policy, checkpointSupersteps: 2, retries: 2, maxSeconds: 200,
    policyOptions: {
      rankEveryPages: 10, hostUrls: 2, resetHosts: 2, weights: { opic: 0.7, 'larger-sites-first': 0.3 },
    },
    network: {
      serverErrorShare: 0.2, retryAfterShare: 0.5, slowShare: 0.1, notFoundShare: 0.05, timeoutShare: 0.1,
      crashSeconds: 40, restartSeconds: 2,
    },
  };
  for (const nodes of isFullSweep ? [1, 2, 3, 4, 5] : [2 + (turn++ % 2)]) {
    const { events } = await sameOnNodes(nodes, input);
    expect(events.crashes.length).toBeGreaterThan(0);
  }
});

test.each(['bulk', 'batch', 'page'] as const)('exchange by %s, at a price, with limits', async (exchange) => {
  const price = { barrierUs: 100_000, pairUs: 10, messageUs: 1000 };
  const { events } = await sameOnNodes(3, { ...price, exchange, exchangeBatch: 3, partition: 'jump', maxPages: 61 });
  expect(events.order.length).toBe(61);
});

test('statistics of the growing graph', async () => {
  await sameOnNodes(2, { statistics: 'exact', maxPages: 100 }, whole);
});

test.each(Array.from({ length: isFullSweep ? 40 : 4 }, (_, i) => i))(
  'nodes end and start again, the engine loses records: draw %i', async (draw) => {
    const nodes = 2 + (draw % 3);
    const input: ExperimentInput = { policy: draw % 2 === 0 ? 'opic' : 'breadth-first', superstepLimit: 3 };
    const alone = shown(await simulate(prepared, settings(input), { scores }));
    expect(alone.summary.supersteps).toBeGreaterThan(10);
    await withEngine(async (engine) => {
      const kills = Array.from({ length: nodes }, () => 0);
      const lives = async (node: number): Promise<ReturnType<typeof shown>> => {
        for (;;) {
          const life = kills[node]++;
          const killedAfter = life < 3 ? 1 + draws.uint32(10 * draw + node, 4 + life) % 20 : Infinity;
          const result = await start(engine, { node, nodes, killedAfter }, input).result;
          if (result !== 'killed') return result;
          // One node is away, so that the others hold all that is lost; each writes its own again.
          if (life === 1 && node === draw % nodes) engine.lose();
          if (life === 2 && node === draw % nodes) engine.lose(2);
        }
      };
      const results = await Promise.all(Array.from({ length: nodes }, (_, node) => lives(node)));
      for (const result of results) same(result, alone);
    });
  },
);

test('two processes for one node write the same', async () => {
  const alone = shown(await simulate(prepared, settings({}), { scores }));
  await withEngine(async (engine) => {
    const started = [0, 1, 1, 0].map((node) => start(engine, { node, nodes: 2 }, {}));
    for (const { result } of started) same(await result, alone);
  });
});

test('a node that there is not, and more nodes than processors, are refused', async () => {
  const connect = async (): Promise<Streams> => Promise.resolve(new MemoryEngine().connect());
  expect(() => new SharedSimulation({ node: 3, nodes: 3, connect })).toThrow('node 3: nodes are numbered from 0 to 2');
  const shared = new SharedSimulation({ node: 0, nodes: 6, connect });
  await expect(simulate(prepared, settings({}), { shared })).rejects
    .toThrow('6 nodes: each needs a processor, and there are 5');
});
