import { counted, duration, number } from '../../report/page/format.ts';
import type { RunView } from '../../service/dashboard/api.ts';
import type { DegreeCounts, RunState } from '../../watch/contract.ts';
import { isStarted, type RunData } from './run-data.ts';
import { bytesText } from './words.ts';

type StatisticsRow = NonNullable<RunState['statistics']>;

/** The figures of a run that goes on, or of a finished one; null where they are not known. */
export interface RunFacts {
  readonly pages: number;
  readonly failures: number;
  readonly bytes: number;
  /** Seconds by the run's clock. */
  readonly seconds: number;
  /** Seconds by the clock on the wall. */
  readonly elapsedSeconds: number | null;
  readonly supersteps: number;
  readonly known: number | null;
  readonly statistics: StatisticsRow | null;
  /** The last row with figures of distances and components. */
  readonly figures: StatisticsRow | null;
  readonly degrees: DegreeCounts | null;
}

export function factsOf({ state }: RunData, view: RunView | null): RunFacts | null {
  // The record says more than the last state.
  const pages = view?.summary?.['pagesKnown'];
  const lasting = state === null ? { elapsedSeconds: null, known: typeof pages === 'number' ? pages : null } : {
    elapsedSeconds: state.elapsedSeconds, known: state.processors.reduce((sum, processor) => sum + processor.known, 0),
  };
  if (view?.summary) return { ...recorded(view.summary), ...lasting };
  if (state === null) return null;
  return {
    ...lasting,
    pages: state.pagesFetched, failures: state.failures, bytes: state.bytes, seconds: state.seconds,
    supersteps: state.superstep,
    statistics: state.statistics, figures: state.figures, degrees: state.degrees,
  };
}

function recorded(summary: Readonly<Record<string, unknown>>): Omit<RunFacts, 'elapsedSeconds' | 'known'> {
  const value = (name: string): number => (typeof summary[name] === 'number' ? summary[name] : 0);
  const statistics = summary['statistics'] as (StatisticsRow & { readonly atSuperstep: number }) | null | undefined;
  const row = statistics ? { ...statistics, superstep: statistics.atSuperstep } : null;
  return {
    pages: value('pagesFetched'), failures: value('pagesFailed'), bytes: value('bytes'),
    seconds: value('virtualSeconds'), supersteps: value('supersteps'),
    statistics: row, figures: row, degrees: row && degreesOf(row),
  };
}

/** Records of earlier versions have none. */
function degreesOf({ superstep, pages, inDegrees, outDegrees }: Partial<StatisticsRow>): DegreeCounts | null {
  if (superstep === undefined || pages === undefined || !inDegrees || !outDegrees) return null;
  return { superstep, pages, inDegrees, outDegrees };
}

/** How far a run is: a share, and the same in words. */
export function progressOf(facts: RunFacts, { card }: RunData): { readonly share: number; readonly words: string } {
  const { maxPages, maxSeconds } = card !== null && isStarted(card) ? card : { maxPages: null, maxSeconds: null };
  const ofPages = maxPages === null ? -1 : facts.pages / maxPages;
  const ofSeconds = maxSeconds === null ? -1 : facts.seconds / maxSeconds;
  if (ofPages >= 0 && ofPages >= ofSeconds) {
    return { share: ofPages, words: `${number(facts.pages)} of at most ${counted(maxPages!, 'page')}` };
  }
  if (ofSeconds >= 0) {
    return { share: ofSeconds, words: `${duration(facts.seconds)} of at most ${duration(maxSeconds!)}` };
  }
  const pagesKnown = facts.known ?? 0;
  return {
    share: pagesKnown === 0 ? 0 : facts.pages / pagesKnown,
    words: `${number(facts.pages)} of ${counted(pagesKnown, 'page')} known so far`,
  };
}

/** A line of the list of figures. */
export interface Fact {
  readonly name: string;
  readonly value: string;
  /** Beside the value: an interval, or why there is none. */
  readonly note?: string;
}

/** SPAWC's statistics of a crawl. */
export function statisticsOf(facts: RunFacts, { card }: RunData, isOver: boolean): Fact[] {
  const { seconds, pages, bytes, statistics } = facts;
  const perSecond = (value: number): number | null => (seconds > 0 ? value / seconds : null);
  const rate = perSecond(bytes);
  return [
    { name: 'Crawl time', value: duration(seconds) },
    { name: 'URLs per second', value: number(perSecond(pages), 2) },
    { name: 'Download size', value: bytesText(bytes) },
    { name: 'Throughput', value: rate === null ? 'none' : `${bytesText(rate)}/s` },
    limitOf(card),
    { name: 'Crawled', value: number(pages) },
    { name: 'Errors', value: number(facts.failures) },
    facts.known === null
      ? absent('Total known', notRecorded)
      : { name: 'Total known', value: number(facts.known) },
    ...graphFacts(facts, isOver),
    statistics === null
      ? absent('Dangling pages', noStatistics)
      : { name: 'Dangling pages', value: number(statistics.danglingPages), note: at(statistics) },
  ];
}

const notRecorded = 'known only while the run goes on';
export const noStatistics = 'the run computes no statistics; the setting statistics turns them on';
const at = ({ superstep }: StatisticsRow): string => `at superstep ${number(superstep)}`;
const absent = (name: string, note: string): Fact => ({ name, value: 'absent', note });

function limitOf(card: RunData['card']): Fact {
  if (card === null || !isStarted(card)) return absent('Limit', notRecorded);
  const limits = [
    ...(card.maxPages === null ? [] : [counted(card.maxPages, 'page')]),
    ...(card.maxSeconds === null ? [] : [duration(card.maxSeconds)]),
  ];
  return { name: 'Limit', value: limits.length === 0 ? 'none' : limits.join(', ') };
}

function graphFacts({ statistics, figures }: RunFacts, isOver: boolean): Fact[] {
  const names = ['Components', 'Diameter', 'Average distance'] as const;
  if (statistics === null && figures === null) return names.map((name) => absent(name, noStatistics));
  const missing = isOver ? 'the run ended before it was computed' : 'not computed yet';
  if (figures === null) return names.map((name) => absent(name, missing));
  const { components, diameter, maxDiameter, averageDistance, averageDistanceLow, averageDistanceHigh } = figures;
  const fact = (name: string, value: number | null, words: (value: number) => Omit<Fact, 'name'>): Fact =>
    value === null ? absent(name, missing) : { name, ...words(value) };
  const isCertain = maxDiameter === diameter;
  return [
    fact('Components', components, (value) => ({ value: number(value), note: `strongly connected, ${at(figures)}` })),
    fact('Diameter', diameter, (value) => ({
      value: isCertain ? number(value) : `at least ${number(value)}`,
      note: `${maxDiameter === null || isCertain ? '' : `at most ${number(maxDiameter)}, `}${at(figures)}`,
    })),
    fact('Average distance', averageDistance, (value) => ({
      value: `${number(value, 2)} links`, note: `${interval(averageDistanceLow, averageDistanceHigh)}${at(figures)}`,
    })),
  ];
}

function interval(low: number | null, high: number | null): string {
  return low === null || high === null || low === high ? '' : `95 %: ${number(low, 2)} to ${number(high, 2)}, `;
}
