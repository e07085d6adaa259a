import { Option, type Command } from 'commander';
import { z } from 'zod';
import { shippedPolicies } from '../../policy/index.ts';
import {
  networkSchema, policiesOfOption, simulatedOnly, simulatedQueueSchema, weighable, type Experiment,
  type ExperimentInput, type LiveCrawlInput, type OptionValue, type Settings,
} from '../../settings/index.ts';
import { InputError, nearest } from '../../base/index.ts';
import { printableShort } from '../text/printable.ts';
import { addPolicyFlags, ownOptions, valueOf, weightsOf, weightsUnit } from './policy-flags.ts';
import { addOne, camelCase, EarlierFlag, kebabCase, numberOrText, type RawFlags } from './words.ts';

export { camelCase, kebabCase, numberOrText, type RawFlags } from './words.ts';

interface ExperimentFlag {
  /** As typed, without the dashes. */
  readonly name: string;
  readonly value: string;
  /** Where it goes in the Experiment; description, range and default come from there. */
  readonly path: readonly [string] | readonly ['queue' | 'network' | 'policyOptions', string];
  /** Its name in the last version, which is still read. */
  readonly earlier?: string;
}

const { settings: shippedSettings } = shippedPolicies;

/** Settings of single policies, of those that come with Orbweaver. */
const policyFlags = [...new Map(shippedSettings.policies.flatMap(({ options }) => Object.entries(options)))]
  .map(([name, option]): ExperimentFlag => ({
    name: kebabCase(name), value: valueOf(option), path: ['policyOptions', name],
  }));

/** Every setting of an Experiment except its seed pages, whose flag also accepts URLs. */
const experimentFlags: readonly ExperimentFlag[] = [
  { name: 'processors', value: 'P', path: ['processors'] },
  { name: 'robots', value: 'r', path: ['robots'] },
  { name: 'superstep-limit', value: 'R|auto', path: ['superstepLimit'] },
  { name: 'superstep-ms', value: 'MS', path: ['superstepMs'] },
  { name: 'pending', value: 'D', path: ['pending'] },
  { name: 'policy', value: 'NAME|FILE', path: ['policy'] },
  ...policyFlags,
  { name: 'queue', value: 'KIND', path: ['queue', 'kind'] },
  { name: 'block', value: 'N', path: ['queue', 'block'] },
  { name: 'slices', value: 'T', path: ['queue', 'slices'] },
  { name: 'slicing', value: 'HOW', path: ['queue', 'slicing'] },
  { name: 'queue-memory', value: 'BYTES', path: ['queue', 'memoryBytes'] },
  { name: 'partition', value: 'NAME', path: ['partition'] },
  { name: 'partition-points', value: 'N', path: ['partitionPoints'] },
  { name: 'politeness-ms', value: 'MS', path: ['politenessMs'] },
  { name: 'retries', value: 'N', path: ['retries'] },
  { name: 'backoff-ms', value: 'MS', path: ['backoffMs'] },
  { name: 'max-backoff-ms', value: 'MS', path: ['backoffMostMs'], earlier: 'backoff-most-ms' },
  { name: 'checkpoint-supersteps', value: 'K', path: ['checkpointSupersteps'] },
  { name: 'reinsert', value: 'F', path: ['reinsert'] },
  { name: 'network', value: 'PRESET', path: ['network', 'preset'] },
  { name: 'latency-ms', value: 'MS', path: ['network', 'latencyMs'] },
  { name: 'latency-sigma', value: 'S', path: ['network', 'latencySigma'] },
  { name: 'latency-tail-share', value: 'Q', path: ['network', 'latencyTailShare'] },
  { name: 'latency-tail-index', value: 'A', path: ['network', 'latencyTailIndex'] },
  { name: 'latency-jitter-sigma', value: 'S', path: ['network', 'latencyJitterSigma'] },
  { name: 'bandwidth', value: 'B', path: ['network', 'bandwidthBytesPerSecond'] },
  { name: 'bandwidth-sigma', value: 'S', path: ['network', 'bandwidthSigma'] },
  { name: 'bandwidth-tail-share', value: 'Q', path: ['network', 'bandwidthTailShare'] },
  { name: 'bandwidth-tail-index', value: 'A', path: ['network', 'bandwidthTailIndex'] },
  { name: 'processor-bandwidth', value: 'B', path: ['network', 'processorBandwidthBytesPerSecond'] },
  { name: 'bandwidth-model', value: 'HOW', path: ['network', 'bandwidthModel'] },
  { name: 'dns-ms', value: 'MS', path: ['network', 'dnsMs'] },
  { name: 'connect-ms', value: 'MS', path: ['network', 'connectMs'] },
  { name: 'keep-alive-seconds', value: 'S', path: ['network', 'keepAliveSeconds'] },
  { name: 'page-bytes', value: 'B', path: ['network', 'pageBytes'] },
  { name: 'page-bytes-sigma', value: 'S', path: ['network', 'pageBytesSigma'] },
  { name: 'page-bytes-tail-share', value: 'Q', path: ['network', 'pageBytesTailShare'] },
  { name: 'page-bytes-tail-index', value: 'A', path: ['network', 'pageBytesTailIndex'] },
  { name: 'not-found-share', value: 'Q', path: ['network', 'notFoundShare'] },
  { name: 'error-bytes', value: 'B', path: ['network', 'errorBytes'] },
  { name: 'server-error-share', value: 'Q', path: ['network', 'serverErrorShare'] },
  { name: 'timeout-share', value: 'Q', path: ['network', 'timeoutShare'] },
  { name: 'refused-share', value: 'Q', path: ['network', 'refusedShare'] },
  { name: 'hang-share', value: 'Q', path: ['network', 'hangShare'] },
  { name: 'hang-seconds', value: 'S', path: ['network', 'hangSeconds'] },
  { name: 'timeout-ms', value: 'MS', path: ['network', 'timeoutMs'] },
  { name: 'retry-after-share', value: 'Q', path: ['network', 'retryAfterShare'] },
  { name: 'retry-after-seconds', value: 'S', path: ['network', 'retryAfterSeconds'] },
  { name: 'down-share', value: 'Q', path: ['network', 'downShare'] },
  { name: 'down-seconds', value: 'S', path: ['network', 'downSeconds'] },
  { name: 'slow-share', value: 'Q', path: ['network', 'slowShare'] },
  { name: 'slow-seconds', value: 'S', path: ['network', 'slowSeconds'] },
  { name: 'slow-factor', value: 'F', path: ['network', 'slowFactor'] },
  { name: 'robots-txt-share', value: 'Q', path: ['network', 'robotsTxtShare'] },
  { name: 'robots-txt-bytes', value: 'B', path: ['network', 'robotsTxtBytes'] },
  { name: 'crawl-delay-share', value: 'Q', path: ['network', 'crawlDelayShare'] },
  { name: 'crawl-delay-seconds', value: 'S', path: ['network', 'crawlDelaySeconds'] },
  { name: 'denied-share', value: 'Q', path: ['network', 'deniedShare'] },
  { name: 'crash-seconds', value: 'S', path: ['network', 'crashSeconds'] },
  { name: 'restart-seconds', value: 'S', path: ['network', 'restartSeconds'] },
  { name: 'barrier-us', value: 'US', path: ['barrierUs'] },
  { name: 'pair-us', value: 'US', path: ['pairUs'] },
  { name: 'exchange', value: 'HOW', path: ['exchange'] },
  { name: 'exchange-batch', value: 'K', path: ['exchangeBatch'] },
  { name: 'message-us', value: 'US', path: ['messageUs'] },
  { name: 'message-header-bytes', value: 'BYTES', path: ['messageHeaderBytes'] },
  { name: 'pair-bytes', value: 'BYTES', path: ['pairBytes'] },
  { name: 'max-pages', value: 'N', path: ['maxPages'] },
  { name: 'max-seconds', value: 'S', path: ['maxSeconds'] },
  { name: 'measures', value: 'SET', path: ['measures'] },
  { name: 'seed', value: 'N', path: ['seed'] },
];

/** The headings of help, by the first name in a setting's path. */
const groups: readonly (readonly [heading: string, fields: readonly string[]])[] = [
  ['Processors and supersteps:', ['processors', 'robots', 'superstepLimit', 'superstepMs', 'pending']],
  ['Order of pages:', ['policy', 'policyOptions', 'reinsert']],
  ['Start and limits:', ['maxPages', 'maxSeconds', 'seed']],
  ['Politeness and retries:', ['politenessMs', 'retries', 'backoffMs', 'backoffMostMs']],
  [
    'Partition and messages:',
    ['partition', 'partitionPoints', 'barrierUs', 'pairUs', 'exchange', 'exchangeBatch', 'messageUs'],
  ],
  ['Priority queue:', ['queue']],
  ['Simulated network and crashes:', ['network', 'checkpointSupersteps']],
  ['Figures:', ['measures', 'messageHeaderBytes', 'pairBytes']],
];

function groupOf([field]: ExperimentFlag['path']): string {
  return groups.find(([, fields]) => fields.includes(field))![0];
}

/** Adds the flags of an Experiment to a command, `except` for those that it sets itself or that do not apply to it. */
export function addExperimentFlags(command: Command, except: readonly string[] = []): Command {
  for (const [heading] of groups) {
    for (const { name, value, path, earlier } of experimentFlags) {
      if (groupOf(path) !== heading || except.includes(name)) continue;
      command.addOption(new Option(`--${name} <${value}>`, describe(value, fieldAt(path))).helpGroup(heading));
      if (earlier !== undefined) command.addOption(new EarlierFlag(earlier, name, value));
    }
  }
  addPolicyFlags(command);
  return except.includes('seed-page') ? command : addSeedPageFlag(command);
}

/** Adds the flags of the settings that live crawls share with simulations. */
export function addLiveCrawlFlags(command: Command): Command {
  const shape: Readonly<Record<string, z.ZodType>> = shippedSettings.liveCrawl.shape;
  for (const [heading] of groups) {
    for (const { name, value, path, earlier } of experimentFlags) {
      if (groupOf(path) !== heading || meansNothingLive(path)) continue;
      const text = describe(value, path.length === 1 ? shape[path[0]] : fieldAt(path));
      command.addOption(new Option(`--${name} <${value.replace('|auto', '')}>`, text).helpGroup(heading));
      if (earlier !== undefined) command.addOption(new EarlierFlag(earlier, name, value));
    }
  }
  addPolicyFlags(command);
  return command;
}

function meansNothingLive([field, inner]: ExperimentFlag['path']): boolean {
  return simulatedOnly.includes(field) || simulatedOnly.includes(`${field}.${inner ?? ''}`);
}

/** What only the simulated network has: processors, names to resolve, and a clock of its own. */
const networkAlone = ['processor-bandwidth', 'bandwidth-model', 'dns-ms', 'crash-seconds', 'restart-seconds'];

/** Defaults of a server that differ from those of a simulation: without flags, it adds no delay. */
const servedDefaults = new Map([['latency-ms', 0], ['bandwidth', 0], ['keep-alive-seconds', 60]]);

/** Names of the flags that addServedNetworkFlags adds, except `--seed`. */
export const servedNetworkFlags = experimentFlags
  .filter(({ name, path }) => path[0] === 'network' && !networkAlone.includes(name))
  .map(({ name }) => name);

/** Adds the flags of a network that is served; experimentOf reads them. */
export function addServedNetworkFlags(command: Command): Command {
  for (const flag of experimentFlags) {
    if (!servedNetworkFlags.includes(flag.name) && flag.name !== 'seed') continue;
    const text = describe(flag.value, fieldAt(flag.path)).replaceAll('virtual seconds', 'seconds');
    const standard = servedDefaults.get(flag.name);
    command.addOption(
      new Option(
        `--${flag.name} <${flag.value}>`,
        standard === undefined ? text : text.replace(/\(default: .*\)$/, `(default: ${standard})`),
      ),
    );
  }
  return addSeedPageFlag(command);
}

function addSeedPageFlag(command: Command): Command {
  const option = new Option(
    '--seed-page <ID|URL>',
    'page to start from, by id or URL; repeatable (default: the seed pages stored with the graph, or else the root ' +
      'pages of its hosts, or else the page with the most links)',
  );
  return command.addOption(option.argParser(addOne).helpGroup('Start and limits:'));
}

/** Help on a setting, from its schema. @param value the placeholder of the flag's value. */
export function describe(value: string, field: z.ZodType): string {
  const inner = field instanceof z.ZodDefault || field instanceof z.ZodOptional ? field.unwrap() : field;
  const choices = inner instanceof z.ZodEnum ? inner.options : [];
  const fallback = field instanceof z.ZodDefault ? [field.parse(undefined)].flat().join(', ') : '';
  const standard = fallback === '' ? '' : ` (default: ${fallback})`;
  const units = value === 'BYTES' ? ', such as 65536, 64KiB, 16MiB or 1GiB' : '';
  return (field.description ?? '') + units + (choices.length > 0 ? `: ${choices.join(', ')}` : '') + standard;
}

function fieldAt(path: ExperimentFlag['path']): z.ZodType {
  const shapes: Record<string, Readonly<Record<string, z.ZodType>>> = {
    queue: simulatedQueueSchema.shape,
    network: networkSchema.shape,
    policyOptions: shippedSettings.policyOptions.shape,
  };
  const whole: Readonly<Record<string, z.ZodType>> = shippedSettings.experiment.shape;
  const shape = path.length === 1 ? whole : shapes[path[0]];
  return shape[path[path.length - 1]];
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
  const given = settingsIn(raw, settings);
  checked(settings.experiment, given, raw, flagOf);
  // A preset is a whole network: single values in a file belong to another one.
  const network = 'preset' in given.network ? given.network : { ...config.network, ...given.network };
  const input = {
    ...config, ...given, network,
    queue: { ...config.queue, ...given.queue }, policyOptions: { ...config.policyOptions, ...given.policyOptions },
  };
  checked(settings.experiment, input, raw, flagOf);
  return input;
}

/** The same for a live crawl. @throws as experimentOf. */
export function liveCrawlOf(
  raw: RawFlags, config: LiveCrawlInput = {}, settings = shippedSettings,
): LiveCrawlInput {
  if (raw['superstepLimit'] === 'auto') {
    throw new InputError(
      '--superstep-limit auto: needs a stored graph; run orbweaver tune on one and set the number it finds',
    );
  }
  // A live crawl has no flags of a network.
  const given = settingsIn(raw, settings);
  const input = {
    ...config, ...Object.fromEntries(Object.entries(given).filter(([name]) => name !== 'network')),
    queue: { ...config.queue, ...given.queue }, policyOptions: { ...config.policyOptions, ...given.policyOptions },
  };
  checked(settings.liveCrawl, input, raw, flagOf);
  return input;
}

/** The setting of an experiment that a flag sets, where they differ in name. @param key the flag in camel case. */
export function fieldOfFlag(key: string): string | undefined {
  return experimentFlags.find(({ name, path }) => path.length === 1 && camelCase(name) === key)?.path[0];
}

function flagOf(path: readonly PropertyKey[]): string {
  const flag = experimentFlags.find((one) => one.path.every((field, i) => field === path[i]));
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
        : numberOrText(unit === 'BYTES' ? bytesOf(text) : text);
    if (second === undefined) input[first] = value;
    else (input[first] as Given)[second] = value;
  }
  return input;
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

/** The same with every default filled in. */
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
  for (const key of Object.keys(schema.shape)) if (raw[key] !== undefined) input[key] = numberOrText(raw[key]);
  return checked(schema, input, raw, (path) => kebabCase(String(path[0])));
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
    const given = String(raw[camelCase(flag)]);
    if (!messages.has(flag)) messages.set(flag, `--${flag} ${printableShort(given) || "''"}: ${allowed(issue, given)}`);
  }
  throw new InputError([...messages.values()].join('\n'));
}

/** What zod says is allowed, in words that fit any flag. */
function allowed(issue: z.core.$ZodIssue, given: string): string {
  switch (issue.code) {
    case 'too_small':
      return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
    case 'too_big':
      return `must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`;
    case 'invalid_type':
      return `must be ${expected(issue)}`;
    case 'invalid_value': {
      const names = issue.values.map(String);
      const near = nearest(given, names);
      const question = near === undefined ? '' : `; did you mean ${near}?`;
      return `must be ${names.length === 1 ? '' : 'one of '}${names.join(', ')}${question}`;
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
      return `must be ${words.join(' or ')}`;
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

function expected(issue: { expected: string }): string {
  return issue.expected === 'int' ? 'an integer' : issue.expected === 'number' ? 'a number' : `a ${issue.expected}`;
}

/** "64KiB", "16MiB" and "1GiB" as numbers of bytes; anything else unchanged. */
export function bytesOf(value: unknown): unknown {
  const match = /^(\d+)([KMG])iB$/.exec(String(value));
  return match === null ? value : Number(match[1]) * 1024 ** (1 + 'KMG'.indexOf(match[2]));
}
