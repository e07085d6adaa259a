import type { RunSink } from '../../../core/events/index.ts';
import type {
  Arrival, Crew, Revived, Settled, Settlement, Standing, SuperstepWork,
} from '../../../core/engine/index.ts';
import type { Log } from '../log/log.ts';
import { putArrival, putRevived, putSettled, type HeardOutcome } from '../records/crew-records.ts';
import type { LetterPlaces } from '../records/letters.ts';
import { encodeRecord } from '../records/record.ts';
import { arrivalSeq, settledSeq } from './sequence.ts';

/** Hears how the downloads of this node's own processors end, for the records. */
export class OwnOutcomes implements RunSink {
  readonly #isOwn: (processor: number) => boolean;
  #heard: HeardOutcome[] = [];

  constructor(isOwn: (processor: number) => boolean) {
    this.#isOwn = isOwn;
  }

  readonly outcome: NonNullable<RunSink['outcome']> = (processor, outcome, willRetry) => {
    if (!this.#isOwn(processor)) return;
    const { page, sequence, kind, startedAtUs, finishedAtUs, bytes, waitUs } = outcome;
    this.#heard.push({ processor, page, sequence, kind, startedAtUs, finishedAtUs, bytes, waitUs, willRetry });
  };

  /** Those since the last call. */
  take(): readonly HeardOutcome[] {
    const heard = this.#heard;
    this.#heard = [];
    return heard;
  }
}

export interface PublishedCrewParts {
  readonly log: Log;
  readonly outcomes: OwnOutcomes;
  readonly places: LetterPlaces;
}

/** This node's own crew: what it answers to the loop here is written into the log, for the loops of the other nodes. */
export class PublishedCrew implements Crew {
  readonly ids: readonly number[];
  readonly standings: readonly Standing[];
  readonly #own: Crew;
  readonly #parts: PublishedCrewParts;
  #superstep = 0;

  constructor(own: Crew, parts: PublishedCrewParts) {
    this.ids = own.ids;
    this.standings = own.standings;
    this.#own = own;
    this.#parts = parts;
  }

  asked(superstep: number): readonly number[] {
    return this.#own.asked(superstep);
  }

  async begin(work: SuperstepWork): Promise<Arrival> {
    const { log, outcomes, places } = this.#parts;
    this.#superstep = work.superstep;
    const arrival = await this.#own.begin(work);
    const heard = outcomes.take();
    await log.put(arrivalSeq(work.superstep), encodeRecord('arrival', (writer) => {
      putArrival(writer, { ...arrival, heard }, places);
    }));
    return arrival;
  }

  async settle(settlement: Settlement): Promise<Settled> {
    const { log, outcomes } = this.#parts;
    const settled = await this.#own.settle(settlement);
    const heard = outcomes.take();
    await log.put(settledSeq(this.#superstep), encodeRecord('settled', (writer) => {
      putSettled(writer, { ...settled, heard });
    }));
    return settled;
  }

  async revive(resumedUs: number): Promise<Revived> {
    const { log, outcomes } = this.#parts;
    const revived = await this.#own.revive(resumedUs);
    const heard = outcomes.take();
    await log.put(settledSeq(this.#superstep), encodeRecord('revived', (writer) => {
      putRevived(writer, { ...revived, heard });
    }));
    return revived;
  }
}
