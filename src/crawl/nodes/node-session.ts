import { randomUUID } from 'node:crypto';
import { join as pathOf } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  CheckpointVotes, CountedCrew, encodeRecord, endedSeq, EpochEnded, join, Log, Member, PeerLiveCrew, PublishedLiveCrew,
  resultSeq, systemClock, taken, type Identity, type Join, type Joined, type LiveCrewParts,
} from '../../cluster/index.ts';
import type { RunEnd } from '../../events/index.ts';
import type { CrawlStore, LiveWorld } from '../../live/index.ts';
import { WorldError } from '../../base/index.ts';
import { decodeCheckpoint } from '../checkpoint/checkpoint.ts';
import type { LiveCrawlOptions, LiveResult, StoredCrawl } from '../live-crawl.ts';
import { Closing } from '../session/live-parts.ts';
import { latestUs, openCrawl, type OpenedCrawl } from '../session/opened-crawl.ts';
import { GRACE_MS, resultOfRun, runFrom, type EndedRun, type SharedRun } from '../session/run.ts';
import { identityOf } from './identity.ts';
import type { NodeOptions } from './node-options.ts';

/** Names of marks in the store: the highest epoch, the ids of all nodes' folders, and how the crawl has ended. */
const EPOCH = 'epoch';
const PEERS = 'peers';
const ENDED = 'ended';

/**
 * Runs this node's part of a crawl to the end of the crawl, however often other nodes end and come back. What it opens
 * it closes; the store stays open.
 *
 * @throws RestartError if another process has taken the node's slot; InputError where the nodes' settings or folders do
 * not belong together; WorldError if the disk fails, or the node is interrupted.
 */
export async function runNode(
  folder: string, store: CrawlStore, stored: StoredCrawl, options: LiveCrawlOptions, part: NodeOptions,
): Promise<LiveResult> {
  const session = new NodeSession(store, stored, options, part);
  const parts = new Closing();
  try {
    await session.enter();
    const opened = await openCrawl(parts, folder, store, stored, options, {
      node: part.node, nodes: part.nodes, permit: () => session.permit(),
    });
    return await session.run(opened);
  } finally {
    await session.leave();
    await parts.close();
  }
}

class NodeSession {
  readonly #store: CrawlStore;
  readonly #part: NodeOptions;
  readonly #options: LiveCrawlOptions;
  readonly #stored: StoredCrawl;
  readonly #identity: Identity;
  #member: Member | undefined;
  /** The log of the epoch, and the Worlds of its processors. */
  #log: Log | undefined;
  #worlds: readonly LiveWorld[] = [];
  /** Its own crew. */
  #counted: CountedCrew | undefined;
  /** Why the session must end: it was interrupted, or lost its slot. */
  #over: { readonly error: unknown } | undefined;
  #isInterrupted = false;
  readonly #interrupt = (): void => {
    this.#isInterrupted = true;
    this.#end(new WorldError(
      `node ${this.#part.node} was interrupted; the others wait until it is started again, with --resume`,
    ));
  };

  constructor(store: CrawlStore, stored: StoredCrawl, options: LiveCrawlOptions, part: NodeOptions) {
    this.#store = store;
    this.#stored = stored;
    this.#options = options;
    this.#part = part;
    this.#identity = identityOf(stored, part.nodes, options);
  }

  /** Takes the slot. */
  async enter(): Promise<void> {
    const { node, meeting, clock = systemClock } = this.#part;
    const { experiment } = this.#stored;
    await meeting.hold(this.#identity);
    this.#member = await Member.enter({
      slots: meeting.slots, node, token: randomUUID(), clock,
      // Longer delays of hosts, which asked for them or failed, are in the store.
      delayMs: experiment.politenessMs,
      seenEpoch: Number(this.#store.marked(EPOCH) ?? 0),
      storeEpoch: async (epoch) => this.#store.mark(EPOCH, String(epoch)),
      onLost: (error) => { this.#end(error); },
    });
    meeting.show?.(() => this.#counted?.pages);
    const { signal } = this.#options;
    signal?.addEventListener('abort', this.#interrupt);
    if (signal?.aborted === true) this.#interrupt();
  }

  async permit(): Promise<void> {
    await this.#member?.permit();
  }

  async leave(): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#interrupt);
    await this.#member?.leave();
  }

  /** Epoch by epoch, until the crawl has ended. */
  async run(opened: OpenedCrawl): Promise<LiveResult> {
    for (;;) {
      const ended = await this.#epoch(opened);
      if (ended !== undefined) return ended;
    }
  }

  /** @returns undefined if another epoch has begun, which is to be joined. */
  async #epoch(opened: OpenedCrawl): Promise<LiveResult | undefined> {
    const { node, nodes, meeting, onIdle } = this.#part;
    const member = this.#member!;
    this.#check();
    const log = this.#log = new Log({ streams: meeting.connect(), node, nodes, epoch: member.epoch, onIdle });
    const parts = new Closing();
    log.onceFailed((error) => {
      for (const world of this.#worlds) world.fail(error);
    });
    try {
      return await this.#joined(parts, log, opened);
    } catch (error) {
      this.#check();
      if (!(error instanceof EpochEnded)) throw error;
      await member.follow(error);
      return undefined;
    } finally {
      // Whatever still works for the epoch finds it ended.
      log.fail(new WorldError('the epoch has ended'));
      if (this.#isInterrupted) await this.#downloadsEnd(opened);
      await opened.web.letGo();
      await setImmediate();
      this.#worlds = [];
      await parts.close();
      log.close();
    }
  }

  /** As where a crawl on one machine is interrupted: what is under way has some time to end, and is stored. */
  async #downloadsEnd({ web }: OpenedCrawl): Promise<void> {
    const { clock = systemClock } = this.#part;
    await Promise.race([web.whenIdle(), clock.sleep(this.#options.graceMs ?? GRACE_MS)]);
  }

  async #joined(parts: Closing, log: Log, opened: OpenedCrawl): Promise<LiveResult> {
    const store = this.#store;
    const ended = this.#endStored();
    const own: Join = {
      identity: this.#identity, id: this.#stored.cluster!.id,
      peers: JSON.parse(store.marked(PEERS) ?? '[]') as string[],
      checkpoints: store.checkpoints(), clockUs: latestUs(store), hasEnded: ended !== undefined,
    };
    const joined = await this.#joinedBy(log, own);
    if (joined === undefined || joined.hasEnded) return resultOfRun(opened, await this.#again(parts, opened, ended!));
    const { checkpoint, clockUs, peers } = joined;
    if (own.peers.length === 0) await store.mark(PEERS, JSON.stringify(peers));
    if (own.hasEnded) await store.mark(ENDED, '');
    await store.goBackTo(checkpoint ?? -1);
    opened.web.goOnAt(clockUs);
    this.#part.onJoined?.(checkpoint ?? 0, log.epoch);
    const from = this.#checkpoint(checkpoint, opened);
    const run = await runFrom(parts, opened, from, this.#shared(log, opened, checkpoint));
    await store.mark(ENDED, JSON.stringify([run.session.ended, this.#limits]));
    await this.#all(log, resultSeq);
    return resultOfRun(opened, run);
  }

  /** Where the crawl has ended here, the others may have left: they are waited for as long as an answer takes. */
  async #joinedBy(log: Log, own: Join): Promise<Joined | undefined> {
    const joined = join(log, own);
    if (!own.hasEnded) return joined;
    joined.catch(() => undefined);
    const { clock = systemClock, meeting } = this.#part;
    return Promise.race([joined, clock.sleep(2 * meeting.slots.leaseMs).then(() => undefined)]);
  }

  #checkpoint(superstep: number | undefined, { folder }: OpenedCrawl): ReturnType<typeof decodeCheckpoint> | undefined {
    const saved = superstep === undefined ? undefined : this.#store.checkpointOf(superstep);
    return saved && decodeCheckpoint(saved, pathOf(folder, 'store'));
  }

  #shared(log: Log, { settings: { processors }, urls, web }: OpenedCrawl, checkpoint = -1): SharedRun {
    const { nodes } = this.#part;
    let votes: CheckpointVotes | undefined;
    return {
      join: async (own, { worlds, checkpoints }) => {
        this.#worlds = worlds;
        votes = new CheckpointVotes(nodes, checkpoint, () => checkpoints.isDue);
        const parts: LiveCrewParts = {
          log, votes, processors, nodeOf: (processor) => processor % nodes,
          numbers: {
            numbered: async (found) => web.numbered(found),
            pageOf: (page) => ({
              url: urls.urlOf(page), depth: urls.depthOf(page), redirects: urls.redirectsOf(page),
            }),
          },
        };
        const counted = this.#counted = new CountedCrew(own);
        const published = await PublishedLiveCrew.publish(counted, parts);
        const peers = await Promise.all(this.#others.map(async (node) => PeerLiveCrew.open(node, parts)));
        return [...peers, published];
      },
      isCheckpoint: (superstep) => votes?.isTakenAt(superstep) === true,
      beforeLast: async () => this.#all(log, endedSeq),
    };
  }

  /** Writes a record, and waits for those of all. */
  async #all(log: Log, seq: number): Promise<void> {
    await log.put(seq, encodeRecord('result', () => undefined));
    await Promise.all(this.#others.map(async (node) => taken(log, node, seq, 'result', () => undefined)));
  }

  get #others(): number[] {
    return Array.from({ length: this.#part.nodes }, (_, node) => node).filter((node) => node !== this.#part.node);
  }

  /** How the crawl has ended, if its limits are still the same. */
  #endStored(): RunEnd | undefined {
    const text = this.#store.marked(ENDED) ?? '';
    if (text === '') return undefined;
    const [end, limits] = JSON.parse(text) as [RunEnd, string];
    return limits === this.#limits ? end : undefined;
  }

  get #limits(): string {
    const { maxPages, maxSeconds } = this.#stored.experiment;
    return JSON.stringify([maxPages, maxSeconds]);
  }

  /** The run that has ended, from its last checkpoint. */
  async #again(parts: Closing, opened: OpenedCrawl, end: RunEnd): Promise<EndedRun> {
    const last = this.#checkpoint(this.#store.checkpoints().at(-1), opened);
    const processors = last?.processors.map((one) => ({ ...one, downloads: [] }));
    return runFrom(parts, opened, last && { ...last, processors: processors ?? [] }, undefined, end);
  }

  /** @throws what the session must end with. */
  #check(): void {
    if (this.#over !== undefined) throw this.#over.error;
  }

  #end(error: unknown): void {
    this.#over ??= { error };
    this.#log?.fail(error);
  }
}
