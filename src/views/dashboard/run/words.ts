import { number } from '../../report/page/format.ts';
import type { ListedRun } from '../../service/dashboard/api.ts';
import type { RunPhase } from '../../watch/contract.ts';

/** How a run's state is coloured: the word says the same. */
export type Mood = 'going' | 'waiting' | 'done' | 'wrong' | 'quiet';

const moods: Readonly<Record<RunPhase | ListedRun['state'], Mood>> = {
  preparing: 'waiting', running: 'going', paused: 'waiting', stopping: 'waiting', finalising: 'waiting',
  finished: 'done', failed: 'wrong', interrupted: 'quiet', damaged: 'wrong',
};

export const moodOf = (state: RunPhase | ListedRun['state']): Mood => moods[state];

const kinds: Readonly<Record<ListedRun['kind'], string>> = {
  simulation: 'simulation', live: 'live crawl', plan: 'plan', tune: 'tune', study: 'study', runs: 'several runs',
};

export const kindWords = (kind: ListedRun['kind']): string => kinds[kind];

/** Whether it is made of many runs that cannot be joined. */
export function isJob(kind: ListedRun['kind'] | undefined): boolean {
  return kind === 'plan' || kind === 'tune' || kind === 'study';
}

/** What a phase means, beside its word. */
export const phaseWords: Readonly<Record<RunPhase, string>> = {
  preparing: 'reading and ranking the graph', running: '', paused: 'no robot starts a download',
  stopping: 'ends at the next barrier', finalising: 'writing its record', finished: '', failed: '',
};

const outcomes: Readonly<Record<string, string>> = {
  fetched: 'fetched', notFound: 'not found', serverError: 'server error', timeout: 'timed out',
  refused: 'connection refused', robotsDenied: 'denied by robots.txt', robotsFetched: 'robots.txt first',
  rejected: 'rejected', lost: 'lost in a crash',
  busy: 'not asked: the address was busy',
};

/** All kinds of outcomes that are no page. */
export const failureKinds = Object.keys(outcomes).filter((kind) => kind !== 'fetched');

export const outcomeWords = (kind: string): string => outcomes[kind] ?? kind;

const units = [['GB', 1e9], ['MB', 1e6], ['kB', 1e3]] as const;

/** 12.3 MB. */
export function bytesText(bytes: number): string {
  const [unit, size] = units.find(([, bytesOf]) => bytes >= bytesOf) ?? ['B', 1];
  return `${number(bytes / size, size === 1 ? 0 : 1)}\u202f${unit}`;
}

/** Whether texts have all the words of another text, whatever their capitals. */
export function wordFinder(words: string): (text: string) => boolean {
  const each = words.toLowerCase().split(/\s+/).filter((word) => word !== '');
  return (text) => each.every((word) => text.toLowerCase().includes(word));
}
