import { basename } from 'node:path';
import * as z from 'zod';
import { checkGraphName } from '../../graphs/catalogue/index.ts';
import { planFlagsSchema, requestOf, type WrittenRequest } from '../../questions/plan/index.ts';
import { shippedPolicies } from '../../core/policy/index.ts';
import { InputError } from '../../base/index.ts';
import { schemaWithUnits } from '../../base/schema/index.ts';
import { yamlText } from '../../base/yaml/index.ts';
import type { NewJob, SettingsForms } from '../../views/service/index.ts';
import { Grid, shippedStudies, studyOf, type Study } from '../../questions/study/index.ts';
import { named, plain, valid, type MadeCommand } from '../answers/made-command.ts';
import { configText } from '../flags/config.ts';
import { experimentFlags } from '../flags/experiment-flags.ts';
import { flagsOf } from '../flags/flags.ts';
import { notInPlans, notInTunes, tuneFlagsSchema } from './job-flags.ts';

const { settings } = shippedPolicies;

type JsonSchema = Readonly<Record<string, unknown>>;

/** What the forms of plans, tunes and studies are made of. @param simulation the JSON Schema of a simulation's. */
export async function jobForms(simulation: JsonSchema): Promise<Pick<SettingsForms, 'plan' | 'tune' | 'studies'>> {
  return {
    plan: joined(planFlagsSchema, simulation, notInPlans), tune: joined(tuneFlagsSchema, simulation, notInTunes),
    studies: await shippedStudies(),
  };
}

/** The command of a plan, a tune or a study. @throws InputError, with the field that is wrong. */
export function madeJob(job: NewJob): Promise<MadeCommand> {
  switch (job.kind) {
    case 'plan': return plan(job);
    case 'tune': return tune(job);
    case 'study': return study(job);
  }
}

async function plan({ graph, goal, settings: typed }: NewJob & { kind: 'plan' }): Promise<MadeCommand> {
  const goals = goal.map((text) => text.trim()).filter((text) => text !== '');
  const { flags, experiment } = divided(planFlagsSchema, typed, notInPlans, 'a plan');
  requestOf({ ...(goals.length > 0 && { goal: goals }), ...flags as WrittenRequest }, experiment);
  await checkGraphName(plain('graph', graph));
  const words = [...goals.flatMap((text) => ['--goal', text]), ...wordsOf(flags)];
  const file = { graph, ...(goals.length > 0 && { goal: goals }), ...flags, experiment };
  return {
    argv: ['plan', graph, ...words, ...flagsOf(experiment)], config: yamlText(file), name: graph,
    base: named(`plan-${basename(graph)}`),
  };
}

async function tune({ graph, settings: typed }: NewJob & { kind: 'tune' }): Promise<MadeCommand> {
  const { flags, experiment } = divided(tuneFlagsSchema, typed, notInTunes, 'a tune');
  if (flags.for === 'rank' && experiment.maxSeconds === undefined)
    throw new InputError('maxSeconds: finding the most rank within a time needs that time', { field: 'maxSeconds' });
  await checkGraphName(plain('graph', graph));
  return {
    argv: ['tune', graph, ...wordsOf(flags), ...flagsOf(experiment)], config: await configText(experiment, settings),
    name: graph, base: named(`tune-${basename(graph)}`),
  };
}

async function study({ yaml, graph }: NewJob & { kind: 'study' }): Promise<MadeCommand> {
  const parsed = studyIn(yaml);
  const crawled = graph ?? parsed.graph;
  try {
    await checkGraphName(plain('graph', crawled));
  } catch (error) {
    if (graph !== undefined || !(error instanceof InputError)) throw error;
    throw new InputError(`graph: ${error.message}`, { field: 'yaml' });
  }
  return {
    // Its place depends on its folder.
    argv: ['study', ...(graph === undefined ? [] : ['--graph', graph])], config: yaml, name: parsed.title ?? crawled,
    base: named(`study-${basename(crawled)}`),
  };
}

/** @throws InputError with line and column, for the field of the text. */
function studyIn(yaml: string): Study {
  try {
    const parsed = studyOf(yaml, 'line');
    new Grid(parsed);
    return parsed;
  } catch (error) {
    throw error instanceof InputError ? new InputError(error.message, { field: 'yaml' }) : error;
  }
}

/** Splits what was typed into the job's own flags and settings of simulations, both checked. */
function divided<S extends z.ZodObject>(
  schema: S, typed: Readonly<Record<string, unknown>>, not: readonly string[], what: string,
) {
  const isOwn = ([name]: readonly [string, unknown]): boolean => name in schema.shape;
  const flags = valid(schema, Object.fromEntries(Object.entries(typed).filter(isOwn)));
  const others = Object.fromEntries(Object.entries(typed).filter((entry) => !isOwn(entry)));
  const experiment = valid(settings.experiment, others);
  for (const field of pathsOf(not)) {
    const value = field.split('.')
      .reduce<unknown>((at, step) => (at as Partial<JsonSchema> | undefined)?.[step], experiment);
    if (value !== undefined) throw new InputError(`${field}: ${what} has no such setting`, { field });
  }
  return { flags, experiment };
}

/** The dotted paths of the settings with these flags. */
function pathsOf(flags: readonly string[]): string[] {
  return experimentFlags.filter(({ name }) => flags.includes(name)).map(({ path }) => path.join('.'));
}

/** Flags whose names are single words. */
function wordsOf(flags: object): string[] {
  return Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
}

/** One form of a job's own flags and those settings of simulations that it has. */
function joined(ownSchema: z.ZodObject, simulation: JsonSchema, not: readonly string[]): JsonSchema {
  const flags = schemaWithUnits(z.toJSONSchema(ownSchema, { io: 'input' })) as { properties: JsonSchema };
  return { type: 'object', properties: { ...flags.properties, ...without(simulation, pathsOf(not), '') } };
}

/** The properties of a schema but for those at these paths. */
function without(schema: JsonSchema, paths: readonly string[], within: string): JsonSchema {
  const entries = Object.entries(schema['properties'] as Readonly<Record<string, JsonSchema>>);
  return Object.fromEntries(entries.filter(([name]) => !paths.includes(`${within}${name}`)).map(([name, field]) =>
    [name, 'properties' in field ? { ...field, properties: without(field, paths, `${within}${name}.`) } : field]));
}
