import * as z from 'zod';
import { recordedKinds } from '../../../measure/index.ts';
import type { FeedLine } from '../../../watch/contract.ts';

const find = z.string().max(200).default('');
const processor = z.coerce.number().int().min(0).max(65_535).optional();
/** `older` of an earlier answer, and only for the same run. */
const before = z.string().regex(/^\d{1,15}(\.\d{1,15}){0,2}$/, 'is the "older" of an earlier answer').optional();
const limit = z.coerce.number().int().min(1).max(500).default(100);

/**
 * GET /api/runs/ID/log?processor=P&kind=KIND&find=TEXT&before=PLACE&limit=L: outcomes of a run, the last one first, as
 * far as they are recorded; `kind=failed` are all but `fetched`. `find` is a part of a page's name, in upper or lower
 * case. One request looks at up to 20,000 outcomes: `older` then goes on from there.
 */
export const logQuery = z.object({
  processor, kind: z.enum([...recordedKinds, 'failed']).optional(), find, before, limit,
});
export type LogQuery = z.infer<typeof logQuery>;

export interface RunLog {
  readonly rows: readonly LogRow[];
  /** What `before` has to be for older outcomes; null: there are none. */
  readonly older: string | null;
  /** When the oldest outcome ended that was looked at, in microseconds since the run began; null if there was none. */
  readonly backToUs: number | null;
  /**
   * Whether the processors of all pages are known. Without the graph of a run, or before the end of a live crawl that
   * is not watched, they are known only of failures.
   */
  readonly hasProcessors: boolean;
}

/** An outcome: how a download ended. */
export interface LogRow {
  /** Rises in the order of the log; no two outcomes of a run have the same. */
  readonly number: number;
  readonly processor: number | null;
  /** URL without scheme, or `page 123`; cut after 500 characters. */
  readonly name: string;
  /** `fetched`, or the kind of the failure. */
  readonly kind: string;
  readonly startedUs: number;
  readonly finishedUs: number;
  /** Downloaded; recorded of a live crawl that is watched, null of any other. */
  readonly bytes: number | null;
}

/**
 * GET /api/runs/ID/feed?processor=P&find=TEXT&before=PLACE&limit=L: what happened in a run, the last line first. One
 * request looks at up to 20,000 lines.
 */
export const feedQuery = z.object({ processor, find, before, limit });
export type FeedQuery = z.infer<typeof feedQuery>;

export interface RunFeed {
  /** Numbers rise, with gaps. */
  readonly lines: readonly FeedLine[];
  /** What `before` has to be for older lines; null: there are none. */
  readonly older: string | null;
  /** `stored`: all lines of a watched run; `recent`: its last ones; `record`: made from the record of any other. */
  readonly from: 'stored' | 'recent' | 'record';
}
