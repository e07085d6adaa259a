import type { Interval } from '../../../core/measure/index.ts';

/** Work that consists of many runs: none of them is a run that can be joined. */
export const jobKinds = ['plan', 'tune', 'study'] as const;
export type JobKind = (typeof jobKinds)[number];

/** A figure by which the candidates of a job are judged. */
export interface Measure {
  /** With its unit, as shown to people: `cost, machine-hours`. */
  readonly name: string;
  readonly form: 'share' | 'seconds' | 'number';
  readonly better: 'more' | 'less';
  /** The value that a candidate may reach at most; null without one. */
  readonly limit: number | null;
}

/** What a job tries: a set-up of a plan, a trial of a tune, a cell of a study's grid. */
export interface Candidate {
  readonly name: string;
  /** Its place on the x axis of a curve: the R_x of a trial; null where there is no such axis. */
  readonly at: number | null;
  /** `out`: it cannot be the answer any more. `best`: the answer so far. */
  readonly standing: 'in' | 'out' | 'best';
  readonly runs: number;
  /** One for each measure: the mean over its seeds with a 95 % interval; null where nothing is known yet. */
  readonly estimates: readonly (Interval | null)[];
}

/** The candidates of a job, and their estimates so far. */
export interface JobBoard {
  /** What a candidate is, in the singular: `set-up`. */
  readonly noun: string;
  /** The first is the one that decides. */
  readonly measures: readonly Measure[];
  /** The best first, at most `maxCandidates` of them. */
  readonly candidates: readonly Candidate[];
  /** How many more there are. */
  readonly unlisted: number;
  /** The answer so far, in a sentence or two; null before there is one. */
  readonly answer: string | null;
}

/** How far a job is. */
export interface JobProgress {
  /** What it does at present: `race, round 2 of 3`. */
  readonly doing: string;
  /** Runs of what it does at present that have ended, and how many there are. */
  readonly done: number;
  readonly asked: number;
  /** How many of the ended runs come from earlier jobs. */
  readonly cached: number;
  /** The part of the whole job that is done, about, from 0 to 1; null while it is unknown. */
  readonly share: number | null;
  /** At the present rate; null while it is not known. */
  readonly secondsLeft: number | null;
}

/** A job at one moment. */
export interface JobState extends JobBoard {
  /** `finished` and `failed` are the last. */
  readonly phase: 'preparing' | 'running' | 'stopping' | 'finished' | 'failed';
  /** The message of a job that failed. */
  readonly error: string | null;
  /** Since the command started. */
  readonly elapsedSeconds: number;
  readonly progress: JobProgress | null;
}

/** `job.json` in the folder of a job that was watched. */
export interface JobFile extends JobBoard {
  readonly kind: JobKind;
  readonly name: string;
  readonly command: string;
  readonly startedAt: string;
  readonly elapsedSeconds: number;
  /** Null from its beginning on: a job that was killed leaves it so. */
  readonly ended: 'finished' | 'interrupted' | null;
}

export const maxCandidates = 100;
