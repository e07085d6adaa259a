import { join } from 'node:path';
import * as z from 'zod';
import { InputError } from '../../../../base/index.ts';
import {
  limitKinds, readRunJson, readStarted, STARTED_FILE, type RunHeader, type RunJson, type RunOrigin,
} from '../../../../core/measure/index.ts';
import { changesSchema, partitionNames } from '../../../../core/settings/index.ts';
import { checkRecordFiles } from './record-files.ts';

const count = z.int().min(0);
const figure = z.number().nullish();
/** Names and paths are shorter. */
const word = z.string().max(4096);
/** Points on the circle of a partition: they are placed when the run is looked at. */
const MAX_POINTS = 2 ** 20;

const settings = z.looseObject({
  processors: z.int().min(1).max(4096), robots: z.int().min(1).max(65_536), policy: word, seedPages: z.array(count),
  partition: z.enum(partitionNames), partitionPoints: z.int().min(1).optional(),
  maxPages: count.optional(), maxSeconds: z.number().min(0).optional(),
}).refine(({ processors, partitionPoints = 1 }) => processors * partitionPoints <= MAX_POINTS, {
  message: `has more than ${MAX_POINTS} points for all processors`, path: ['partitionPoints'],
});

const limits = z.object({
  named: z.array(z.enum(limitKinds)).max(limitKinds.length), shares: z.record(z.string(), z.number()),
  hosts: z.object({ count, names: z.array(word).max(100) }),
});

const degrees = z.array(count).max(64).nullish();
const summary = z.looseObject({
  ended: word, pagesFetched: count.max(2 ** 32), reachablePages: count.optional(), virtualSeconds: figure,
  limits: limits.optional(),
  crashes: z.array(z.looseObject({ processor: count, atUs: z.number(), resumedUs: z.number() })).optional(),
  statistics: z.looseObject({ inDegrees: degrees, outDegrees: degrees }).nullish(),
});

const forkOf = z.looseObject({ folder: word, superstep: count });

/** The fields of run.json that the dashboard uses. Records of earlier versions lack some. */
const recorded = z.looseObject({
  experiment: settings, summary, dataset: z.looseObject({ name: word, sha256: word }), replayHash: word,
  forkOf: forkOf.optional(),
  origin: z.looseObject({ graph: word.optional(), command: z.string().optional() }).optional(),
  changes: changesSchema.optional(), memory: z.looseObject({ pagesKnown: count.optional() }).optional(),
}).refine(({ experiment: { processors }, changes = [] }) => changes.every(({ processor }) => processor < processors), {
  message: 'has a change of a processor that there is not', path: ['changes'],
});

/** The same of a run that did not come to its end. */
const started = z.looseObject({
  experiment: settings, dataset: z.looseObject({ name: word, sha256: word }).optional(), graph: word.optional(),
  forkOf: forkOf.optional(),
});

export type RecordedSettings = z.output<typeof settings>;
export type RecordedRun = RunJson<RecordedSettings>;
export type StartedRecord = RunHeader<RecordedSettings> & RunOrigin;

/**
 * run.json of a folder that a stranger may have made, checked with all files beside it.
 * @throws InputError naming the file, the field and the allowed values.
 */
export async function readRecordedRun(folder: string): Promise<RecordedRun> {
  checkRecordFiles(folder);
  const path = join(folder, 'run.json');
  const run = await readRunJson<RecordedSettings>(folder);
  check(recorded, run, path);
  return run;
}

/** started.json of a folder, likewise. @throws InputError likewise. */
export function readStartedRun(folder: string): StartedRecord {
  checkRecordFiles(folder);
  const run = readStarted<RecordedSettings>(folder);
  check(started, run, join(folder, STARTED_FILE));
  return run;
}

function check(schema: z.ZodType, run: object, path: string): void {
  const parsed = schema.safeParse(run);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new InputError(`${path}: is not a record that can be shown: ${issue.path.join('.')}: ${issue.message}`);
  }
  try {
    // A recursive function sends the record to the page.
    JSON.stringify(run);
  } catch (error) {
    if (error instanceof RangeError) throw new InputError(`${path}: is nested too deeply`);
    throw error;
  }
}
