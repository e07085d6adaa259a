import type { Crew } from '../../../core/engine/index.ts';
import { WorldError } from '../../../base/index.ts';
import { othersOf, taken } from '../crews/nodes.ts';
import { resultSeq } from '../crews/sequence.ts';
import { EpochEnded, Log, type LogOptions } from '../log/log.ts';
import type { Streams } from '../log/streams.ts';
import { encodeRecord } from '../records/record.ts';
import type { Slots } from '../slots/slots.ts';
import { CheckpointVotes } from './checkpoint-votes.ts';
import { endOf, join, type Joined } from './join.ts';
import { PeerLiveCrew, PublishedLiveCrew, type LiveCrewParts } from './live-crews.ts';
import type { HostAddresses } from './host-addresses.ts';
import type { PageNumbers } from './live-letters.ts';
import { endStoredSeq, loopEndedSeq, putJoin, takeJoin, type Join } from './live-records.ts';
import { Member, type MemberClock, type MemberOptions } from './member.ts';

/** What a node's folder has of the crawl's other nodes. */
export interface NodeStore {
  /** The highest epoch that the node has come to; 0 before the first. */
  readonly epoch: number;
  storeEpoch(epoch: number): Promise<void>;
  /** What the node says of itself, as the folder is now. */
  said(): Join;
  /** The crawl goes on from what all agreed in: what came after that is forgotten, an end too. */
  goBackTo(joined: Joined): Promise<void>;
  /** The crawl, which has ended here, has ended on every node: nobody asks for this one any more. */
  storeEndOfAll(): Promise<void>;
}

/** What a node does between its joins, and at the end. */
export interface NodeWork<E, R> {
  /** Runs from where all go on to the end of the crawl; resolves when last checkpoint and end are stored. */
  run(joined: Joined, epoch: LiveEpoch): Promise<E>;
  /** The run that has ended in an earlier epoch. */
  ended(): Promise<E>;
  /** What the crawl has come to; asked when it has ended on every node. */
  result(ended: E): Promise<R>;
  /** The epoch is over: its processors are given up, before the next one is joined. */
  letGo(): Promise<void>;
}

export interface LiveNodeOptions {
  readonly node: number;
  readonly nodes: number;
  /** Another one for every process. */
  readonly token: string;
  readonly slots: Slots;
  /** A connection for one epoch. */
  readonly connect: () => Streams;
  readonly clock: MemberClock;
  /** The longest delay that a host may be owed. */
  readonly delayMs: number;
  readonly store: NodeStore;
  readonly onIdle?: LogOptions['onIdle'];
  /** As of `Member`. */
  readonly onWait?: MemberOptions['onWait'];
}

/** A process that has the slot of its node: joins one epoch after another, until the crawl has ended on all nodes. */
export class LiveNode {
  readonly #options: LiveNodeOptions;
  #member!: Member;
  /** Of the epoch. */
  #log: Log | undefined;
  /** Why it must end. */
  #over: { readonly error: unknown } | undefined;

  private constructor(options: LiveNodeOptions) {
    this.#options = options;
  }

  /** Takes the slot. @throws as `Member.enter`. */
  static async enter(options: LiveNodeOptions): Promise<LiveNode> {
    const one = new LiveNode(options);
    const { store } = options;
    one.#member = await Member.enter({
      ...options, seenEpoch: store.epoch, storeEpoch: async (epoch) => store.storeEpoch(epoch),
      onLost: (error) => { one.end(error); },
    });
    return one;
  }

  /** Resolves when a request may be made at once. @throws RestartError if the slot was lost. */
  async permit(): Promise<void> {
    await this.#member.permit();
  }

  /** Whatever it does ends with this error. */
  end(error: unknown): void {
    this.#over ??= { error };
    this.#log?.fail(error);
  }

  /** Gives the slot back. */
  async leave(): Promise<void> {
    await this.#member.leave();
  }

  /**
   * Epoch by epoch, until the crawl has ended on every node.
   * @throws what `end` was given; RestartError if another process has taken the slot; as `join` and the work.
   */
  async run<E, R>(work: NodeWork<E, R>): Promise<R> {
    for (;;) {
      const ended = await this.#epoch(work);
      if (ended !== undefined) return ended.result;
    }
  }

  /** @returns undefined if another epoch has begun, which is to be joined. */
  async #epoch<E, R>(work: NodeWork<E, R>): Promise<{ readonly result: R } | undefined> {
    const { node, nodes, connect, onIdle } = this.#options;
    this.#check();
    const log = this.#log = new Log({ streams: connect(), node, nodes, epoch: this.#member.epoch, onIdle });
    try {
      return { result: await work.result(await this.#joined(log, work)) };
    } catch (error) {
      this.#check();
      if (!(error instanceof EpochEnded)) throw error;
      await this.#member.follow(error);
      return undefined;
    } finally {
      // Whatever still works for the epoch finds it ended.
      log.fail(new WorldError('the epoch has ended'));
      await work.letGo();
      log.close();
    }
  }

  /**
   * A node leaves for good only when it knows that the crawl has ended on every node: until then each may have to go
   * back to a checkpoint, with one that ended before it had stored its own end.
   */
  async #joined<E>(log: Log, work: NodeWork<E, unknown>): Promise<E> {
    const { store } = this.#options;
    const joined = await this.#join(log, store.said());
    const ended = joined.ended === 'nowhere' ? await this.#run(log, joined, work) : await work.ended();
    await store.storeEndOfAll();
    await log.put(resultSeq, encodeRecord('join', (writer) => { putJoin(writer, store.said()); }));
    if (joined.ended !== 'everywhere') {
      // They may be away, and find it in the log when they are back.
      const told = Promise.all(othersOf(log).map(async (node) => taken(log, node, resultSeq, 'join', takeJoin)));
      await Promise.race([told, this.#twoLeases()]);
    }
    await log.complete();
    return ended;
  }

  /** Where this one knows that the crawl has ended everywhere, the others may have left: none of them needs to come. */
  async #join(log: Log, own: Join): Promise<Joined> {
    const joined = join(log, own);
    if (own.ended !== 'everywhere') return joined;
    return Promise.race([joined, this.#twoLeases().then(() => endOf(own))]);
  }

  /** From where all go on until the end is stored on each. */
  async #run<E>(log: Log, joined: Joined, work: NodeWork<E, unknown>): Promise<E> {
    await this.#options.store.goBackTo(joined);
    const ended = await work.run(joined, new LiveEpoch(log, joined.checkpoint));
    await reached(log, endStoredSeq);
    return ended;
  }

  /** As long as a process that was killed has its slot, and another one needs to come. */
  async #twoLeases(): Promise<void> {
    const { clock, slots } = this.#options;
    await clock.sleep(2 * slots.leaseMs);
  }

  /** @throws what it must end with. */
  #check(): void {
    if (this.#over !== undefined) throw this.#over.error;
  }
}

/** What the nodes of an epoch have to do with the run of one. */
export class LiveEpoch {
  readonly number: number;
  readonly #log: Log;
  /** The last one that was taken, or gone back to; -1 at the start of the crawl. */
  readonly #checkpoint: number;
  #votes: CheckpointVotes | undefined;

  constructor(log: Log, checkpoint = -1) {
    this.number = log.epoch;
    this.#log = log;
    this.#checkpoint = checkpoint;
  }

  /**
   * All crews of the crawl, made of that of this node; waits until every node is ready.
   * @param isDue whether a checkpoint is due, as far as this node is concerned.
   * @param onOver called with an error when the epoch is over: nothing may wait for the web any more.
   */
  async crews(own: Crew, { isDue, onOver, ...known }: {
    readonly processors: number; readonly numbers: PageNumbers; readonly addresses: HostAddresses;
    readonly isDue: () => boolean; readonly onOver: (error: unknown) => void;
  }): Promise<readonly Crew[]> {
    const log = this.#log;
    log.onceFailed(onOver);
    const votes = this.#votes = new CheckpointVotes(log.nodes, this.#checkpoint, isDue);
    const parts: LiveCrewParts = { ...known, log, votes, nodeOf: (processor) => processor % log.nodes };
    const published = await PublishedLiveCrew.publish(own, parts);
    const peers = await Promise.all(othersOf(log).map(async (node) => PeerLiveCrew.open(node, parts)));
    return [...peers, published];
  }

  /** Whether all nodes take a checkpoint before this superstep; asked once, as it begins. */
  isCheckpoint(superstep: number): boolean {
    return this.#votes?.isTakenAt(superstep) === true;
  }

  /** The loop has ended here: waits until it has on all nodes. The last checkpoint is not to be stored before. */
  async loopEnded(): Promise<void> {
    await reached(this.#log, loopEndedSeq);
  }
}

/** Writes the record, and waits for those of all. */
async function reached(log: Log, seq: number): Promise<void> {
  await log.put(seq, encodeRecord('result', () => undefined));
  await Promise.all(othersOf(log).map(async (node) => taken(log, node, seq, 'result', () => undefined)));
}
