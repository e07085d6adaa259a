import { MemoryTransport } from '../../../src/bsp/index.ts';
import { PageIndex, WorldError } from '../../../src/base/index.ts';
import { EpochEnded, HeldSlot, Log } from '../../../src/cluster/index.ts';
import { PeerCrew } from '../../../src/cluster/crews/peer-crew.ts';
import { OwnOutcomes, PublishedCrew } from '../../../src/cluster/crews/published-crew.ts';
import { arrivalSeq, readySeq, resultSeq } from '../../../src/cluster/crews/sequence.ts';
import { putStandings } from '../../../src/cluster/records/crew-records.ts';
import { encodeRecord } from '../../../src/cluster/records/record.ts';
import { crawl, crawlLimits, LocalCrew, newProcessor, type Crew } from '../../../src/engine/index.ts';
import { Sinks, type RunSink } from '../../../src/events/index.ts';
import { LiveWorld, type Download, type Web } from '../../../src/live/index.ts';
import { shippedPolicies } from '../../../src/policy/index.ts';
import { createQueue } from '../../../src/queue/index.ts';
import type { SettledExperiment } from '../../../src/settings/index.ts';
import type { CrawledWeb } from './crawled-web.ts';
import type { Checkpoint, Disk, Recorded } from './disk.ts';
import { SessionClock } from './session-clock.ts';
import { StartAnew, type Program, type Surroundings } from './supervised.ts';

export interface LiveCrawl {
  readonly settings: SettledExperiment;
  readonly nodes: number;
  /** Supersteps between checkpoints, at least two: with the last two stored, all nodes have one in common. */
  readonly checkpointSupersteps: number;
  readonly web: CrawledWeb;
  readonly disks: readonly Disk[];
  /** The longest that a host may be owed, from the start of a request on. */
  readonly owedMs: number;
}

/** Before `readySeq`; streams in memory take it. */
const joinSeq = 0.5;

/**
 * A node of a live crawl as `src/cluster/README.md` describes it, over the product's own loop, crews, log and slot: its
 * web and its disk are those of the case.
 */
export function liveNode(one: LiveCrawl): Program {
  return async (surroundings) => {
    const { machine, server } = surroundings;
    const disk = one.disks[machine.slot];
    const slots = server.slotsOf(machine);
    // Before the slot is taken: whoever comes next then knows that this one may have had it, and begins a later epoch
    // than this one, also if the server loses all of it before the epoch is stored.
    const isFirst = disk.claimedEpoch === 0;
    let seenEpoch = 0;
    await disk.write(surroundings, Infinity, () => {
      seenEpoch = disk.claimedEpoch = Math.max(disk.claimedEpoch, disk.epoch) + 1;
    });
    const slot = await HeldSlot.take({
      slots, claimant: { slot: machine.slot, token: `process ${machine.number}`, seenEpoch }, delayMs: one.owedMs,
      isFirst, nowMs: () => machine.nowMs,
    }).catch((error: unknown) => { throw new StartAnew(String(error)); });
    const node = new LiveNode(one, surroundings, slot);
    return Promise.race([node.renewed(slots.leaseMs), node.sessions()]);
  };
}

/** A process that has a slot. */
class LiveNode {
  readonly #one: LiveCrawl;
  readonly #surroundings: Surroundings;
  readonly #slot: HeldSlot;
  readonly #disk: Disk;
  readonly #downloads: Downloads;

  constructor(one: LiveCrawl, surroundings: Surroundings, slot: HeldSlot) {
    this.#one = one;
    this.#surroundings = surroundings;
    this.#slot = slot;
    this.#disk = one.disks[surroundings.machine.slot];
    this.#downloads = new Downloads(one, surroundings, slot);
  }

  /** Renews the lease for as long as that succeeds. */
  async renewed(leaseMs: number): Promise<never> {
    for (;;) {
      await this.#surroundings.machine.sleep(leaseMs / 8);
      await this.#slot.renew().catch((error: unknown) => { throw new StartAnew(String(error)); });
    }
  }

  /** One session after another: each begins where all nodes have a checkpoint, and in an epoch of all. */
  async sessions(): Promise<string> {
    const { machine, server } = this.#surroundings;
    for (;;) {
      const { epoch } = this.#slot;
      await this.#disk.write(this.#surroundings, epoch, () => { this.#disk.epoch = epoch; });
      const log = new Log({ streams: server.streamsOf(machine), node: machine.slot, nodes: this.#one.nodes, epoch });
      const session = { isOver: false, epoch };
      try {
        return await this.#session(log, session);
      } catch (error) {
        if (error instanceof WorldError && error.message.includes('is no longer in the log'))
          throw new StartAnew(error.message);
        if (!(error instanceof EpochEnded)) throw error;
        if (error.node === machine.slot) throw new StartAnew(error.message);
        this.#slot.follow(error.epoch);
        await this.#slot.renew().catch((refusal: unknown) => { throw new StartAnew(String(refusal)); });
      } finally {
        session.isOver = true;
        log.close();
      }
    }
  }

  async #session(log: Log, session: Session): Promise<string> {
    const { settings, nodes, checkpointSupersteps, web } = this.#one;
    const checkpoint = await this.#agreed(log, session.epoch);
    const { superstep: firstSuperstep, barrierUs: beginUs, record: before } = checkpoint ?? start;
    const record: Recorded[] = [...before];
    const places = {
      nodeOf: (processor: number) => processor % nodes, processors: settings.processors, pages: web.graph.pages,
    };
    const outcomes = new OwnOutcomes((processor) => places.nodeOf(processor) === log.node);
    // Others may be heard of a superstep before this node has received the messages of it.
    let recordedBefore = 0;
    const recorder: RunSink = {
      superstepBegins: () => { recordedBefore = record.length; },
      outcome: (processor, { sequence, page, kind, startedAtUs, finishedAtUs }) => {
        record.push([processor, sequence, page, kind, startedAtUs, finishedAtUs]);
      },
      superstep: ({ superstep }) => log.trim(arrivalSeq(superstep)),
    };
    const sinks = new Sinks([outcomes, recorder]);
    const processors = this.#processors(sinks, session, checkpoint, beginUs);
    let written: Promise<void> = Promise.resolve();
    let sinceUs = beginUs;
    const onReceived = (superstep: number): void => {
      if (superstep % checkpointSupersteps !== 0) return;
      const saved: Checkpoint = {
        superstep, barrierUs: sinceUs, record: record.slice(0, recordedBefore),
        processors: processors.map(({ frontier }) => structuredClone(frontier.save(sinceUs))),
      };
      written = this.#store(saved, session.epoch);
      written.catch(() => undefined);
    };
    const local = new LocalCrew({ processors, onReceived }, beginUs);
    const own: Crew = {
      ids: local.ids, standings: local.standings, asked: (superstep) => local.asked(superstep),
      begin: async (work) => {
        ({ sinceUs } = work);
        return local.begin(work);
      },
      settle: async (settlement) => local.settle(settlement), revive: async (resumedUs) => local.revive(resumedUs),
    };
    await log.put(readySeq, encodeRecord('ready', (writer) => { putStandings(writer, own.standings); }));
    const peers = await Promise.all(this.#others(log).map(async (sender) => PeerCrew.open({
      ids: idsOf(sender, this.#one), log, sinks, fetchedOf: () => undefined,
      places: { ...places, sender, reader: log.node },
    })));
    const end = await crawl({
      crews: [...peers, new PublishedCrew(own, { log, outcomes, places })], sinks, beginUs, firstSuperstep,
      ...crawlLimits(settings),
      transport: new MemoryTransport(settings.processors, { barrierUs: 0, pairUs: 0, messageUs: 0 }),
      breathe: () => written,
    });
    return this.#leave(log, end, record);
  }

  /** The last checkpoint that all nodes have; undefined for the seed pages. */
  async #agreed(log: Log, epoch: number): Promise<Checkpoint | undefined> {
    const { checkpoints } = this.#disk;
    await log.put(joinSeq, Buffer.from(JSON.stringify([...checkpoints.keys()])));
    const theirs = await Promise.all(this.#others(log).map(async (other) => (
      JSON.parse(Buffer.from(await log.get(other, joinSeq)).toString()) as number[]
    )));
    const common = Math.max(-1, ...[...checkpoints.keys()].filter((one) => theirs.every((list) => list.includes(one))));
    await this.#disk.write(this.#surroundings, epoch, () => { this.#disk.keepCheckpoints((one) => one <= common); });
    return checkpoints.get(common);
  }

  async #store(checkpoint: Checkpoint, epoch: number): Promise<void> {
    const { checkpoints } = this.#disk;
    return this.#disk.write(this.#surroundings, epoch, () => {
      checkpoints.set(checkpoint.superstep, checkpoint);
      const [, before = -1] = [...checkpoints.keys()].sort((a, b) => b - a);
      this.#disk.keepCheckpoints((one) => one >= before);
    });
  }

  #processors(sinks: Sinks, session: Session, checkpoint: Checkpoint | undefined, beginUs: number) {
    const { settings, web } = this.#one;
    const { machine } = this.#surroundings;
    const politenessUs = Math.round(1000 * settings.politenessMs);
    const clock = new SessionClock(machine, beginUs);
    const ownerOf = (page: number): number => web.hostOf(page) % settings.processors;
    const live: Web = {
      clock: clock as unknown as Web['clock'], hostOf: (page) => web.hostOf(page),
      download: async ({ page, attempt }) => this.#downloads.download(page, attempt, session),
    };
    const shared = {
      settings, policies: shippedPolicies, seedPages: settings.seedPages.length,
      exchange: { exchange: 'bulk', exchangeBatch: 1 } as const, pageIndex: new PageIndex(), ownerOf,
      onOutcome: sinks.outcome,
    };
    const processors = idsOf(machine.slot, this.#one).map((id, i) => newProcessor(shared, {
      id, world: new LiveWorld(live, politenessUs, beginUs), queue: createQueue({ ...settings.queue, seed: settings.seed }),
      saved: checkpoint && structuredClone(checkpoint.processors[i]),
    }));
    if (checkpoint === undefined) {
      for (const page of settings.seedPages)
        processors.find(({ options: { id } }) => id === ownerOf(page))?.frontier.seed(page);
    }
    return processors;
  }

  /** Waits until all nodes have ended. */
  async #leave(log: Log, end: string, record: readonly Recorded[]): Promise<string> {
    const sorted = [...record].sort((a, b) => a[5] - b[5] || a[0] - b[0] || a[1] - b[1]);
    const result = JSON.stringify({ end, record: sorted });
    await log.put(resultSeq, Buffer.from(end));
    // What is lost once a node has left for good is not made good.
    this.#surroundings.calm();
    await Promise.all(this.#others(log).map(async (other) => log.get(other, resultSeq)));
    return result;
  }

  #others(log: Log): number[] {
    return Array.from({ length: this.#one.nodes }, (_, node) => node).filter((node) => node !== log.node);
  }
}

const start: Pick<Checkpoint, 'superstep' | 'barrierUs' | 'record'> = { superstep: 0, barrierUs: 0, record: [] };

interface Session {
  isOver: boolean;
  readonly epoch: number;
}

function idsOf(node: number, { nodes, settings }: LiveCrawl): number[] {
  return Array.from({ length: settings.processors }, (_, id) => id).filter((id) => id % nodes === node);
}

/** What a process asks of the web: one request at a time of each host, also over sessions, and only while it may. */
class Downloads {
  readonly #one: LiveCrawl;
  readonly #surroundings: Surroundings;
  readonly #slot: HeldSlot;
  readonly #underWay = new Map<string, Promise<Download>>();
  /** When each host may be asked again; waits for who asks it now. */
  readonly #hosts = new Map<number, Promise<number>>();

  constructor(one: LiveCrawl, surroundings: Surroundings, slot: HeldSlot) {
    this.#one = one;
    this.#surroundings = surroundings;
    this.#slot = slot;
  }

  async download(page: number, attempt: number, session: Session): Promise<Download | undefined> {
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
    while (!this.#slot.isSure && !session.isOver) await machine.sleep(20);
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

  #known(page: number, attempt: number): Download | Promise<Download> | undefined {
    const stored = this.#one.disks[this.#surroundings.machine.slot].outcome(page, attempt);
    return stored ?? this.#underWay.get(`${page} ${attempt}`);
  }

  /** The outcome is stored before the scheduler sees it. */
  async #ask(page: number, attempt: number): Promise<Download> {
    const { web, disks } = this.#one;
    const disk = disks[this.#surroundings.machine.slot];
    const answer = await web.ask(this.#surroundings, page, attempt, disk.outcome(page, attempt) !== undefined);
    await disk.write(this.#surroundings, this.#slot.epoch, () => { disk.store(page, attempt, answer); });
    return answer;
  }
}
