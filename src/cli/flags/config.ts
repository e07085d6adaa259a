import { basename } from 'node:path';
import * as z from 'zod';
import { schemaWithUnits } from '../../base/schema/index.ts';
import type { Change } from '../../core/events/index.ts';
import type { ForkOf } from '../../core/measure/index.ts';
import { liveSchema, partialLiveSchema, type LiveInput, type PartialLiveInput } from '../../core/live/settings.ts';
import { shippedPolicies, type PolicyRegistry } from '../../core/policy/index.ts';
import {
  changesSchema, currentName, keyMeant, recordedPolicies, Settings, simulatedOnly, userPoliciesSchema,
  withEarlierDefaults, type ExperimentInput, type LiveCrawlInput,
} from '../../core/settings/index.ts';
import { settingPaths } from './experiment-flags.ts';
import { completed, type ConfigFlags, type RawFlags } from './flags.ts';
import { fieldOfLiveFlag } from './live/live-flags.ts';
import { policiesFor } from './policies.ts';

const liveNames = new Set(['live', ...Object.keys(liveSchema.shape)]);

/** Files of a run that have its settings. */
const recordFiles: ReadonlySet<string> = new Set(['run.json', 'started.json']);

const size = { what: 'a settings file', maxBytes: 4 * 1024 * 1024 };

/** Loaded where a file is read or printed: most commands have flags alone, and start sooner without. */
const yaml = () => import('../../base/yaml/index.ts');

const replaySchema = z.looseObject({
  changes: changesSchema.optional(),
  forkOf: z.object({
    folder: z.string(), replayHash: z.string().nullable(), superstep: z.int().min(0),
    legs: z.array(z.object({ experiment: z.looseObject({}), untilSuperstep: z.int().min(0) })).min(1).max(1000),
  }).optional(),
  dataset: z.looseObject({ sha256: z.string() }).optional(),
});

/**
 * What repeats the run of a run.json besides its settings: the changes made while it ran, how it began if it was a
 * fork, and the checksum of its graph. Nothing of it is in a settings file.
 * @throws InputError if any of it is damaged.
 */
export async function readReplay(path: string): Promise<{
  readonly changes: readonly Change[]; readonly forkOf: ForkOf | undefined; readonly sha256: string;
}> {
  const { value: { changes = [], forkOf, dataset } } = await (await yaml()).readCheckedYaml(path, {
    ...size, schema: replaySchema, what: 'the record of a run',
  });
  return { changes, forkOf, sha256: dataset?.sha256 ?? '' };
}

/**
 * The settings of a simulation in a file: YAML with the names of run.json's `experiment`, or the run.json of a run
 * (of one that was killed, its started.json), which is repeated so; and the policies that these and the flags name.
 * Without a file, the policies alone.
 * @param ofCrawl the file is the record of a live crawl, whose delay of addresses the network has too.
 * @throws InputError naming file, line, column and what is allowed.
 */
export async function readConfig(
  raw: ConfigFlags, ofCrawl = false,
): Promise<{ readonly config: ExperimentInput; readonly policies: PolicyRegistry }> {
  const { config, policies } = await readSettings(raw, ofCrawl ? crawlRecordSchema : plainSchema, (key, at) =>
    liveNames.has(key) && at.length === 0
      ? 'it is a setting of live crawls (orbweaver crawl)' : meantKey(key, at, shippedPolicies.settings.experiment));
  const { live, ...settings } = config;
  if (live === undefined) return { config, policies };
  const { addressDelayMs = 0 } = live as { readonly addressDelayMs?: number };
  return { config: addressDelayMs === 0 ? settings : { ...settings, network: { addressDelayMs } }, policies };
}

export interface LiveConfig {
  readonly crawl: LiveCrawlInput;
  readonly live: PartialLiveInput | undefined;
  /** URLs; a record has none, because only the store of its crawl knows them. */
  readonly seeds: readonly string[] | undefined;
}

/** Like readConfig, for a live crawl. @throws as readConfig. */
export async function readLiveConfig(
  raw: ConfigFlags,
): Promise<{ readonly config: LiveConfig; readonly policies: PolicyRegistry }> {
  const { config, policies } = await readSettings(raw, liveFileSchema, (key, at) => {
    if (at.length > 0) return undefined;
    if (simulatedOnly.includes(key)) return 'it is a setting of simulations (orbweaver simulate)';
    const field = liveNames.has(key) ? key : fieldOfLiveFlag(key.replace(/^-+/, ''));
    return field === undefined ? meantKey(key, at, shippedPolicies.settings.liveCrawl) : `did you mean live.${field}?`;
  });
  const { shape } = policies.settings.liveCrawl;
  const crawl = Object.fromEntries(Object.entries(config).filter(([name]) => name in shape));
  return { config: { crawl, live: config.live, seeds: config.seeds }, policies };
}

function plainSchema({ experiment }: Settings): ReturnType<typeof crawlRecordSchema> {
  // The same without `live`, which is optional.
  return experiment as unknown as ReturnType<typeof crawlRecordSchema>;
}

function crawlRecordSchema({ experiment }: Settings) {
  return experiment.extend({ live: z.looseObject({ addressDelayMs: z.number().min(0).optional() }).optional() });
}

function liveFileSchema({ liveCrawl }: Settings, isRecord: boolean) {
  return liveCrawl.extend({
    live: partialLiveSchema.optional(),
    seeds: z.array(z.string()).max(1e6).optional().describe('URLs of the pages to start from'),
    // A record has ids that mean something in its store alone.
    ...(isRecord && { seedPages: z.array(z.int()).optional() }),
  });
}

export function configSchemaText({ experiment }: Settings): string {
  return JSON.stringify(schemaWithUnits(z.toJSONSchema(experiment, { io: 'input' })), null, 2);
}

export function liveConfigSchemaText(settings: Settings): string {
  return JSON.stringify(schemaWithUnits(z.toJSONSchema(liveFileSchema(settings, false), { io: 'input' })), null, 2);
}

async function readSettings<S extends z.ZodType<unknown, { policyOptions?: Record<string, unknown> | undefined }>>(
  raw: ConfigFlags, schemaOf: (settings: Settings, isRecord: boolean) => S,
  explain: (key: string, within: readonly PropertyKey[]) => string | undefined,
): Promise<{ readonly config: z.input<S>; readonly policies: PolicyRegistry }> {
  const path = raw.config;
  if (path === undefined) return { config: {} as z.input<S>, policies: await policiesFor(raw) };
  const { checkedYaml, glancedYaml, readYaml } = await yaml();
  const text = await readYaml(path, size);
  const whole = glancedYaml(text);
  const isOfRun = isRecord(whole);
  const settings = isOfRun ? (whole as { experiment: unknown }).experiment : whole;
  const policies = await policiesFor(raw, {
    settings, legs: legsIn(whole, raw), record: isOfRun || mayBeRecord(path, whole) ? path : undefined,
  });
  const { value } = checkedYaml(text, path, {
    ...size, schema: schemaOf(settingsFor(policies, settings), isOfRun), explain,
    partOf: () => (isOfRun ? ['experiment'] : []),
    // Policies choose the names of their options.
    nameOf: (key, at) => (at.every((step) => step === 'experiment' || step === 'live') ? currentName(key) : key),
  });
  const config = isOfRun ? withEarlierDefaults(value) : value;
  return { config: { ...config, policyOptions: knownOptions(value.policyOptions ?? {}, policies) }, policies };
}

/** Options of policies that a flag has replaced are dropped. */
function knownOptions(options: Readonly<Record<string, unknown>>, policies: PolicyRegistry): Record<string, unknown> {
  const { shape } = policies.settings.policyOptions;
  const remaining: Record<string, unknown> = {};
  for (const [option, value] of Object.entries(options)) {
    if (!(option in shape)) continue;
    remaining[option] = value !== null && typeof value === 'object'
      ? Object.fromEntries(Object.entries(value).filter(([name]) => policies.factsOf(name) !== undefined)) : value;
  }
  return remaining;
}

/** Settings that also know the policies of a record that a flag has replaced, so that those are not run. */
function settingsFor(policies: PolicyRegistry, settings: unknown): Settings {
  const { data } = z.object({ userPolicies: userPoliciesSchema }).safeParse(settings);
  const replaced = recordedPolicies(data ?? {}).filter(({ name }) => policies.factsOf(name) === undefined);
  return replaced.length === 0 ? policies.settings : new Settings([...policies.settings.policies, ...replaced]);
}

function isRecord(whole: unknown): boolean {
  return hasExperiment(whole) && ('replayHash' in whole || 'version' in whole);
}

function hasExperiment(whole: unknown): whole is { readonly experiment: unknown } {
  return whole !== null && typeof whole === 'object' && 'experiment' in whole;
}

/** Whether a stranger may have written the file as the record of a run, whatever is in it. */
function mayBeRecord(path: string, whole: unknown): boolean {
  return hasExperiment(whole) || recordFiles.has(basename(path).toLowerCase());
}

const legsSchema = z.object({
  forkOf: z.object({ legs: z.array(z.object({ experiment: z.unknown(), untilSuperstep: z.number() })) }),
});

/** The settings of the runs that a fork began as, in any form; the fork is recorded, or is made now. */
function legsIn(whole: unknown, { from, at }: RawFlags): unknown[] {
  const legs = legsSchema.safeParse(whole).data?.forkOf.legs ?? [];
  const isMade = from !== undefined && hasExperiment(whole);
  const all = isMade ? [...legs, { experiment: whole.experiment, untilSuperstep: Infinity }] : legs;
  const last = isMade ? all.findIndex(({ untilSuperstep }) => untilSuperstep >= Number(at)) : all.length;
  return all.slice(0, last + 1).map(({ experiment }) => experiment);
}

/** The setting that a wrong key within the map at `within` most probably means, such as the name of a flag. */
function meantKey(
  key: string, within: readonly PropertyKey[], { shape }: { readonly shape: object },
): string | undefined {
  return keyMeant(key, within, settingPaths.filter((path) => path.split('.')[0] in shape));
}

/** Every setting of an experiment with its value, in the form that readConfig reads. */
export function configText(input: ExperimentInput, settings: Settings): Promise<string> {
  return yamlOf('orbweaver simulate GRAPH', completed(input, settings));
}

export function liveConfigText(
  input: LiveCrawlInput, live: LiveInput, seeds: readonly string[], settings: Settings,
): Promise<string> {
  return yamlOf('orbweaver crawl', {
    ...settings.parseLiveCrawl(input), live: liveSchema.parse(live), ...(seeds.length > 0 && { seeds }),
  });
}

async function yamlOf(command: string, values: object): Promise<string> {
  const text = (await yaml()).yamlText(values);
  return `# Settings for ${command} --config FILE; settings left out have their defaults.\n${text}`;
}
