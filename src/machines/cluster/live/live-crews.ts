import type {
  Arrival, Crew, Revived, Settled, Settlement, Standing, SuperstepWork,
} from '../../../core/engine/index.ts';
import { AssertionError } from '../../../base/index.ts';
import { idsOf, taken } from '../crews/nodes.ts';
import { arrivalSeq, settledSeq } from '../crews/sequence.ts';
import type { Log } from '../log/log.ts';
import { putSettled, putStandings, takeSettled, takeStandings } from '../records/crew-records.ts';
import type { ReadPlaces } from '../records/letters.ts';
import { encodeRecord } from '../records/record.ts';
import type { CheckpointVotes } from './checkpoint-votes.ts';
import { maxPairs, type HostAddresses } from './host-addresses.ts';
import { foundIn, withIds, type PageNumbers } from './live-letters.ts';
import { liveReadySeq, putLiveArrival, takeLiveArrival } from './live-records.ts';

export interface LiveCrewParts {
  readonly log: Log;
  readonly numbers: PageNumbers;
  readonly addresses: HostAddresses;
  readonly votes: CheckpointVotes;
  readonly processors: number;
  readonly nodeOf: (processor: number) => number;
}

/** A live crawl has no crashes but those of nodes, which begin an epoch. */
const noCrash = (): never => { throw new AssertionError('processors of a live crawl do not crash'); };

/** This node's own crew: what it answers to the loop here is written into the log, for the loops of the other nodes. */
export class PublishedLiveCrew implements Crew {
  readonly ids: readonly number[];
  readonly standings: readonly Standing[];
  readonly #own: Crew;
  readonly #parts: LiveCrewParts;
  #superstep = 0;
  /** Of the epoch. */
  #first: number | undefined;
  /** Of the addresses here, how many the other nodes know; in each epoch they hear all, for some of them are new. */
  #pairsSent = 0;

  private constructor(own: Crew, parts: LiveCrewParts) {
    this.ids = own.ids;
    this.standings = own.standings;
    this.#own = own;
    this.#parts = parts;
  }

  /** Tells the other nodes that this one is ready. */
  static async publish(own: Crew, parts: LiveCrewParts): Promise<PublishedLiveCrew> {
    await parts.log.put(liveReadySeq, encodeRecord('ready', (writer) => { putStandings(writer, own.standings); }));
    return new PublishedLiveCrew(own, parts);
  }

  asked(superstep: number): readonly number[] {
    return this.#own.asked(superstep);
  }

  /** What was sent before the last superstep is read by all: a node sends nothing before it has what all have sent. */
  async begin(work: SuperstepWork): Promise<Arrival> {
    const { log, votes, numbers, addresses, nodeOf } = this.#parts;
    const { superstep } = work;
    this.#superstep = superstep;
    this.#first ??= superstep;
    if (superstep >= this.#first + 2) void log.trim(arrivalSeq(superstep - 1));
    const arrival = await this.#own.begin(work);
    const isDue = votes.isDue();
    const pairs = addresses.ownPairs(this.#pairsSent, maxPairs);
    this.#pairsSent += pairs.length;
    await log.put(arrivalSeq(superstep), encodeRecord('arrival', (writer) => {
      const facts = { isCheckpointDue: isDue, addresses: pairs };
      putLiveArrival(writer, arrival, facts, nodeOf, (page) => numbers.pageOf(page));
    }));
    votes.hear(log.node, superstep, isDue);
    return arrival;
  }

  async settle(settlement: Settlement): Promise<Settled> {
    const settled = await this.#own.settle(settlement);
    await this.#parts.log.put(settledSeq(this.#superstep), encodeRecord('settled', (writer) => {
      putSettled(writer, { ...settled, heard: [] });
    }));
    return settled;
  }

  revive(): Promise<Revived> {
    return noCrash();
  }
}

/** The crew of another node: its answers are read from the log. */
export class PeerLiveCrew implements Crew {
  readonly ids: readonly number[];
  readonly standings: readonly Standing[];
  readonly #parts: LiveCrewParts;
  readonly #places: ReadPlaces;
  #superstep = 0;

  private constructor(node: number, ids: readonly number[], parts: LiveCrewParts, standings: readonly Standing[]) {
    const { log, nodeOf, processors } = parts;
    this.ids = ids;
    this.standings = standings;
    this.#parts = parts;
    this.#places = { sender: node, reader: log.node, nodeOf, processors };
  }

  /** Waits until the node is ready. */
  static async open(node: number, parts: LiveCrewParts): Promise<PeerLiveCrew> {
    const ids = idsOf(node, parts.log.nodes, parts.processors);
    const standings = await taken(
      parts.log, node, liveReadySeq, 'ready', (bytes) => takeStandings(bytes, ids.length),
    );
    return new PeerLiveCrew(node, ids, parts, standings);
  }

  /** A setting is changed on one machine only, and by no control here. */
  asked(): readonly number[] {
    return [];
  }

  async begin({ superstep }: SuperstepWork): Promise<Arrival> {
    const { log, votes, numbers, addresses } = this.#parts;
    const { sender } = this.#places;
    this.#superstep = superstep;
    const { letters, isCheckpointDue, addresses: pairs, ...arrival } = await taken(
      log, sender, arrivalSeq(superstep), 'arrival', (bytes) => takeLiveArrival(bytes, this.#places),
    );
    votes.hear(sender, superstep, isCheckpointDue);
    addresses.hear(pairs);
    const found = foundIn(letters);
    const ids = found.length === 0 ? [] : await numbers.numbered(found);
    return { ...arrival, observed: [], sent: withIds(letters, ids) };
  }

  async settle(): Promise<Settled> {
    const places = { ...this.#places, pages: 0 };
    return taken(
      this.#parts.log, places.sender, settledSeq(this.#superstep), 'settled', (bytes) => takeSettled(bytes, places),
    );
  }

  revive(): Promise<Revived> {
    return noCrash();
  }
}
