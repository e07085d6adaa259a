import * as z from 'zod';
import type { Interval, StatisticsRow } from '../../../core/measure/index.ts';
import {
  jobKinds, type CurveColumns, type DegreeCounts, type FeedLine, type JobState, type ProcessorState, type RankBound,
  type RunCard, type RunMessage, type RunState, type StartedRun,
} from '../../watch/contract.ts';
import { named } from './openapi/endpoint.ts';

// What runs send, as src/views/watch/contract.ts has it: for the document of the API, and to check what is read from
// disk.

const count = z.int().min(0);
const seconds = z.number().min(0).describe('seconds');
const figure = z.number().nullable();
const column = z.array(z.number());

export const cardSchema = named('RunCard', z.strictObject({
  id: z.string(), kind: z.enum(['simulation', 'live', ...jobKinds]),
  name: z.string().describe('the graph, or the first seed URL'),
  command: z.string(), pid: count, startedAt: z.string().describe('ISO 8601, UTC'),
  folder: z.string().nullable().describe('of its record; null if it writes none'),
}).describe('what does not change while a run goes on') satisfies z.ZodType<RunCard>);

const boundSchema = named('RankBound', z.strictObject({
  pages: column, rank: column,
}).describe('of the best order: the share of the rank within reach that the first so many pages have') satisfies
z.ZodType<RankBound>).nullable().describe('null where no rank is known');

export const startedSchema = named('StartedRun', cardSchema.extend({
  processors: count, maxPages: figure, maxSeconds: figure, settings: z.record(z.string(), z.unknown()),
  bound: boundSchema,
}).describe('a card, and what is known once the run has started') satisfies z.ZodType<StartedRun>);

export const curvesSchema = named('Curves', z.strictObject({
  superstep: column, seconds: column, pages: column, failures: column, bytes: column,
  rank: column.describe('share of the rank within reach; empty where no rank is known'),
  busy: column.describe('share of robot time spent downloading, since the point before'),
  balance: column.describe('mean over maximum of the processors\' pages, since the point before'),
  pairs: column.describe('sent, since the point before'),
  comparisons: column.describe('of the queues, since the point before'),
}).describe('columns of equal length; a point is the state at the barrier of its superstep') satisfies
z.ZodType<CurveColumns>);

/** `curves.json` of a watched run: earlier versions had no bound. */
export const shownCurvesSchema = curvesSchema.extend({ bound: boundSchema.default(null) });

export const feedSchema = z.array(named('FeedLine', z.strictObject({
  number: count, at: seconds, processor: count.nullable(), text: z.string(),
}) satisfies z.ZodType<FeedLine>));

const processorSchema = named('ProcessorState', z.strictObject({
  processor: count, robots: count,
  open: z.array(z.strictObject({ name: z.string(), seconds })).describe('downloads in progress, the oldest first'),
  openCount: count, queued: count, pending: count, known: count, fetched: count, failures: count, bytes: count,
  lastOutcome: z.strictObject({ name: z.string(), kind: z.string(), at: z.number() }).nullable(),
}) satisfies z.ZodType<ProcessorState>);

const statisticsSchema = named('Statistics', z.strictObject({
  superstep: count, pages: count, arcs: count, danglingPages: count, method: z.enum(['exact', 'estimate', '']),
  components: figure, corePages: figure, inPages: figure, outPages: figure, inDegreeExponent: figure, diameter: figure,
  maxDiameter: figure, averageDistance: figure, averageDistanceLow: figure, averageDistanceHigh: figure,
  effectiveDiameter: figure, effectiveDiameterLow: figure, effectiveDiameterHigh: figure,
  inDegrees: z.array(count).nullable().describe('pages with 0, 1, 2 to 3, 4 to 7, ... links to them'),
  outDegrees: z.array(count).nullable().describe('likewise from them'),
}).describe('of the graph fetched so far; null where it was not computed') satisfies z.ZodType<StatisticsRow>);

const degreesSchema = named('DegreeCounts', z.strictObject({
  superstep: count, pages: count,
  inDegrees: z.array(count).describe('pages with 0, 1, 2 to 3, 4 to 7, ... links to them'),
  outDegrees: z.array(count).describe('likewise from them'),
}).describe('pages of the graph fetched by their links') satisfies z.ZodType<DegreeCounts>);

export const stateSchema = named('RunState', z.strictObject({
  phase: z.enum(['preparing', 'running', 'paused', 'stopping', 'finalising', 'finished', 'failed']),
  error: z.string().nullable(), superstep: count, seconds: seconds.describe('of the run\'s clock'),
  elapsedSeconds: seconds.describe('since the command started'),
  pagesFetched: count, failures: count, bytes: count, processors: z.array(processorSchema),
  statistics: statisticsSchema.nullable(),
  figures: statisticsSchema.nullable().describe('the last ones with distances and components'),
  degrees: degreesSchema.nullable().describe('the last ones that were counted'),
  pace: z.number().nullable().describe('supersteps per second of a simulation that is slowed'),
  limits: z.string().nullable().describe('what limits the run so far'),
}).describe('a run at one moment') satisfies z.ZodType<RunState>);

const intervalSchema = named('Interval', z.strictObject({
  mean: z.number(), low: figure, high: figure,
}).describe('a mean over seeds, with its 95 % interval') satisfies z.ZodType<Interval>);

const measureSchema = z.strictObject({
  name: z.string().describe('with its unit'), form: z.enum(['share', 'seconds', 'number']),
  better: z.enum(['more', 'less']), limit: figure.describe('that a candidate may reach at most; null without one'),
});

const candidateSchema = named('Candidate', z.strictObject({
  name: z.string(), at: figure.describe('its place on the x axis of a curve: the R_x of a trial'),
  standing: z.enum(['in', 'out', 'best']).describe('out: it cannot be the answer any more; best: the answer so far'),
  runs: count,
  estimates: z.array(intervalSchema.nullable()).describe('one for each measure; null where nothing is known yet'),
}).describe('a set-up of a plan, a trial of a tune, a cell of a study'));

export const jobSchema = named('JobState', z.strictObject({
  phase: z.enum(['preparing', 'running', 'stopping', 'finished', 'failed']), error: z.string().nullable(),
  elapsedSeconds: seconds.describe('since the command started'),
  progress: z.strictObject({
    doing: z.string(), done: count, asked: count, cached: count,
    share: figure.describe('of the whole job, about'), secondsLeft: figure.describe('at the present rate'),
  }).nullable(),
  noun: z.string().describe('what a candidate is'),
  measures: z.array(measureSchema).describe('the first is the one that decides'),
  candidates: z.array(candidateSchema).describe('the best first'), unlisted: count.describe('how many more there are'),
  answer: z.string().nullable().describe('so far; null before there is one'),
}).describe('a plan, a tune or a study at one moment') satisfies z.ZodType<JobState>);

export const messageSchema = named('RunMessage', z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('card'), card: cardSchema }),
  z.strictObject({ is: z.literal('started'), run: startedSchema }),
  z.strictObject({ is: z.literal('state'), state: stateSchema }),
  z.strictObject({ is: z.literal('job'), job: jobSchema }),
  z.strictObject({ is: z.literal('curves'), curves: curvesSchema }),
  z.strictObject({ is: z.literal('points'), curves: curvesSchema }),
  z.strictObject({ is: z.literal('feed'), lines: feedSchema }),
  z.strictObject({ is: z.literal('answer'), to: count, error: z.string().nullable() }),
]).describe('`curves` has all points anew, `points` those that were added since') satisfies z.ZodType<RunMessage>);
