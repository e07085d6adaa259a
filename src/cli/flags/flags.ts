import { Option, type Command } from 'commander';
import * as z from 'zod';
import { shippedPolicies } from '../../core/policy/index.ts';
import {
  networkSchema, policiesOfOption, simulatedQueueSchema, weighable, type Experiment,
  type ExperimentInput, type LiveCrawlInput, type OptionValue, type Settings,
} from '../../core/settings/index.ts';
import { didYouMean, InputError, inOwnUnit, quantityOf, quantityWords } from '../../base/index.ts';
import { quantityOfField } from '../../base/schema/index.ts';
import { printableShort } from '../text/printable.ts';
import {
  experimentFlags, groupOf, groups, meansNothingLive, weightsUnit, type ExperimentFlag,
} from './experiment-flags.ts';
import { addPolicyFlags, ownOptions, weightsOf } from './policy-flags.ts';
import { addFlag, addOne, camelCase, kebabCase, numberOrText, type RawFlags } from './words.ts';

export { camelCase, kebabCase, numberOrText, type OutFlags, type RawFlags } from './words.ts';

const { settings: shippedSettings } = shippedPolicies;

/** Defaults of single runs; repeated runs have others. */
export const runDefaults = { statistics: 'auto' } as const;

/** Adds the flags of an Experiment to a command, `except` for those that it sets itself or that do not apply to it. */
export function addExperimentFlags(command: Command, except: readonly string[] = []): Command {
  for (const [heading] of groups) {
    for (const flag of experimentFlags) {
      if (groupOf(flag.path) !== heading || except.includes(flag.name)) continue;
      addFlag(command, flag, heading, describedForRun(flag.path, fieldAt(flag.path)));
    }
  }
  addPolicyFlags(command);
  return except.includes('seed-page') ? command : addSeedPageFlag(command);
}

/** The flags of settings files, which are not settings themselves. */
export interface ConfigFlags extends RawFlags {
  readonly config?: string;
  readonly trust?: true;
  readonly printConfig?: true;
  readonly printSchema?: true;
}

export function addConfigFlags(command: Command): Command {
  return command
    .option('--config <FILE>', 'read settings from this YAML file, or those of a run from its run.json; flags win')
    .option('--trust', 'also run policy files that only the record of a run names; they are code, with all your rights')
    .option('--print-config', 'print all settings as such a file, and end')
    .option('--print-schema', 'print the JSON Schema of such a file, for editors, and end');
}

/** Adds the flags of the settings that live crawls share with simulations. */
export function addLiveCrawlFlags(command: Command): Command {
  const shape: Readonly<Record<string, z.ZodType>> = shippedSettings.liveCrawl.shape;
  for (const [heading] of groups) {
    for (const flag of experimentFlags) {
      const { path, value } = flag;
      if (groupOf(path) !== heading || meansNothingLive(path)) continue;
      const text = describedForRun(path, path.length === 1 ? shape[path[0]] : fieldAt(path));
      addFlag(command, { ...flag, value: value.replace('|auto', '') }, heading, text);
    }
  }
  addPolicyFlags(command);
  return command;
}

/** Only the simulated network has processors, names to resolve and a virtual clock. */
const networkAlone = [
  'processor-bandwidth-bytes-per-second', 'bandwidth-model', 'dns-ms', 'crash-seconds', 'restart-seconds',
];

/** A server differs from a simulation in these defaults: without flags, it adds no delay. */
const servedDefaults = new Map([['latency-ms', 0], ['bandwidth-bytes-per-second', 0], ['keep-alive-seconds', 60]]);

/** Names of the flags that addServedNetworkFlags adds, except `--seed`. */
export const servedNetworkFlags = experimentFlags
  .filter(({ name, path }) => path[0] === 'network' && !networkAlone.includes(name))
  .map(({ name }) => name);

/** Adds the flags of a network that is served; experimentOf reads them. */
export function addServedNetworkFlags(command: Command): Command {
  for (const flag of experimentFlags) {
    if (!servedNetworkFlags.includes(flag.name) && flag.name !== 'seed') continue;
    const text = describe(fieldAt(flag.path)).replaceAll('virtual seconds', 'seconds');
    const standard = servedDefaults.get(flag.name);
    const help = standard === undefined ? text : text.replace(/\(default: .*\)$/, `(default: ${standard})`);
    addFlag(command, flag, flag.name === 'seed' ? 'Start and limits:' : 'Simulated network:', help);
  }
  return addSeedPageFlag(command);
}

function addSeedPageFlag(command: Command): Command {
  const option = new Option(
    '--seed-page <ID|URL>',
    'page to start from, by its id in the source or its URL; repeatable (default: the seed pages stored with the graph, or else the root ' +
      'pages of its hosts, or else the page with the most links)',
  );
  return command.addOption(option.argParser(addOne).helpGroup('Start and limits:'));
}

export function describe(field: z.ZodType): string {
  const inner = field instanceof z.ZodDefault || field instanceof z.ZodOptional ? field.unwrap() : field;
  const choices = inner instanceof z.ZodEnum ? inner.options : [];
  const fallback = field instanceof z.ZodDefault ? [field.parse(undefined)].flat().join(', ') : '';
  const standard = fallback === '' ? '' : ` (default: ${fallback})`;
  return (field.description ?? '') + (choices.length > 0 ? `: ${choices.join(', ')}` : '') + standard;
}

/** Like describe, with the default of a single run. */
function describedForRun([name]: ExperimentFlag['path'], field: z.ZodType): string {
  const standard = new Map<string, string>(Object.entries(runDefaults)).get(name);
  const text = describe(field);
  return standard === undefined ? text : text.replace(/\(default: .*\)$/, `(default: ${standard})`);
}

export function fieldAt(path: ExperimentFlag['path']): z.ZodType {
  const shapes: Record<string, Readonly<Record<string, z.ZodType>>> = {
    queue: simulatedQueueSchema.shape,
    network: networkSchema.shape,
    policyOptions: shippedSettings.policyOptions.shape,
  };
  const whole: Readonly<Record<string, z.ZodType>> = shippedSettings.experiment.shape;
  return path[1] === undefined ? whole[path[0]] : shapes[path[0]][path[1]];
}

/** Settings as flags and files set them: what they do not set is absent. */
type Given = Record<string, unknown>;

/**
 * The Experiment that a settings file and the flags ask for, checked; the flags win. Seed pages are left to
 * `seedPagesOf`, which needs the graph. What is not set is left out, so that defaults have one source.
 * @throws InputError naming flag, value and what is allowed.
 */
export function experimentOf(
  raw: RawFlags, config: ExperimentInput = {}, settings = shippedSettings,
): ExperimentInput {
  const typed = settingsIn(raw, settings);
  checked(settings.experiment, typed, raw, flagOf);
  // A preset is a whole network: single values in a file belong to another one.
  const network = 'preset' in typed.network ? typed.network : { ...config.network, ...typed.network };
  const input = {
    ...config, ...typed, network,
    queue: { ...config.queue, ...typed.queue }, policyOptions: { ...config.policyOptions, ...typed.policyOptions },
  };
  checked(settings.experiment, input, raw, flagOf);
  return input;
}

/** Like experimentOf, for a live crawl. @throws as experimentOf. */
export function liveCrawlOf(
  raw: RawFlags, config: LiveCrawlInput = {}, settings = shippedSettings,
): LiveCrawlInput {
  if (raw['superstepLimit'] === 'auto') {
    throw new InputError(
      '--superstep-limit auto: needs a stored graph; run orbweaver tune on one and set the number it finds',
    );
  }
  // A live crawl has no flags of a network.
  const typed = settingsIn(raw, settings);
  const input = {
    ...config, ...Object.fromEntries(Object.entries(typed).filter(([name]) => name !== 'network')),
    queue: { ...config.queue, ...typed.queue }, policyOptions: { ...config.policyOptions, ...typed.policyOptions },
  };
  checked(settings.liveCrawl, input, raw, flagOf);
  return input;
}

function flagOf(path: readonly PropertyKey[]): string {
  const flag = experimentFlags.find((candidate) => candidate.path.every((field, i) => field === path[i]));
  return flag?.name ?? (path[0] === 'policyOptions' ? 'policy-option' : path.join('.'));
}

interface GivenSettings extends Given {
  readonly queue: Given;
  readonly network: Given;
  readonly policyOptions: Record<string, OptionValue>;
}

function settingsIn(raw: RawFlags, settings: Settings): GivenSettings {
  const input: GivenSettings = { queue: {}, network: {}, policyOptions: ownOptions(raw, settings) };
  for (const { name, value: unit, path } of experimentFlags) {
    const text = raw[camelCase(name)];
    if (text === undefined) continue;
    const [first, second] = path;
    const value =
      unit === weightsUnit && typeof text === 'string'
        ? weightsOf(text, weighable(settings.policies))
        : valueFor(second ?? first, fieldAt(path), text);
    if (second === undefined) input[first] = value;
    else (input[first] as Given)[second] = value;
  }
  return input;
}

/** The flags that set these settings; seed pages apart. */
export function flagsOf(input: ExperimentInput): string[] {
  const settings: Readonly<Record<string, unknown>> = input;
  return experimentFlags.flatMap(({ name, path: [first, second] }) => {
    const outer = settings[first];
    const value = second === undefined ? outer : (outer as Given | undefined)?.[second];
    if (value === undefined) return [];
    if (typeof value !== 'object') return [`--${name}`, `${value as string | number}`];
    const weights = Object.entries(value as Given).map(([policy, weight]) => `${policy}=${String(weight)}`);
    return [`--${name}`, weights.join(',')];
  });
}

/** Remarks on flags that are settings of policies that the experiment does not use. */
export function idleFlags(
  raw: RawFlags, experiment: ExperimentInput | LiveCrawlInput, settings = shippedSettings,
): string[] {
  const used = settings.policyOptionsUsed(experiment);
  return experimentFlags.flatMap(({ name, path: [first, option = ''] }) => {
    if (first !== 'policyOptions' || raw[camelCase(name)] === undefined || used.includes(option)) return [];
    return [
      `--${name} has no effect without --policy ${policiesOfOption(settings.policies, option).join(' or ')}`,
    ];
  });
}

/** Fills in every default. */
export function completed(input: ExperimentInput, settings = shippedSettings): Experiment {
  return settings.parseExperiment(input);
}

/**
 * A command's own flags, checked by a schema whose keys are the flags in camel case. Keys that `schema` does not have
 * are ignored.
 * @throws InputError naming flag, value and what is allowed.
 */
export function ownFlags<S extends z.ZodObject>(schema: S, raw: RawFlags): z.output<S> {
  const input: Record<string, unknown> = {};
  const shape: Readonly<Record<string, z.ZodType>> = schema.shape;
  for (const [key, field] of Object.entries(shape))
    if (raw[key] !== undefined) input[key] = valueFor(key, field, raw[key]);
  return checked(schema, input, raw, (path) => kebabCase(String(path[0])));
}

/** The value that a flag sets: a number, also from a text with a unit; or else the text. */
export function valueFor(name: string, field: z.ZodType, text: unknown): unknown {
  return numberOrText(inOwnUnit(text, quantityOfField(name, field)));
}

/** `input` parsed by its schema. @throws InputError naming flag, value and what is allowed. */
export function checked<S extends z.ZodType>(
  schema: S, input: unknown, raw: RawFlags, flagOf: (path: readonly PropertyKey[]) => string,
): z.output<S> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  // One message per flag: zod may find two faults in one value.
  const messages = new Map<string, string>();
  for (const issue of parsed.error.issues) {
    const flag = flagOf(issue.path);
    const text = String(raw[camelCase(flag)]);
    if (!messages.has(flag)) messages.set(flag, `--${flag} ${printableShort(text) || "''"}: ${allowed(issue, text)}`);
  }
  throw new InputError([...messages.values()].join('\n'));
}

/** The range that zod reports, in words that fit any flag. */
function allowed(issue: z.core.$ZodIssue, text: string): string {
  switch (issue.code) {
    case 'too_small':
      return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
    case 'too_big':
      return `must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`;
    case 'invalid_type':
      return `must be ${expected(issue)}${orWithUnit(issue)}`;
    case 'invalid_value': {
      const names = issue.values.map(String);
      return `must be ${names.length === 1 ? '' : 'one of '}${names.join(', ')}${didYouMean(text, names)}`;
    }
    case 'invalid_union': {
      const parts = issue.errors.flat();
      const words = parts.map((part) =>
        part.code === 'invalid_value'
          ? part.values.join(', ')
          : part.code === 'invalid_type'
            ? expected(part)
            : part.message,
      );
      return `must be ${words.join(' or ')}${orWithUnit(issue)}`;
    }
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return issue.message;
  }
}

/** How the value may be written with a unit. The setting's name says it, which its flag may leave out. */
function orWithUnit({ path }: z.core.$ZodIssue): string {
  const words = quantityWords(quantityOf(String(path.at(-1)), false));
  return words === undefined ? '' : `, or ${words}`;
}

function expected(issue: { expected: string }): string {
  return issue.expected === 'int' ? 'an integer' : issue.expected === 'number' ? 'a number' : `a ${issue.expected}`;
}
