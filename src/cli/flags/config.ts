import { stringify } from 'yaml';
import { z } from 'zod';
import type { Change } from '../../events/index.ts';
import { readCheckedYaml } from '../../base/yaml/index.ts';
import { liveSchema } from '../../live/settings.ts';
import { changesSchema, experimentSchema, type ExperimentInput } from '../../settings/index.ts';
import { completed, kebabCase } from './flags.ts';

const MAX_BYTES = 4 * 1024 * 1024;
const liveNames = new Set(['live', ...Object.keys(liveSchema.shape)]);

/**
 * The changes that were made while the run of a run.json went on; none of a file of settings.
 * @throws InputError for what is no list of changes.
 */
export async function readChanges(path: string): Promise<readonly Change[]> {
  const { value } = await readCheckedYaml(path, {
    schema: z.looseObject({ changes: changesSchema.optional() }), what: 'the record of a run', maxBytes: MAX_BYTES,
  });
  return value.changes ?? [];
}

/**
 * The settings of a simulation in a file: YAML with the names of run.json's `experiment`, or the run.json of a run,
 * which is repeated so.
 * @throws InputError naming file, line, column and what is allowed.
 */
export async function readConfig(path: string): Promise<ExperimentInput> {
  const { value } = await readCheckedYaml(path, {
    schema: experimentSchema,
    what: 'a file of settings',
    maxBytes: MAX_BYTES,
    partOf: (whole) => (isRecord(whole) ? ['experiment'] : []),
    explain: (key) => (liveNames.has(key) ? 'it is a setting of live crawls (orbweaver crawl)' : flagAsKey(key)),
  });
  return value;
}

function isRecord(whole: unknown): boolean {
  return whole !== null && typeof whole === 'object' && 'replayHash' in whole && 'experiment' in whole;
}

/** A flag typed as a key. */
function flagAsKey(key: string): string | undefined {
  const name = Object.keys(experimentSchema.shape).find((field) => kebabCase(field) === key.replace(/^-+/, ''));
  return name === undefined ? undefined : `did you mean ${name}?`;
}

/** Every setting of an experiment with its value, as readConfig reads it. */
export function configText(input: ExperimentInput): string {
  const about = '# Settings for orbweaver simulate GRAPH --config FILE; what is left out has its default.';
  return `${about}\n${stringify(completed(input))}`;
}
