import { stringify } from 'yaml';
import { z } from 'zod';
import { checkedYaml, glancedYaml, readCheckedYaml, readYaml } from '../../base/yaml/index.ts';
import type { Change } from '../../events/index.ts';
import { liveSchema } from '../../live/settings.ts';
import { shippedPolicies, type PolicyRegistry } from '../../policy/index.ts';
import {
  changesSchema, recordedPolicies, Settings, userPoliciesSchema, type ExperimentInput,
} from '../../settings/index.ts';
import { completed, kebabCase, type RawFlags } from './flags.ts';
import { policiesFor } from './policies.ts';

const liveNames = new Set(['live', ...Object.keys(liveSchema.shape)]);

const size = { what: 'a file of settings', maxBytes: 4 * 1024 * 1024 };

/**
 * The changes that were made while the run of a run.json went on; none of a file of settings.
 * @throws InputError for what is no list of changes.
 */
export async function readChanges(path: string): Promise<readonly Change[]> {
  const { value } = await readCheckedYaml(path, {
    ...size, schema: z.looseObject({ changes: changesSchema.optional() }), what: 'the record of a run',
  });
  return value.changes ?? [];
}

/**
 * The settings of a simulation in a file: YAML with the names of run.json's `experiment`, or the run.json of a run
 * (of one that was killed, its started.json), which is repeated so; and the policies that these and the flags name.
 * @throws InputError naming file, line, column and what is allowed.
 */
export async function readConfig(
  path: string, raw: RawFlags,
): Promise<{ readonly config: ExperimentInput; readonly policies: PolicyRegistry }> {
  const text = await readYaml(path, size);
  const whole = glancedYaml(text);
  const written = isRecord(whole) ? (whole as { experiment: unknown }).experiment : whole;
  const policies = await policiesFor(raw, written);
  const { value } = checkedYaml(text, path, {
    ...size,
    schema: settingsFor(policies, written).experiment,
    partOf: (document) => (isRecord(document) ? ['experiment'] : []),
    explain: (key) => (liveNames.has(key) ? 'it is a setting of live crawls (orbweaver crawl)' : flagAsKey(key)),
  });
  const { shape } = policies.settings.policyOptions;
  const known = Object.entries(value.policyOptions ?? {}).filter(([name]) => name in shape);
  return { config: { ...value, policyOptions: Object.fromEntries(known) }, policies };
}

/** Settings that also know the policies which a record tells of and a flag has replaced, so that nobody runs them. */
function settingsFor(policies: PolicyRegistry, written: unknown): Settings {
  const { data } = z.object({ userPolicies: userPoliciesSchema }).safeParse(written);
  const replaced = recordedPolicies(data ?? {}).filter(({ name }) => policies.factsOf(name) === undefined);
  return replaced.length === 0 ? policies.settings : new Settings([...policies.settings.policies, ...replaced]);
}

function isRecord(whole: unknown): boolean {
  return (
    whole !== null &&
    typeof whole === 'object' &&
    'experiment' in whole &&
    ('replayHash' in whole || 'version' in whole)
  );
}

/** A flag typed as a key. */
function flagAsKey(key: string): string | undefined {
  const { shape } = shippedPolicies.settings.experiment;
  const name = Object.keys(shape).find((field) => kebabCase(field) === key.replace(/^-+/, ''));
  return name === undefined ? undefined : `did you mean ${name}?`;
}

/** Every setting of an experiment with its value, as readConfig reads it. */
export function configText(input: ExperimentInput, settings: Settings): string {
  const about = '# Settings for orbweaver simulate GRAPH --config FILE; what is left out has its default.';
  return `${about}\n${stringify(completed(input, settings))}`;
}
