import type { Observed } from '../../../core/events/index.ts';
import type { Arrival, Revived, Settled, Standing, Worked } from '../../../core/engine/index.ts';
import { newCounts, type SuperstepCounts } from '../../../core/frontier/index.ts';
import { outcomeKinds, type Outcome } from '../../../core/world/index.ts';
import { Damage, type ByteReader, type ByteWriter } from './bytes.ts';
import { putLetters, takeLetters, type LetterPlaces, type RecordPlaces } from './letters.ts';

/** The end of a download, as the sinks hear it. */
export interface HeardOutcome extends Omit<Outcome, 'links'> {
  readonly processor: number;
  readonly willRetry: boolean;
}

/** An answer of a node to the loop, and the outcomes that its sinks have heard since the last one. */
export type WithHeard<T> = T & { readonly heard: readonly HeardOutcome[] };

const STANDING_BYTES = 17;
const OUTCOME_BYTES = 46;
const OBSERVED_BYTES = 24;
const countNames = Object.keys(newCounts()) as readonly (keyof SuperstepCounts)[];
const COUNTS_BYTES = 8 * countNames.length;

/** 4 count | per processor: 1 flags (has work, is idle, is at rest) | 8 fetched | 8 in flight */
export function putStandings(writer: ByteWriter, standings: readonly Standing[]): void {
  writer.uint32(standings.length);
  for (const standing of standings) putStanding(writer, standing);
}

export function takeStandings(bytes: ByteReader, count: number): Standing[] {
  const standings = bytes.list(STANDING_BYTES, () => takeStanding(bytes));
  if (standings.length !== count) throw new Damage(`it has ${standings.length} processors, not ${count}`);
  return standings;
}

/** outcomes | 8 arrived | 8 known | 8 changes of cash | 4 count, per processor: 3 x 8 observed | letters */
export function putArrival(
  writer: ByteWriter, { heard, arrivedUs, known: pagesKnown, cashChanges, observed, sent: letters }: WithHeard<Arrival>,
  places: LetterPlaces,
): void {
  putOutcomes(writer, heard);
  writer.float64s(arrivedUs, pagesKnown, cashChanges);
  writer.uint32(observed.length);
  for (const { pages, failures, retried } of observed) writer.float64s(pages, failures, retried);
  putLetters(writer, letters, places);
}

export function takeArrival(bytes: ByteReader, places: RecordPlaces): WithHeard<Arrival> {
  return {
    heard: takeOutcomes(bytes, places),
    arrivedUs: bytes.float64(), known: bytes.float64(), cashChanges: bytes.float64(),
    observed: bytes.list(OBSERVED_BYTES, (): Observed => (
      { pages: bytes.float64(), failures: bytes.float64(), retried: bytes.float64() }
    )),
    sent: takeLetters(bytes, places),
  };
}

/** outcomes | 4 count, per processor that worked: 4 number, 8 per count, 4 unobserved, its standing | cash */
export function putSettled(writer: ByteWriter, { heard, worked, cash }: WithHeard<Settled>): void {
  putOutcomes(writer, heard);
  writer.uint32(worked.length);
  for (const { id, counts, unobserved, standing } of worked) {
    putCounts(writer, id, counts);
    writer.uint32(unobserved);
    putStanding(writer, standing);
  }
  writer.uint8(cash === undefined ? 0 : 1);
  if (cash === undefined) return;
  writer.float64s(cash.held, cash.total);
}

export function takeSettled(bytes: ByteReader, places: RecordPlaces): WithHeard<Settled> {
  const heard = takeOutcomes(bytes, places);
  const worked = bytes.list(COUNTS_BYTES + 8 + STANDING_BYTES, (): Worked => (
    { ...takeCounts(bytes, places), unobserved: bytes.uint32(), standing: takeStanding(bytes) }
  ));
  return { heard, worked, cash: bytes.flag() ? { held: bytes.float64(), total: bytes.float64() } : undefined };
}

/** outcomes | 4 count, per processor: 4 number, 8 per count | standings */
export function putRevived(writer: ByteWriter, { heard, inVain, standings }: WithHeard<Revived>): void {
  putOutcomes(writer, heard);
  writer.uint32(inVain.length);
  for (const { id, counts } of inVain) putCounts(writer, id, counts);
  putStandings(writer, standings);
}

export function takeRevived(bytes: ByteReader, places: RecordPlaces, processors: number): WithHeard<Revived> {
  const heard = takeOutcomes(bytes, places);
  const inVain = bytes.list(4 + COUNTS_BYTES, () => takeCounts(bytes, places));
  return { heard, inVain, standings: takeStandings(bytes, processors) };
}

/**
 * 4 count | per outcome: 4 processor, 4 page, 4 sequence, 1 kind, 1 whether it is retried, 8 started, 8 finished,
 * 8 bytes, 8 wait
 */
function putOutcomes(writer: ByteWriter, heard: readonly HeardOutcome[]): void {
  writer.uint32(heard.length);
  for (const { processor, page, sequence, kind, willRetry, startedAtUs, finishedAtUs, bytes, waitUs } of heard) {
    writer.uint32s(processor, page, sequence);
    writer.uint8(outcomeKinds.indexOf(kind));
    writer.uint8(willRetry ? 1 : 0);
    writer.float64s(startedAtUs, finishedAtUs, bytes, waitUs);
  }
}

function takeOutcomes(bytes: ByteReader, places: RecordPlaces): HeardOutcome[] {
  return bytes.list(OUTCOME_BYTES, () => {
    const processor = takeProcessor(bytes, places);
    const page = bytes.below(places.pages, 'a page');
    const sequence = bytes.uint32();
    const kind = outcomeKinds.at(bytes.uint8());
    if (kind === undefined) throw new Damage('an outcome is of no known kind');
    return {
      processor, page, sequence, kind, willRetry: bytes.flag(), startedAtUs: bytes.float64(),
      finishedAtUs: bytes.float64(), bytes: bytes.float64(), waitUs: bytes.float64(),
    };
  });
}

function putStanding(writer: ByteWriter, { hasWork, isIdle, isAtRest, fetched, inFlight }: Standing): void {
  writer.uint8((hasWork ? 1 : 0) | (isIdle ? 2 : 0) | (isAtRest ? 4 : 0));
  writer.float64s(fetched, inFlight);
}

function takeStanding(bytes: ByteReader): Standing {
  const flags = bytes.uint8();
  if (flags > 7) throw new Damage(`the flags of a processor are ${flags}`);
  return {
    hasWork: (flags & 1) !== 0, isIdle: (flags & 2) !== 0, isAtRest: (flags & 4) !== 0, fetched: bytes.float64(),
    inFlight: bytes.float64(),
  };
}

function putCounts(writer: ByteWriter, id: number, counts: SuperstepCounts): void {
  writer.uint32(id);
  writer.float64s(...countNames.map((name) => counts[name]));
}

function takeCounts(bytes: ByteReader, places: RecordPlaces): Pick<Worked, 'id' | 'counts'> {
  const id = takeProcessor(bytes, places);
  const counts = newCounts();
  for (const name of countNames) counts[name] = bytes.float64();
  return { id, counts };
}

function takeProcessor(bytes: ByteReader, { processors, sender, nodeOf }: RecordPlaces): number {
  const processor = bytes.below(processors, 'a processor');
  if (nodeOf(processor) !== sender) throw new Damage(`processor ${processor} does not belong to node ${sender}`);
  return processor;
}
