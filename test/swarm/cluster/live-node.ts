import { MemoryTransport } from '../../../src/bsp/index.ts';
import { InputError, PageIndex, RestartError, WorldError } from '../../../src/base/index.ts';
import {
  CheckpointVotes, encodeRecord, endedSeq, EpochEnded, join, Log, Member, PeerLiveCrew, PublishedLiveCrew, resultSeq,
  taken, type Joined, type LiveCrewParts, type PageNumbers,
} from '../../../src/cluster/index.ts';
import { crawl, crawlLimits, LocalCrew, newProcessor, type Crew } from '../../../src/engine/index.ts';
import { Sinks, type RunSink } from '../../../src/events/index.ts';
import { LiveWorld, type Download, type Web } from '../../../src/live/index.ts';
import { shippedPolicies } from '../../../src/policy/index.ts';
import { createQueue } from '../../../src/queue/index.ts';
import type { SettledExperiment } from '../../../src/settings/index.ts';
import type { Answered, CrawledWeb } from './crawled-web.ts';
import type { Checkpoint, Disk } from './disk.ts';
import { SessionClock } from './session-clock.ts';
import { StartAnew, type Program, type Surroundings } from './supervised.ts';

export interface LiveCrawl {
  readonly settings: SettledExperiment;
  readonly nodes: number;
  /** Supersteps after which a checkpoint is due to node 0; one more to node 1, and so on. */
  readonly checkpointSupersteps: number;
  readonly web: CrawledWeb;
  readonly disks: readonly Disk[];
  /** The longest that a host may be owed, from the start of a request on. */
  readonly owedMs: number;
}

/**
 * A node of a live crawl: the product's `Member`, log, join, votes, crews, records, `LiveWorld` and processors, put
 * together as `crawl/nodes/` does; its web and its disk are those of the case.
 */
export function liveNode(one: LiveCrawl): Program {
  return async (surroundings) => {
    const { machine, server } = surroundings;
    const disk = one.disks[machine.slot];
    disk.lock(machine);
    const slots = server.slotsOf(machine);
    let lose: (error: unknown) => void = () => undefined;
    const lost = new Promise<never>((_, reject) => { lose = reject; });
    lost.catch(() => undefined);
    try {
      const member = await Member.enter({
        slots, node: machine.slot, token: `process ${machine.number}`, delayMs: one.owedMs, seenEpoch: disk.epoch,
        clock: { nowMs: () => machine.nowMs, sleep: async (ms) => machine.sleep(ms) },
        storeEpoch: async (epoch) => disk.write(surroundings, () => { disk.epoch = epoch; }), onLost: lose,
      });
      const result = await Promise.race([lost, new LiveNode(one, surroundings, member).sessions(slots.leaseMs)]);
      await member.leave();
      return result;
    } catch (error) {
      const mayStartAnew = error instanceof RestartError ||
        (error instanceof InputError && error.message.includes('is held by another process')) ||
        (error instanceof WorldError && error.message.includes('is no longer in the log'));
      if (mayStartAnew) throw new StartAnew(error.message);
      throw error;
    }
  };
}

/** A process that has a slot. */
class LiveNode {
  readonly #one: LiveCrawl;
  readonly #surroundings: Surroundings;
  readonly #member: Member;
  readonly #disk: Disk;
  readonly #downloads: Downloads;

  constructor(one: LiveCrawl, surroundings: Surroundings, member: Member) {
    this.#one = one;
    this.#surroundings = surroundings;
    this.#member = member;
    this.#disk = one.disks[surroundings.machine.slot];
    this.#downloads = new Downloads(one, surroundings, member);
  }

  /** Epoch by epoch, until the crawl has ended. */
  async sessions(leaseMs: number): Promise<string> {
    const { machine, server } = this.#surroundings;
    for (;;) {
      const { epoch } = this.#member;
      const log = new Log({ streams: server.streamsOf(machine), node: machine.slot, nodes: this.#one.nodes, epoch });
      const session: Session = { isOver: false, worlds: [] };
      log.onceFailed((error) => { for (const world of session.worlds) world.fail(error); });
      try {
        return await this.#session(log, session, leaseMs);
      } catch (error) {
        if (!(error instanceof EpochEnded)) throw error;
        await this.#member.follow(error);
      } finally {
        session.isOver = true;
        log.fail(new WorldError('the epoch has ended'));
        log.close();
      }
    }
  }

  async #session(log: Log, session: Session, leaseMs: number): Promise<string> {
    const { settings } = this.#one;
    const joined = await this.#joined(log, leaseMs);
    if (joined === undefined || joined.hasEnded) return this.#disk.result!;
    const { checkpoint: agreed = -1, peers } = joined;
    await this.#disk.write(this.#surroundings, () => {
      this.#disk.peers = peers;
      this.#disk.result = undefined;
      // Those of what is rolled back are of another crawl.
      this.#disk.keepCheckpoints((superstep) => superstep <= agreed);
    });
    const checkpoint = this.#disk.checkpoints.get(agreed);
    const { superstep: firstSuperstep, barrierUs: beginUs } = checkpoint ?? start;
    const history: History = { record: [...(checkpoint ?? start).record], rows: [...(checkpoint ?? start).rows] };
    const checkpoints = { last: agreed, superstep: firstSuperstep, sinceUs: beginUs, written: Promise.resolve() };
    const votes = new CheckpointVotes(
      log.nodes, agreed, () => this.#isDue(log.node, checkpoints.superstep, checkpoints.last),
    );
    const sinks = new Sinks([recorder(history), {
      superstepBegins: (superstep) => {
        checkpoints.superstep = superstep;
        if (votes.isTakenAt(superstep)) checkpoints.last = superstep;
      },
    }]);
    const processors = this.#processors(sinks, session, checkpoint, beginUs);
    const local = new LocalCrew({
      processors: [...processors],
      onReceived: (superstep) => {
        if (checkpoints.last !== superstep) return;
        checkpoints.written = this.#store({
          superstep, barrierUs: checkpoints.sinceUs, record: [...history.record], rows: [...history.rows],
          processors: processors.map(({ frontier }) => structuredClone(frontier.save(checkpoints.sinceUs))),
        });
        checkpoints.written.catch(() => undefined);
      },
    }, beginUs);
    const crews = await this.#crews(log, votes, sinceOf(local, checkpoints));
    const end = await crawl({
      crews, sinks, beginUs, firstSuperstep, ...crawlLimits(settings), breathe: () => checkpoints.written,
      transport: new MemoryTransport(settings.processors, { barrierUs: 0, pairUs: 0, messageUs: 0 }),
    });
    const result = JSON.stringify({ end, rows: history.rows });
    await this.#all(log, endedSeq);
    await this.#disk.write(this.#surroundings, () => {
      this.#disk.result = result;
      this.#disk.record = history.record;
    });
    await this.#all(log, resultSeq);
    // What is lost once a node has left for good is not made good.
    this.#surroundings.calm();
    return result;
  }

  /** Where the crawl has ended here, the others may have left: they are waited for as long as an answer takes. */
  async #joined(log: Log, leaseMs: number): Promise<Joined | undefined> {
    const { checkpoints, peers, result } = this.#disk;
    const joined = join(log, {
      identity: { web: 'one' }, id: `folder ${log.node}`, peers: [...peers], clockUs: 0, hasEnded: result !== undefined,
      checkpoints: [...checkpoints.keys()].sort((a, b) => a - b),
    });
    if (result === undefined) return joined;
    joined.catch(() => undefined);
    return Promise.race([joined, this.#surroundings.machine.sleep(2 * leaseMs).then(() => undefined)]);
  }

  #isDue(node: number, superstep: number, last: number): boolean {
    return superstep - last >= this.#one.checkpointSupersteps + node;
  }

  async #store(checkpoint: Checkpoint): Promise<void> {
    const { checkpoints } = this.#disk;
    return this.#disk.write(this.#surroundings, () => {
      checkpoints.set(checkpoint.superstep, checkpoint);
      const [, before = -1] = [...checkpoints.keys()].sort((a, b) => b - a);
      this.#disk.keepCheckpoints((one) => one >= before);
    });
  }

  async #crews(log: Log, votes: CheckpointVotes, own: Crew): Promise<readonly Crew[]> {
    const { settings: { processors }, nodes, web } = this.#one;
    const numbers: PageNumbers = {
      pageOf: (page) => ({ url: web.urlOf(page), depth: 0, redirects: 0 }),
      numbered: async (found) => {
        await this.#disk.write(this.#surroundings, () => undefined);
        return found.map(({ url }) => web.pageAt(url));
      },
    };
    const parts: LiveCrewParts = { log, votes, processors, nodeOf: (processor) => processor % nodes, numbers };
    const published = await PublishedLiveCrew.publish(own, parts);
    const peers = await Promise.all(this.#others(log).map(async (node) => PeerLiveCrew.open(node, parts)));
    return [...peers, published];
  }

  #processors(sinks: Sinks, session: Session, checkpoint: Checkpoint | undefined, beginUs: number) {
    const { settings, web } = this.#one;
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
    const processors = idsOf(machine.slot, this.#one).map((id, i) => {
      const world = new LiveWorld({ web: live, processor: id, politenessUs, nowUs: beginUs });
      session.worlds.push(world);
      const queue = createQueue({ ...settings.queue, seed: settings.seed });
      const saved = checkpoint && structuredClone(checkpoint.processors[i]);
      return newProcessor(shared, { id, world, queue, saved });
    });
    if (checkpoint === undefined) {
      for (const page of settings.seedPages)
        processors.find(({ options: { id } }) => id === ownerOf(page))?.frontier.seed(page);
    }
    return processors;
  }

  /** Writes a record, and waits for those of all. */
  async #all(log: Log, seq: number): Promise<void> {
    await log.put(seq, encodeRecord('result', () => undefined));
    await Promise.all(this.#others(log).map(async (node) => taken(log, node, seq, 'result', () => undefined)));
  }

  #others(log: Log): number[] {
    return Array.from({ length: this.#one.nodes }, (_, node) => node).filter((node) => node !== log.node);
  }
}

const start: Omit<Checkpoint, 'processors'> = { superstep: 0, barrierUs: 0, record: [], rows: [] };

interface Session {
  isOver: boolean;
  readonly worlds: LiveWorld[];
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

/** The crew, which says when each superstep began. */
function sinceOf(crew: Crew, begun: { sinceUs: number }): Crew {
  return {
    ids: crew.ids, standings: crew.standings, asked: (superstep) => crew.asked(superstep),
    begin: async (work) => {
      begun.sinceUs = work.sinceUs;
      return crew.begin(work);
    },
    settle: async (settlement) => crew.settle(settlement), revive: async (resumedUs) => crew.revive(resumedUs),
  };
}

function idsOf(node: number, { nodes, settings }: LiveCrawl): number[] {
  return Array.from({ length: settings.processors }, (_, id) => id).filter((id) => id % nodes === node);
}

/** What a process asks of the web: one request at a time of each host, also over sessions, and only while it may. */
class Downloads {
  readonly #one: LiveCrawl;
  readonly #surroundings: Surroundings;
  readonly #member: Member;
  readonly #underWay = new Map<string, Promise<Answered>>();
  /** When each host may be asked again; waits for who asks it now. */
  readonly #hosts = new Map<number, Promise<number>>();

  constructor(one: LiveCrawl, surroundings: Surroundings, member: Member) {
    this.#one = one;
    this.#surroundings = surroundings;
    this.#member = member;
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
    if (!session.isOver) await this.#member.permit();
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
