import { MemoryTransport } from '../../../src/core/bsp/index.ts';
import { InputError, PageIndex, RestartError } from '../../../src/base/index.ts';
import {
  LiveNode, type Agreement, type LiveEpoch, type LiveNodeOptions, type NodeStore, type NodeWork, type PageNumbers,
} from '../../../src/machines/cluster/index.ts';
import { crawl, crawlLimits, LocalCrew, newProcessor } from '../../../src/core/engine/index.ts';
import { Sinks, type RunSink } from '../../../src/core/events/index.ts';
import { LiveWorld, type Download, type Web } from '../../../src/core/live/index.ts';
import { shippedPolicies } from '../../../src/core/policy/index.ts';
import { createQueue } from '../../../src/core/queue/index.ts';
import type { SettledExperiment } from '../../../src/core/settings/index.ts';
import type { Answered, CrawledWeb } from './crawled-web.ts';
import type { Checkpoint, Disk } from './disk.ts';
import { SessionClock } from './machines.ts';
import { StartAnew, type Program, type Surroundings } from './supervised.ts';

export interface LiveCrawl {
  readonly settings: SettledExperiment;
  readonly nodes: number;
  /** Supersteps after which a checkpoint is due to node 0; one more to node 1, and so on. With 0 one is always due. */
  readonly checkpointSupersteps: number;
  readonly web: CrawledWeb;
  readonly disks: readonly Disk[];
  /** The longest that a host may be owed, from the start of a request on. */
  readonly owedMs: number;
}

/**
 * A node of a live crawl: the product's `LiveNode`, which decides when it joins, goes back and ends, and its crews,
 * `LiveWorld` and processors; its web and its disk are those of the case.
 */
export function liveNode(one: LiveCrawl): Program {
  return async (surroundings) => {
    const parts = { nodes: one.nodes, delayMs: one.owedMs };
    return runNode(surroundings, one.disks[surroundings.machine.slot], parts, (node) => (
      new CrawlOfNode(one, surroundings, node)
    ));
  };
}

/** A process of a node, to its end. @throws StartAnew where its supervisor is to start another one. */
export async function runNode(
  surroundings: Surroundings, disk: Disk, { nodes, delayMs }: Pick<LiveNodeOptions, 'nodes' | 'delayMs'>,
  workOf: (node: LiveNode) => NodeWork<string, string>,
): Promise<string> {
  const { machine, server } = surroundings;
  disk.lock(machine);
  try {
    const node = await LiveNode.enter({
      slots: server.slotsOf(machine), connect: () => server.streamsOf(machine), node: machine.slot, nodes, delayMs,
      token: `process ${machine.number}`, store: storeOf(surroundings, disk),
      clock: { nowMs: () => machine.nowMs, sleep: async (ms) => machine.sleep(ms) },
    });
    const result = await node.run(workOf(node));
    // What is lost after a node has left for good is not made good.
    surroundings.calm();
    await node.leave();
    return result;
  } catch (error) {
    const mayStartAnew = error instanceof RestartError ||
      (error instanceof InputError && error.message.includes('is held by another process'));
    if (mayStartAnew) throw new StartAnew(error.message);
    throw error;
  }
}

function storeOf(surroundings: Surroundings, disk: Disk): NodeStore {
  const write = async (change: () => void): Promise<void> => disk.write(surroundings, change);
  return {
    epoch: disk.epoch, storeEpoch: async (epoch) => write(() => { disk.epoch = epoch; }),
    state: () => ({
      identity: { web: 'one' }, id: `folder ${surroundings.machine.slot}`, peers: disk.peers, clockUs: 0,
      checkpoints: [...disk.checkpoints.keys()].sort((a, b) => a - b), ended: disk.ended,
    }),
    goBackTo: async ({ checkpoint = -1, peers }) => {
      await write(() => { disk.peers = peers; });
      await write(() => { disk.ended = 'nowhere'; });
      await write(() => { disk.keepCheckpoints((superstep) => superstep <= checkpoint); });
    },
    storeEndOfAll: async () => write(() => { disk.ended = 'everywhere'; }),
  };
}

/** The crawl, as a process of a node runs it. */
class CrawlOfNode implements NodeWork<string, string> {
  readonly #one: LiveCrawl;
  readonly #surroundings: Surroundings;
  readonly #disk: Disk;
  readonly #downloads: Downloads;
  #session: Session = { isOver: false };

  constructor(one: LiveCrawl, surroundings: Surroundings, node: LiveNode) {
    this.#one = one;
    this.#surroundings = surroundings;
    this.#disk = one.disks[surroundings.machine.slot];
    this.#downloads = new Downloads(one, surroundings, node);
  }

  async run({ checkpoint: agreed = -1 }: Agreement, epoch: LiveEpoch): Promise<string> {
    const { settings } = this.#one;
    const checkpoint = this.#disk.checkpoints.get(agreed);
    const { superstep: firstSuperstep, barrierUs: beginUs } = checkpoint ?? start;
    const history: History = { record: [...(checkpoint ?? start).record], rows: [...(checkpoint ?? start).rows] };
    const checkpoints = { last: agreed, superstep: firstSuperstep, barrierUs: beginUs, written: Promise.resolve() };
    const sinks = new Sinks([recorder(history), {
      superstepBegins: (superstep) => {
        checkpoints.superstep = superstep;
        if (epoch.isCheckpoint(superstep)) checkpoints.last = superstep;
      },
      superstep: ({ barrierUs }) => { checkpoints.barrierUs = barrierUs; },
    }]);
    const { processors, worlds } = this.#processors(sinks, checkpoint, beginUs);
    const take = (superstep: number): void => {
      const { barrierUs } = checkpoints;
      checkpoints.written = this.#store({
        superstep, barrierUs, record: [...history.record], rows: [...history.rows],
        processors: processors.map(({ frontier }) => structuredClone(frontier.save(barrierUs))),
      });
      checkpoints.written.catch(() => undefined);
    };
    const own = new LocalCrew({
      processors: [...processors],
      onReceived: (superstep) => { if (checkpoints.last === superstep) take(superstep); },
    }, beginUs);
    const end = await crawl({
      crews: await epoch.crews(own, {
        processors: settings.processors, numbers: this.#numbers,
        addresses: { ownPairs: () => [], hear: () => undefined },
        isDue: () => this.#isDue(checkpoints.superstep, checkpoints.last),
        onOver: (error) => { for (const world of worlds) world.fail(error); },
      }),
      sinks, beginUs, firstSuperstep, ...crawlLimits(settings), breathe: () => checkpoints.written,
      transport: new MemoryTransport(settings.processors, { barrierUs: 0, pairUs: 0, messageUs: 0 }),
    });
    await epoch.loopEnded();
    take(checkpoints.superstep + 1);
    await checkpoints.written;
    await this.#disk.write(this.#surroundings, () => {
      this.#disk.result = JSON.stringify({ end, rows: history.rows });
      this.#disk.record = history.record;
      this.#disk.ended = 'here';
    });
    return this.#disk.result!;
  }

  async ended(): Promise<string> {
    return Promise.resolve(this.#disk.result!);
  }

  async result(ended: string): Promise<string> {
    return Promise.resolve(ended);
  }

  async letGo(): Promise<void> {
    this.#session.isOver = true;
    this.#session = { isOver: false };
    return Promise.resolve();
  }

  #isDue(superstep: number, last: number): boolean {
    const { checkpointSupersteps } = this.#one;
    return checkpointSupersteps === 0 || superstep - last >= checkpointSupersteps + this.#surroundings.machine.slot;
  }

  async #store(checkpoint: Checkpoint): Promise<void> {
    const { checkpoints } = this.#disk;
    return this.#disk.write(this.#surroundings, () => {
      checkpoints.set(checkpoint.superstep, checkpoint);
      const [, before = -1] = [...checkpoints.keys()].sort((a, b) => b - a);
      this.#disk.keepCheckpoints((one) => one >= before);
    });
  }

  get #numbers(): PageNumbers {
    const { web } = this.#one;
    return {
      pageOf: (page) => ({ url: web.urlOf(page), depth: 0, redirects: 0, hops: 0 }),
      numbered: async (found) => {
        await this.#disk.write(this.#surroundings, () => undefined);
        return found.map(({ url }) => web.pageAt(url));
      },
    };
  }

  #processors(sinks: Sinks, checkpoint: Checkpoint | undefined, beginUs: number) {
    const { settings, web } = this.#one;
    const session = this.#session;
    const { machine } = this.#surroundings;
    const politenessUs = Math.round(1000 * settings.politenessMs);
    const ownerOf = (page: number): number => web.hostOf(page) % settings.processors;
    const live: Web = {
      clock: new SessionClock(machine, beginUs), hostOf: (page) => web.hostOf(page),
      download: async ({ page, attempt }, { startedAtUs, stamp }): Promise<Download | undefined> => {
        const answer = await this.#downloads.download(page, attempt, session);
        return answer && { ...answer, startedAtUs, finishedAtUs: stamp() };
      },
    };
    const shared = {
      settings, policies: shippedPolicies, seedPages: settings.seedPages.length,
      exchange: { exchange: 'bulk', exchangeBatch: 1 } as const, pageIndex: new PageIndex(), ownerOf,
      onOutcome: sinks.outcome,
    };
    const worlds: LiveWorld[] = [];
    const processors = idsOf(machine.slot, this.#one).map((id, i) => {
      const world = new LiveWorld({ web: live, processor: id, politenessUs, nowUs: beginUs });
      worlds.push(world);
      const queue = createQueue({ ...settings.queue, seed: settings.seed });
      const saved = checkpoint && structuredClone(checkpoint.processors[i]);
      return newProcessor(shared, { id, world, queue, saved });
    });
    if (checkpoint === undefined) {
      for (const page of settings.seedPages)
        processors.find(({ options: { id } }) => id === ownerOf(page))?.frontier.seed(page);
    }
    return { processors, worlds };
  }
}

const start: Omit<Checkpoint, 'processors'> = { superstep: 0, barrierUs: 0, record: [], rows: [] };

/** The run of an epoch. */
interface Session {
  isOver: boolean;
}

interface History {
  readonly record: Checkpoint['record'][number][];
  readonly rows: string[];
}

/** Outcomes of this node's processors; rows of all. */
function recorder({ record, rows }: History): RunSink {
  return {
    outcome: (processor, { page, kind }) => { record.push([processor, page, kind]); },
    superstep: ({ superstep, barrierUs, pagesFetched, rows: ended }) => {
      const counts = ended.map(({ processor, pages, failures }) => `${processor}: ${pages} ${failures}`);
      rows.push(`${superstep} at ${barrierUs}: ${pagesFetched}, of ${counts.join(', ')}`);
    },
  };
}

function idsOf(node: number, { nodes, settings }: LiveCrawl): number[] {
  return Array.from({ length: settings.processors }, (_, id) => id).filter((id) => id % nodes === node);
}

/** What a process asks of the web: one request at a time of each host, also over sessions, and only while it may. */
class Downloads {
  readonly #one: LiveCrawl;
  readonly #surroundings: Surroundings;
  readonly #node: LiveNode;
  readonly #underWay = new Map<string, Promise<Answered>>();
  /** When each host may be asked again; waits for who asks it now. */
  readonly #hosts = new Map<number, Promise<number>>();

  constructor(one: LiveCrawl, surroundings: Surroundings, node: LiveNode) {
    this.#one = one;
    this.#surroundings = surroundings;
    this.#node = node;
  }

  async download(page: number, attempt: number, session: Session): Promise<Answered | undefined> {
    const known = this.#known(page, attempt);
    if (known !== undefined) return known;
    const { machine } = this.#surroundings;
    const { web, settings } = this.#one;
    const host = web.hostOf(page);
    const free = this.#hosts.get(host);
    let leave: (freeMs: number) => void = () => undefined;
    this.#hosts.set(host, new Promise((resolve) => { leave = resolve; }));
    const freeMs = await free ?? -Infinity;
    if (machine.nowMs < freeMs) await machine.sleep(freeMs - machine.nowMs);
    if (!session.isOver) await this.#node.permit();
    const since = session.isOver ? undefined : this.#known(page, attempt);
    if (session.isOver || since !== undefined) {
      leave(freeMs);
      return since;
    }
    const key = `${page} ${attempt}`;
    const answer = this.#ask(page, attempt).finally(() => { this.#underWay.delete(key); });
    this.#underWay.set(key, answer);
    answer.then(() => { leave(machine.nowMs + settings.politenessMs); }, () => undefined);
    return answer;
  }

  #known(page: number, attempt: number): Answered | Promise<Answered> | undefined {
    const stored = this.#one.disks[this.#surroundings.machine.slot].outcome(page, attempt);
    return stored ?? this.#underWay.get(`${page} ${attempt}`);
  }

  /** The outcome is stored before the scheduler sees it. */
  async #ask(page: number, attempt: number): Promise<Answered> {
    const { web, disks } = this.#one;
    const disk = disks[this.#surroundings.machine.slot];
    const answer = await web.ask(this.#surroundings, page, attempt, disk.outcome(page, attempt) !== undefined);
    await disk.write(this.#surroundings, () => { disk.store(page, attempt, answer); });
    return answer;
  }
}
