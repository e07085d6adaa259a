import { stringify } from 'yaml';
import { readCheckedYaml } from '../../base/yaml/index.ts';
import { liveSchema } from '../../live/settings.ts';
import { experimentSchema, type ExperimentInput } from '../../settings/index.ts';
import { completed, kebabCase } from './flags.ts';

const liveNames = new Set(['live', ...Object.keys(liveSchema.shape)]);

/**
 * The settings of a simulation in a file: YAML with the names of run.json's `experiment`, or the run.json of a run
 * (of one that was killed, its started.json), which is repeated so.
 * @throws InputError naming file, line, column and what is allowed.
 */
export async function readConfig(path: string): Promise<ExperimentInput> {
  const { value } = await readCheckedYaml(path, {
    schema: experimentSchema,
    what: 'a file of settings',
    maxBytes: 4 * 1024 * 1024,
    partOf: (whole) => (isRecord(whole) ? ['experiment'] : []),
    explain: (key) => (liveNames.has(key) ? 'it is a setting of live crawls (orbweaver crawl)' : flagAsKey(key)),
  });
  return value;
}

function isRecord(whole: unknown): boolean {
  if (whole === null || typeof whole !== 'object') return false;
  return 'experiment' in whole && ('replayHash' in whole || 'version' in whole);
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
