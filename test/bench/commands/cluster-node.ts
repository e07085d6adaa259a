import { MemoryTransport } from '../../../src/core/bsp/index.ts';
import { Log, openRedis, RedisStreams } from '../../../src/machines/cluster/index.ts';
import { peerCrew } from '../../../src/machines/cluster/crews/peer-crew.ts';
import { OwnOutcomes, publishedCrew } from '../../../src/machines/cluster/crews/published-crew.ts';
import { arrivalSeq, readySeq } from '../../../src/machines/cluster/crews/nodes.ts';
import { putStandings } from '../../../src/machines/cluster/records/crew-records.ts';
import { encodeRecord } from '../../../src/machines/cluster/records/record.ts';
import { crawl, type Crew, type Letter, type Standing } from '../../../src/core/engine/index.ts';
import { Sinks } from '../../../src/core/events/index.ts';
import { newCounts } from '../../../src/core/frontier/index.ts';

/** What the bench asks of a node. */
export interface NodeTask {
  readonly url: string;
  readonly prefix: string;
  readonly node: number;
  readonly nodes: number;
  readonly processors: number;
  /** From all processors to all others, in each superstep. */
  readonly pairs: number;
  /** Supersteps before those that count, and those that count. */
  readonly warmUp: number;
  readonly supersteps: number;
}

/** Of a superstep, in milliseconds: by the clock, and of the CPU by this process. */
export interface NodeFigures {
  readonly ms: number;
  readonly cpuMs: number;
}

const superstepUs = 1000;
const standing: Standing = { hasWork: true, isIdle: false, isAtRest: false, fetched: 0, inFlight: 0 };

/** Processors that do nothing but send: what is left of a superstep is its price. */
function sendingCrew(ids: readonly number[], { processors, pairs }: NodeTask): Crew {
  // Those of a processor that send what is theirs of all pairs, evenly, to the processors that come after it. One pair
  // in a letter at least: with few pairs there are few letters.
  const evenly = (amount: number, among: number, i: number): number =>
    Math.floor(amount / among) + (i < amount % among ? 1 : 0);
  const letters = ids.flatMap((from) => {
    const size = evenly(pairs, processors, from);
    const others = Math.min(size, processors - 1);
    return Array.from({ length: others }, (_, i) => (
      { from, to: (from + 1 + i) % processors, size: evenly(size, others, i) }
    ));
  });
  const sent = letters.map(({ from, to, size }, i): Letter => {
    // Pages and amounts as a crawl sends them: neither in order nor round, so that they do not deflate to nothing.
    const pages = Uint32Array.from({ length: size }, (_, at) => Math.imul(at + i + 1, 0x9e3779b1) >>> 8);
    const amounts = Float64Array.from(pages, (page) => page % 4099);
    return { from, to, pairs: { pages, amounts, first: 0, size, messages: 1 } };
  });
  return {
    ids, standings: ids.map(() => standing), asked: () => [],
    begin: async ({ sinceUs }) => Promise.resolve({
      arrivedUs: sinceUs + superstepUs, sent, observed: [], known: 1e9, cashChanges: 0,
    }),
    settle: async () => Promise.resolve({
      worked: ids.map((id) => ({ id, counts: newCounts(), unobserved: 0, standing })), cash: undefined,
    }),
    revive: () => { throw new Error('nobody crashes'); },
  };
}

export async function runNode(task: NodeTask): Promise<NodeFigures> {
  const { url, prefix, node, nodes, processors, warmUp, supersteps } = task;
  const streams = new RedisStreams(await openRedis(url), { prefix, nodes, expiresMs: 600_000 });
  const log = new Log({ streams, node, nodes, epoch: 1 });
  const nodeOf = (processor: number): number => processor % nodes;
  const idsOf = (other: number): number[] =>
    Array.from({ length: processors }, (_, id) => id).filter((id) => nodeOf(id) === other);
  const places = { nodeOf, processors, pages: 2 ** 24 };
  let startedMs = 0;
  let startedCpu = process.cpuUsage();
  const sinks = new Sinks([{
    superstep: ({ superstep }) => {
      if (superstep === warmUp - 1) [startedMs, startedCpu] = [performance.now(), process.cpuUsage()];
      if (nodes > 1) void log.trim(arrivalSeq(superstep));
    },
  }]);
  const own = sendingCrew(idsOf(node), task);
  await log.put(readySeq, encodeRecord('ready', (writer) => { putStandings(writer, own.standings); }));
  const others = Array.from({ length: nodes }, (_, other) => other).filter((other) => other !== node);
  const peers = await Promise.all(others.map((sender) => peerCrew({
    ids: idsOf(sender), log, sinks, fetchedOf: () => undefined, places: { ...places, sender, reader: node },
  })));
  const outcomes = new OwnOutcomes(() => false);
  await crawl({
    // Alone it has nobody to write for.
    crews: nodes === 1 ? [own] : [...peers, publishedCrew(own, { log, outcomes, places })],
    transport: new MemoryTransport(processors, { barrierUs: 0, pairUs: 0, messageUs: 0 }), sinks, superstepUs,
    maxPages: Infinity, maxUs: superstepUs * (warmUp + supersteps), breathe: async () => Promise.resolve(),
  });
  const { user, system } = process.cpuUsage(startedCpu);
  const ms = performance.now() - startedMs;
  log.close();
  return { ms: ms / supersteps, cpuMs: (user + system) / 1000 / supersteps };
}

// As a process of its own, for one task after another.
if (process.send !== undefined) {
  process.on('message', (task: NodeTask) => {
    runNode(task).then((figures) => process.send?.(figures), (error: unknown) => {
      console.error(error);
      process.exit(1); // Though its connections are open.
    });
  });
}
