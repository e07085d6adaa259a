import * as z from 'zod';
import { recordedKinds } from '../../../../core/measure/index.ts';
import { noRun, runPath } from '../api.ts';
import { feedSchema } from '../messages.ts';
import { endpoint, named, type Answered } from '../openapi/endpoint.ts';

const find = z.string().max(200).default('').describe('a part of the text, in upper or lower case');
const processor = z.coerce.number().int().min(0).max(65_535).optional();
const place = z.string().regex(/^\d{1,15}(\.\d{1,15}){0,2}$/, 'is the "older" of an earlier answer').optional()
  .describe('the `older` of an earlier answer, and only for the same run');
const limit = z.coerce.number().int().min(1).max(500).default(100);
const older = z.string().nullable().describe('what `before` has to be for older ones; null: there are none');

const logQuery = z.object({
  processor, kind: z.enum([...recordedKinds, 'failed']).optional().describe('`failed`: all but `fetched`'),
  find: find.describe('a part of the page\'s name, in upper or lower case'), before: place, limit,
});
export type LogQuery = z.infer<typeof logQuery>;

const logRow = named('LogRow', z.strictObject({
  number: z.int().describe('rises in the order of the log; no two outcomes of a run have the same'),
  processor: z.int().nullable(),
  name: z.string().describe('URL without scheme, or `page 123`; cut after 500 characters'),
  kind: z.string().describe('`fetched`, or the kind of the failure'),
  startedUs: z.number(),
  finishedUs: z.number(),
  bytes: z.number().nullable().describe('downloaded; recorded of a live crawl that is watched, null of any other'),
}).describe('an outcome: how a download ended'));
export type LogRow = Answered<typeof logRow>;

const runLog = named('RunLog', z.strictObject({
  rows: z.array(logRow), older,
  backToUs: z.number().nullable()
    .describe('when the oldest outcome ended that was looked at, in microseconds since the run began; null if none was'),
  hasProcessors: z.boolean().describe('whether the processors of all pages are known. Without the graph of a run, or ' +
    'before the end of a live crawl that is not watched, they are known only of failures'),
}));
export type RunLog = Answered<typeof runLog>;

const feedQuery = z.object({ processor, find, before: place, limit });
export type FeedQuery = z.infer<typeof feedQuery>;

const runFeed = named('RunFeed', z.strictObject({
  lines: feedSchema.describe('numbers rise, with gaps'), older,
  from: z.enum(['stored', 'recent', 'record'])
    .describe('`stored`: all lines of a watched run; `recent`: its last ones; `record`: made from that of any other run'),
}));
export type RunFeed = Answered<typeof runFeed>;

export const logEndpoints = {
  log: endpoint({
    method: 'GET', path: '/api/runs/:id/log', summary: 'Reads outcomes of a run',
    description: 'The last one first, as far as they are recorded. One request looks at up to 20,000 outcomes: ' +
      '`older` continues from there.',
    params: runPath, query: logQuery, answer: { description: 'Outcomes.', schema: runLog }, errors: noRun,
  }),
  feed: endpoint({
    method: 'GET', path: '/api/runs/:id/feed', summary: 'Reads what happened in a run',
    description: 'The last line first. One request looks at up to 20,000 lines.',
    params: runPath, query: feedQuery, answer: { description: 'Lines.', schema: runFeed }, errors: noRun,
  }),
};
