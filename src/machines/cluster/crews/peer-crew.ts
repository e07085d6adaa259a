import type { Sinks } from '../../../core/events/index.ts';
import type { Crew, FetchedOf } from '../../../core/engine/index.ts';
import type { Log } from '../log/log.ts';
import type { ByteReader } from '../records/bytes.ts';
import { takeArrival, takeRevived, takeSettled, takeStandings, type WithHeard } from '../records/crew-records.ts';
import type { RecordPlaces } from '../records/letters.ts';
import type { RecordKind } from '../records/record.ts';
import { arrivalSeq, readySeq, settledSeq, taken } from './nodes.ts';

export interface PeerCrewParts {
  readonly ids: readonly number[];
  readonly log: Log;
  readonly places: RecordPlaces;
  /** They hear its outcomes like outcomes of processors here. */
  readonly sinks: Sinks;
  readonly fetchedOf: FetchedOf;
}

const noLinks = new Uint32Array(0);

/**
 * The crew of another node: its answers are read from the log. It finds out by itself what to do. Waits until the node
 * is ready.
 */
export async function peerCrew({ ids, log, places, sinks, fetchedOf }: PeerCrewParts): Promise<Crew> {
  let superstep = 0;
  const answer = async <T extends WithHeard<unknown>>(
    seq: number, kind: RecordKind, take: (bytes: ByteReader) => T,
  ): Promise<T> => {
    const record = await taken(log, places.sender, seq, kind, take);
    for (const { processor, willRetry, ...outcome } of record.heard) {
      const links = sinks.readsLinks && outcome.kind === 'fetched' ? fetchedOf(outcome.page)?.links : undefined;
      sinks.outcome?.(processor, { ...outcome, links: links ?? noLinks }, willRetry);
    }
    return record;
  };
  return {
    ids,
    standings: await taken(log, places.sender, readySeq, 'ready', (bytes) => takeStandings(bytes, ids.length)),
    // A setting is changed on one machine only, and by no control here.
    asked: () => [],
    begin: async (work) => {
      ({ superstep } = work);
      return answer(arrivalSeq(superstep), 'arrival', (bytes) => takeArrival(bytes, places));
    },
    settle: async () => answer(settledSeq(superstep), 'settled', (bytes) => takeSettled(bytes, places)),
    revive: async () => answer(settledSeq(superstep), 'revived', (bytes) => takeRevived(bytes, places, ids.length)),
  };
}
