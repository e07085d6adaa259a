import type { Sinks } from '../../../core/events/index.ts';
import type {
  Arrival, Crew, FetchedOf, Revived, Settled, Standing, SuperstepWork,
} from '../../../core/engine/index.ts';
import type { Log } from '../log/log.ts';
import {
  takeArrival, takeRevived, takeSettled, takeStandings, type HeardOutcome,
} from '../records/crew-records.ts';
import type { RecordPlaces } from '../records/letters.ts';
import { taken } from './nodes.ts';
import { arrivalSeq, readySeq, settledSeq } from './sequence.ts';

export interface PeerCrewParts {
  readonly ids: readonly number[];
  readonly log: Log;
  readonly places: RecordPlaces;
  /** These hear its outcomes, as they hear those of processors here. */
  readonly sinks: Sinks;
  readonly fetchedOf: FetchedOf;
}

const noLinks = new Uint32Array(0);

/** The crew of another node: its answers are read from the log. What it is to do, it finds out by itself. */
export class PeerCrew implements Crew {
  readonly ids: readonly number[];
  readonly standings: readonly Standing[];
  readonly #parts: PeerCrewParts;
  #superstep = 0;

  private constructor(parts: PeerCrewParts, standings: readonly Standing[]) {
    this.ids = parts.ids;
    this.standings = standings;
    this.#parts = parts;
  }

  /** Waits until the node is ready. */
  static async open(parts: PeerCrewParts): Promise<PeerCrew> {
    const { log, ids, places: { sender } } = parts;
    const standings = await taken(log, sender, readySeq, 'ready', (bytes) => takeStandings(bytes, ids.length));
    return new PeerCrew(parts, standings);
  }

  /** A setting is changed on one machine only, and by no control here. */
  asked(): readonly number[] {
    return [];
  }

  async begin({ superstep }: SuperstepWork): Promise<Arrival> {
    const { log, places } = this.#parts;
    this.#superstep = superstep;
    const arrival = await taken(
      log, places.sender, arrivalSeq(superstep), 'arrival', (bytes) => takeArrival(bytes, places),
    );
    this.#report(arrival.heard);
    return arrival;
  }

  async settle(): Promise<Settled> {
    const { log, places } = this.#parts;
    const settled = await taken(
      log, places.sender, settledSeq(this.#superstep), 'settled', (bytes) => takeSettled(bytes, places),
    );
    this.#report(settled.heard);
    return settled;
  }

  async revive(): Promise<Revived> {
    const { log, places, ids } = this.#parts;
    const revived = await taken(
      log, places.sender, settledSeq(this.#superstep), 'revived', (bytes) => takeRevived(bytes, places, ids.length),
    );
    this.#report(revived.heard);
    return revived;
  }

  #report(heard: readonly HeardOutcome[]): void {
    const { sinks, fetchedOf } = this.#parts;
    for (const { processor, willRetry, ...outcome } of heard) {
      const links = sinks.readsLinks && outcome.kind === 'fetched' ? fetchedOf(outcome.page)?.links : undefined;
      sinks.outcome?.(processor, { ...outcome, links: links ?? noLinks }, willRetry);
    }
  }
}
