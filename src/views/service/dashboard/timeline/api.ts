import * as z from 'zod';
import { noRun, runPath } from '../api.ts';
import { endpoint, named, type Answered } from '../openapi/endpoint.ts';

const openedDownload = named('OpenedDownload', z.strictObject({
  name: z.string().describe('URL without scheme, or `page 123`'),
  kind: z.string().describe('`fetched`, or the kind of its failure'),
  startedUs: z.number(),
  finishedUs: z.number(),
  lane: z.int().describe('from 0 on; downloads on one lane of a processor never overlap'),
}));
export type OpenedDownload = Answered<typeof openedDownload>;

const openedProcessor = named('OpenedProcessor', z.strictObject({
  processor: z.int().nullable().describe('null: all processors, as the graph of the run cannot be opened, and nothing ' +
    'else says which fetched a page'),
  arrivedUs: z.number().nullable().describe('when it arrived at the barrier; null of a processor at rest'),
  stalledUs: z.number().describe('robot time without a download while every pending job waited for its host'),
  noJobUs: z.number().describe('robot time without a download while there was no job'),
  lanes: z.int().describe('downloads that it had open at once, at most, in the whole run'),
  downloads: z.array(openedDownload).describe('by their start'),
}));
export type OpenedProcessor = Answered<typeof openedProcessor>;

const openedSuperstep = named('OpenedSuperstep', z.strictObject({
  superstep: z.int(),
  last: z.int().describe('the last superstep that is recorded'),
  beginUs: z.number().describe('the barrier before it, in microseconds since the run began'),
  barrierUs: z.number().describe('its own barrier'),
  processors: z.array(openedProcessor)
    .describe('in their order; processors at rest without an open download are left out'),
  count: z.int().describe('downloads that were open in the superstep; the answer has those 5,000 that began first'),
  truncated: z.boolean().describe('whether downloads were left out'),
}));
export type OpenedSuperstep = Answered<typeof openedSuperstep>;

const superstepOrNone = named('OpenedSuperstepOrNone', openedSuperstep.nullable());

const trace = named('Trace', z.array(z.record(z.string(), z.unknown())));
const bound = z.coerce.number().int().min(0);

export const timelineEndpoints = {
  superstep: endpoint({
    method: 'GET', path: '/api/runs/:id/superstep/:superstep', summary: 'Opens a superstep',
    description: 'Of a run that goes on, the record is read as far as it is written.',
    params: runPath.extend({
      superstep: z.union([z.literal('last'), bound]).describe('a number, or `last`, the last one that is recorded'),
    }),
    answer: { description: 'Its downloads; null as long as no superstep is recorded.', schema: superstepOrNone },
    errors: noRun,
  }),
  trace: endpoint({
    method: 'GET', path: '/api/runs/:id/trace', summary: 'Saves trace.json',
    description: 'In Chrome\'s JSON array format of trace events. Process P + 1 is processor P, its first thread has ' +
      'the supersteps and barriers, each further thread the downloads of a robot; times are in microseconds.',
    params: runPath,
    query: z.object({
      from: bound.default(0).describe('the first superstep'),
      to: bound.default(Number.MAX_SAFE_INTEGER).describe('the last superstep'),
    }),
    answer: { description: 'Trace events.', schema: trace },
    errors: { ...noRun, 409: 'No superstep is recorded yet.' },
  }),
};
