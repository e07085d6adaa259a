import type { Crew } from '../../../core/engine/index.ts';
import { WorldError } from '../../../base/index.ts';
import { othersOf, resultSeq, taken } from '../crews/nodes.ts';
import { EpochEnded, Log, type LogOptions } from '../log/log.ts';
import type { Streams } from '../log/streams.ts';
import { encodeRecord } from '../records/record.ts';
import { CheckpointVotes } from './checkpoint-votes.ts';
import { agree, agreementAtEnd, type Agreement } from './agree.ts';
import { peerLiveCrew, publishedLiveCrew, type LiveCrewParts } from './live-crews.ts';
import { endStoredSeq, loopEndedSeq, putNodeState, takeNodeState, type NodeState } from './live-records.ts';
import { Member, type MemberOptions } from './member.ts';

/** What a node's folder knows about the crawl on all nodes. */
export interface NodeStore {
  /** The highest epoch that the node has come to; 0 before the first. */
  readonly epoch: number;
  storeEpoch(epoch: number): Promise<void>;
  /** The state of the node, as the folder is now. */
  state(): NodeState;
  /** The crawl goes on from the agreed checkpoint: later checkpoints are forgotten, and an end. */
  goBackTo(agreement: Agreement): Promise<void>;
  /** The crawl, which has ended here, has ended on every node: nobody asks for this one any more. */
  storeEndOfAll(): Promise<void>;
}

/** What a node does between two agreements, and at the end. */
export interface NodeWork<E, R> {
  /** Runs from the agreed checkpoint to the end of the crawl; resolves when last checkpoint and end are stored. */
  run(agreement: Agreement, epoch: LiveEpoch): Promise<E>;
  /** The run that has ended in an earlier epoch. */
  ended(): Promise<E>;
  /** The result of the crawl; asked when it has ended on every node. */
  result(ended: E): Promise<R>;
  /** The epoch is over: its processors are given up, before the nodes agree on the next one. */
  letGo(): Promise<void>;
}

export interface LiveNodeOptions
  extends Pick<MemberOptions, 'node' | 'token' | 'slots' | 'clock' | 'delayMs' | 'onWait'>, Pick<LogOptions, 'onIdle'> {
  readonly nodes: number;
  /** A connection for one epoch. */
  readonly connect: () => Streams;
  readonly store: NodeStore;
}

/** A process that has the slot of its node: takes part in one epoch after another, until the crawl has ended on all. */
export class LiveNode {
  readonly #options: LiveNodeOptions;
  #member!: Member;
  /** The log of the epoch. */
  #log: Log | undefined;
  /** Why it must end. */
  #over: { readonly error: unknown } | undefined;

  private constructor(options: LiveNodeOptions) {
    this.#options = options;
  }

  /** Takes the slot. @throws as `Member.enter`. */
  static async enter(options: LiveNodeOptions): Promise<LiveNode> {
    const liveNode = new LiveNode(options);
    const { store } = options;
    liveNode.#member = await Member.enter({
      ...options, seenEpoch: store.epoch, storeEpoch: async (epoch) => store.storeEpoch(epoch),
      onLost: (error) => { liveNode.end(error); },
    });
    return liveNode;
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

  async leave(): Promise<void> {
    await this.#member.leave();
  }

  /**
   * Epoch by epoch, until the crawl has ended on every node.
   * @throws the error of `end`; RestartError if another process has taken the slot; as `agree` and the work.
   */
  async run<E, R>(work: NodeWork<E, R>): Promise<R> {
    for (;;) {
      const ended = await this.#epoch(work);
      if (ended !== undefined) return ended.result;
    }
  }

  /** @returns undefined if another epoch has begun, which is next. */
  async #epoch<E, R>(work: NodeWork<E, R>): Promise<{ readonly result: R } | undefined> {
    const { node, nodes, connect, onIdle } = this.#options;
    this.#check();
    const log = this.#log = new Log({ streams: connect(), node, nodes, epoch: this.#member.epoch, onIdle });
    try {
      return { result: await work.result(await this.#takePart(log, work)) };
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

  async #takePart<E>(log: Log, work: NodeWork<E, unknown>): Promise<E> {
    const agreement = await this.#agree(log, this.#options.store.state());
    const ended = agreement.ended === 'nowhere' ? await this.#catchUp(log, agreement, work) : await work.ended();
    await this.#finish(log, agreement);
    return ended;
  }

  /** If this one knows that the crawl has ended everywhere, the others may have left: none of them needs to come. */
  async #agree(log: Log, ours: NodeState): Promise<Agreement> {
    const agreement = agree(log, ours);
    if (ours.ended !== 'everywhere') return agreement;
    return Promise.race([agreement, this.#twoLeases().then(() => agreementAtEnd(ours))]);
  }

  /** Goes back to the agreed checkpoint, and from there on until the end is stored on each node. */
  async #catchUp<E>(log: Log, agreement: Agreement, work: NodeWork<E, unknown>): Promise<E> {
    await this.#options.store.goBackTo(agreement);
    const ended = await work.run(agreement, new LiveEpoch(log, agreement.checkpoint));
    await reached(log, endStoredSeq);
    return ended;
  }

  /**
   * A node leaves for good only when it knows that the crawl has ended on every node: until then each may have to go
   * back to a checkpoint, with one that ended before it had stored its own end.
   */
  async #finish(log: Log, { ended }: Agreement): Promise<void> {
    const { store } = this.#options;
    await store.storeEndOfAll();
    await log.put(resultSeq, encodeRecord('state', (writer) => { putNodeState(writer, store.state()); }));
    if (ended !== 'everywhere') {
      // They may be away, and find it in the log when they are back.
      const told = othersOf(log).map(async (node) => taken(log, node, resultSeq, 'state', takeNodeState));
      await Promise.race([Promise.all(told), this.#twoLeases()]);
    }
    await log.complete();
  }

  /** The time for which a killed process has its slot, and which another one needs to come. */
  async #twoLeases(): Promise<void> {
    const { clock, slots } = this.#options;
    await clock.sleep(2 * slots.leaseMs);
  }

  /** @throws the error that it must end with. */
  #check(): void {
    if (this.#over !== undefined) throw this.#over.error;
  }
}

/** The part that all nodes of an epoch have in the run of one. */
export class LiveEpoch {
  readonly number: number;
  readonly #log: Log;
  /** The last checkpoint that was taken, or gone back to; -1 at the start of the crawl. */
  readonly #checkpoint: number;
  #votes: CheckpointVotes | undefined;

  constructor(log: Log, checkpoint = -1) {
    this.number = log.epoch;
    this.#log = log;
    this.#checkpoint = checkpoint;
  }

  /**
   * All crews of the crawl, with this node's crew; waits until every node is ready.
   * @param isDue whether a checkpoint is due, as far as this node is concerned.
   * @param onOver called with an error when the epoch is over: nothing may wait for the web any more.
   */
  async crews(crew: Crew, { isDue, onOver, ...parts }: Omit<LiveCrewParts, 'log' | 'votes' | 'nodeOf'> & {
    readonly isDue: () => boolean; readonly onOver: (error: unknown) => void;
  }): Promise<readonly Crew[]> {
    const log = this.#log;
    log.onceFailed(onOver);
    const votes = this.#votes = new CheckpointVotes(log.nodes, this.#checkpoint, isDue);
    const crewParts: LiveCrewParts = { ...parts, log, votes, nodeOf: (processor) => processor % log.nodes };
    const published = await publishedLiveCrew(crew, crewParts);
    const peers = await Promise.all(othersOf(log).map((node) => peerLiveCrew(node, crewParts)));
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

/** Writes the record, and waits for the records of all. */
async function reached(log: Log, seq: number): Promise<void> {
  await log.put(seq, encodeRecord('result', () => undefined));
  await Promise.all(othersOf(log).map(async (node) => taken(log, node, seq, 'result', () => undefined)));
}
