import type { Crew, Revived } from '../../../core/engine/index.ts';
import { assert, AssertionError } from '../../../base/index.ts';
import { arrivalSeq, idsOf, settledSeq, taken } from '../crews/nodes.ts';
import type { Log } from '../log/log.ts';
import { putSettled, putStandings, takeSettled, takeStandings } from '../records/crew-records.ts';
import type { LetterPlaces } from '../records/letters.ts';
import { encodeRecord } from '../records/record.ts';
import type { CheckpointVotes } from './checkpoint-votes.ts';
import { maxPairs, type HostAddresses } from './host-addresses.ts';
import { foundIn, withIds, type PageNumbers } from './live-letters.ts';
import { liveReadySeq, putLiveArrival, takeLiveArrival } from './live-records.ts';

export interface LiveCrewParts extends LetterPlaces {
  readonly log: Log;
  readonly numbers: PageNumbers;
  readonly addresses: HostAddresses;
  readonly votes: CheckpointVotes;
}

/** In a live crawl only nodes crash, and a crash begins an epoch. */
const noCrash = (): Promise<Revived> => { throw new AssertionError('processors of a live crawl do not crash'); };

/**
 * This node's own crew, whose answers to the loop here are also written into the log, for the loops of other nodes,
 * which hear that it is ready.
 */
export async function publishedLiveCrew(crew: Crew, parts: LiveCrewParts): Promise<Crew> {
  const { log, votes, numbers, addresses, nodeOf } = parts;
  await log.put(liveReadySeq, encodeRecord('ready', (writer) => { putStandings(writer, crew.standings); }));
  let superstep = 0;
  let firstSuperstep: number | undefined;
  /** Number of addresses here that the other nodes know; in each epoch they hear all, for some of them are new. */
  let pairsSent = 0;
  return {
    ids: crew.ids, standings: crew.standings, asked: (number) => crew.asked(number), revive: noCrash,
    begin: async (work) => {
      ({ superstep } = work);
      firstSuperstep ??= superstep;
      // All have read the records before the last superstep: a node sends nothing before it has read them.
      if (superstep >= firstSuperstep + 2) void log.trim(arrivalSeq(superstep - 1));
      const arrival = await crew.begin(work);
      const isDue = votes.isDue();
      const pairs = addresses.ownPairs(pairsSent, maxPairs);
      pairsSent += pairs.length;
      await log.put(arrivalSeq(superstep), encodeRecord('arrival', (writer) => {
        const facts = { isCheckpointDue: isDue, addresses: pairs };
        putLiveArrival(writer, arrival, facts, nodeOf, (page) => numbers.pageOf(page));
      }));
      votes.hear(log.node, superstep, isDue);
      return arrival;
    },
    settle: async (settlement) => {
      const settled = await crew.settle(settlement);
      await log.put(settledSeq(superstep), encodeRecord('settled', (writer) => {
        putSettled(writer, { ...settled, heard: [] });
      }));
      return settled;
    },
  };
}

/** The crew of another node: its answers are read from the log. Waits until the node is ready. */
export async function peerLiveCrew(sender: number, parts: LiveCrewParts): Promise<Crew> {
  const { log, votes, numbers, addresses, nodeOf, processors } = parts;
  const ids = idsOf(sender, log.nodes, processors);
  const places = { sender, reader: log.node, nodeOf, processors, pages: 0 };
  let superstep = 0;
  return {
    ids,
    standings: await taken(log, sender, liveReadySeq, 'ready', (bytes) => takeStandings(bytes, ids.length)),
    // A setting is changed on one machine only, and by no control here.
    asked: () => [],
    begin: async (work) => {
      ({ superstep } = work);
      const { letters, isCheckpointDue, addresses: pairs, ...arrival } = await taken(
        log, sender, arrivalSeq(superstep), 'arrival', (bytes) => takeLiveArrival(bytes, places),
      );
      votes.hear(sender, superstep, isCheckpointDue);
      addresses.hear(pairs);
      const pages = foundIn(letters);
      const pageIds = pages.length === 0 ? [] : await numbers.numbered(pages);
      assert(pageIds.length === pages.length, () => `${pages.length} pages have ${pageIds.length} numbers`);
      return { ...arrival, observed: [], sent: withIds(letters, pageIds) };
    },
    settle: async () => taken(log, sender, settledSeq(superstep), 'settled', (bytes) => takeSettled(bytes, places)),
    revive: noCrash,
  };
}
