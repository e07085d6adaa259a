import * as z from 'zod';
import { named, type Answered } from '../openapi/endpoint.ts';

// Plans, tunes and studies as jobs of the dashboard. They are listed, watched and stopped as runs are.

const graph = z.string().min(1).max(4096);
const settings = z.record(z.string(), z.unknown())
  .describe('as in a settings file, and the flags of the job itself by their names');
const out = z.string().min(1).max(200).optional().describe('below the runs folder');

/** A study file has at most 256 KiB. */
export const maxStudyCharacters = 262_144;

/** Bodies of POST /api/runs and POST /api/check. */
export const newPlanSchema = z.strictObject({
  kind: z.literal('plan'), graph, goal: z.array(z.string().max(200)).max(8), settings, out,
});
export const newTuneSchema = z.strictObject({ kind: z.literal('tune'), graph, settings, out });
export const newStudySchema = z.strictObject({
  kind: z.literal('study'),
  yaml: z.string().min(1).max(maxStudyCharacters).describe('the text of a study file'),
  graph: graph.optional().describe('crawled in place of that of the file'),
  out,
});

export type NewJob = z.infer<typeof newPlanSchema> | z.infer<typeof newTuneSchema> | z.infer<typeof newStudySchema>;

export const shippedStudy = named('ShippedStudy', z.strictObject({ name: z.string(), yaml: z.string() })
  .describe('a study that comes with the package'));
export type ShippedStudy = Answered<typeof shippedStudy>;
