import type { RunSink } from '../../../core/events/index.ts';
import type { Crew } from '../../../core/engine/index.ts';
import type { Log } from '../log/log.ts';
import { putArrival, putRevived, putSettled, type HeardOutcome, type WithHeard } from '../records/crew-records.ts';
import type { ByteWriter } from '../records/bytes.ts';
import type { LetterPlaces } from '../records/letters.ts';
import { encodeRecord, type RecordKind } from '../records/record.ts';
import { arrivalSeq, settledSeq } from './nodes.ts';

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

/** This node's own crew, whose answers to the loop here are also written into the log, for the loops of other nodes. */
export function publishedCrew(crew: Crew, { log, outcomes, places }: PublishedCrewParts): Crew {
  let superstep = 0;
  const publish = async <T>(
    seq: number, kind: RecordKind, answer: T, put: (writer: ByteWriter, record: WithHeard<T>) => void,
  ): Promise<T> => {
    const record = { ...answer, heard: outcomes.take() };
    await log.put(seq, encodeRecord(kind, (writer) => { put(writer, record); }));
    return answer;
  };
  return {
    ids: crew.ids, standings: crew.standings, asked: (number) => crew.asked(number),
    begin: async (work) => {
      ({ superstep } = work);
      return publish(arrivalSeq(superstep), 'arrival', await crew.begin(work), (writer, record) => {
        putArrival(writer, record, places);
      });
    },
    settle: async (settlement) => publish(settledSeq(superstep), 'settled', await crew.settle(settlement), putSettled),
    revive: async (resumedUs) => publish(settledSeq(superstep), 'revived', await crew.revive(resumedUs), putRevived),
  };
}
