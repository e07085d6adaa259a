/**
 * The content of a study file: a base experiment and axes to vary, each value with unit and range as in the Experiment.
 * Editors check and complete by its JSON Schema.
 */
import * as z from 'zod';
import { fieldsOf, schemaWithUnits, unwrapped } from '../../base/schema/index.ts';
import { shippedPolicies } from '../../core/policy/index.ts';
import { flagName, type Settings } from '../../core/settings/index.ts';

/** Maximum runs of a study: a million one-second runs take six days on two cores, and their table is still one file. */
export const maxRuns = 1_000_000;

/** Scores are set once per study; an Experiment only records which they were, and likewise the user's policies. */
const excluded: readonly string[] = ['scores', 'userPolicies', 'network.fit'];

/** The fields of the Experiment that may vary: dotted paths, and schemas. */
function varied(experiment: z.ZodObject): [path: string, field: z.ZodType][] {
  const isExcluded = (path: string): boolean => excluded.some((name) => path === name || path.startsWith(`${name}.`));
  return fieldsOf(experiment).filter(([path]) => !isExcluded(path))
    .map(([path, field]) => [path, described(unwrapped(field), field)]);
}

function described(inner: z.ZodType, { description }: z.ZodType): z.ZodType {
  return description === undefined ? inner : inner.describe(description);
}

/** Dotted paths of every field that an axis may vary. */
export const axisNames: readonly string[] = axisNamesOf(shippedPolicies.settings);

/** The same for a study that may name these policies. */
export function axisNamesOf({ experiment }: Settings): string[] {
  return varied(experiment).map(([path]) => path);
}

function axisOf(field: z.ZodType) {
  const axis = z.array(field).min(1, 'an axis needs at least one value').optional();
  return field.description === undefined ? axis : axis.describe(`values of: ${field.description}`);
}

/** @param settings with the policies that the study may name. */
export const studySchema = ({ experiment }: Settings) => z.strictObject({
  $schema: z.string().optional().describe('where the JSON Schema of this file is, for editors'),
  title: z.string().max(200).optional().describe('what the study is called in its report'),
  graph: z
    .string()
    .min(1)
    .describe('name of the catalogue, or path of a graph from the folder in which the command is run'),
  scores: z.string().min(1).optional().describe('file of scores for policies that need them, from the same folder'),
  network: z.string().min(1).optional().describe(
    'finished crawl that the network of all runs is fitted to, as simulate --network: its folder, log or table',
  ),
  experiment: experiment.prefault({}).describe('settings of every run, where they differ from the defaults'),
  axes: z
    .strictObject(Object.fromEntries(varied(experiment).map(([path, field]) => [path, axisOf(field)])))
    .describe(
      'settings that vary, by their dotted names or as flags; the study is every combination. Runs that differ in seed alone are repetitions',
    ),
  sample: z
    .strictObject({
      runs: z.int().min(1).max(maxRuns).describe('runs to draw from the grid, none twice'),
      seed: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(1).describe('seed of the draw'),
    })
    .optional()
    .describe('a random sample of the grid instead of all of it'),
});

/** A study as in its file, checked. */
export type StudyInput = z.output<ReturnType<typeof studySchema>>;

/** The JSON Schema of a study file as written by hand: fields with defaults may be left out. */
export function studyJsonSchema(): object {
  const { settings } = shippedPolicies;
  const names = JSON.stringify(settings.policies.map(({ name }) => name));
  const schema = z.toJSONSchema(studySchema(settings), {
    io: 'input',
    // A policy of the user's is a file.
    override: ({ jsonSchema }) => {
      if (JSON.stringify(jsonSchema.enum) !== names) return;
      jsonSchema.anyOf = [{ enum: jsonSchema.enum! }, { pattern: '\\.[cm]?js$' }];
      delete jsonSchema.enum;
    },
  });
  const axes = (schema.properties?.['axes'] as { properties: Record<string, object> }).properties;
  for (const path of axisNames) axes[flagName(path)] ??= { $ref: `#/properties/axes/properties/${path}` };
  return { title: 'A study of Orbweaver', ...schemaWithUnits(schema) };
}
