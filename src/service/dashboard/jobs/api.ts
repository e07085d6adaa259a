import * as z from 'zod';

// Plans, tunes and studies as jobs of the dashboard. They are listed, watched and stopped as runs are.

const graph = z.string().min(1).max(4096);
/** As in a settings file, and the job's own flags by their names. */
const settings = z.record(z.string(), z.unknown());
/** Below the runs folder. */
const out = z.string().min(1).max(200).optional();

/** A study file has at most 256 KiB. */
export const maxStudyCharacters = 262_144;

/** Bodies of POST /api/runs and POST /api/check. */
export const newPlanSchema = z.strictObject({
  kind: z.literal('plan'), graph, goal: z.array(z.string().max(200)).max(8), settings, out,
});
export const newTuneSchema = z.strictObject({ kind: z.literal('tune'), graph, settings, out });
export const newStudySchema = z.strictObject({
  kind: z.literal('study'),
  /** The text of a study file: YAML. */
  yaml: z.string().min(1).max(maxStudyCharacters),
  /** Crawled instead of that of the file. */
  graph: graph.optional(),
  out,
});

export type NewJob = z.infer<typeof newPlanSchema> | z.infer<typeof newTuneSchema> | z.infer<typeof newStudySchema>;

/** A study that comes with the package. */
export interface ShippedStudy {
  readonly name: string;
  readonly yaml: string;
}
