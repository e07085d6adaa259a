import { Option, type Command } from 'commander';
import { liveSchema, type LiveInput, type PartialLiveInput } from '../../../core/live/settings.ts';
import { InputError } from '../../../base/index.ts';
import { flagName, hiddenFlagNames } from '../../../core/settings/index.ts';
import { checked, describe, valueFor } from '../flags.ts';
import { addFlag, addOne, camelCase, namesIn, type RawFlags, type ValueFlag } from '../words.ts';
import { printableShort } from '../../text/printable.ts';
import * as z from 'zod';

type LiveField = keyof LiveInput;

interface LiveFlag extends ValueFlag {
  readonly field: LiveField;
  /** May be repeated, for a list: the flag is the singular of the setting. */
  readonly isList: boolean;
  readonly heading: string;
}

/** A flag for each setting of a live crawl that has a value, with its placeholder; lists by their singular. */
const values: Readonly<Record<string, readonly (readonly [field: LiveField, value: string, singular?: string])[]>> = {
  'Who crawls, and with what permission:': [['contact', 'URL|MAIL'], ['agent', 'TOKEN'], ['robotsTxt', 'HOW']],
  'What is crawled:': [
    ['scope', 'FILE'], ['dropQuery', 'NAMES', 'drop-query'],
    ['allowDomains', 'DOMAIN', 'allow-domain'], ['denyDomains', 'DOMAIN', 'deny-domain'],
    ['allowPatterns', 'PATTERN', 'allow-pattern'], ['denyPatterns', 'PATTERN', 'deny-pattern'],
    ['countries', 'CC', 'country'], ['denyExtensions', 'EXT', 'deny-extension'], ['types', 'MEDIA/TYPE', 'type'],
    ['maxDepth', 'N'], ['maxHostPages', 'N'], ['maxSegmentRepeats', 'N'], ['maxUrlLength', 'N'], ['maxLinks', 'N'],
    ['maxRedirects', 'N'],
  ],
  'Limits of downloads:': [
    ['connectTimeoutMs', 'MS'], ['headersTimeoutMs', 'MS'], ['bodyTimeoutMs', 'MS'], ['downloadTimeoutMs', 'MS'],
    ['headerLimitBytes', 'BYTES'], ['bodyLimitBytes', 'BYTES'], ['decodedLimitBytes', 'BYTES'],
    ['maxDecodedRatio', 'X'], ['maxOpenBodiesBytes', 'BYTES'],
  ],
  'Addresses:': [['addressDelayMs', 'MS'], ['allowNetworks', 'CIDR', 'allow-network']],
  'Archive and threads:': [['warcFileBytes', 'BYTES'], ['readerThreads', 'T']],
};

const words: Readonly<Partial<Record<LiveField, string>>> = {
  scope: 'a YAML file with "scope:", a list of what to stay within: each "- prefix: URL", "- host: NAME", "- domain: NAME" or "- regex: RE2", and perhaps "extraHops: N", for links beyond',
  dropQuery: 'query parameters to drop from every URL, between commas, with * for any characters; all = every one',
};

const liveFlags: readonly LiveFlag[] = Object.entries(values).flatMap(([heading, flags]) =>
  flags.map(([field, value, singular]) => ({
    name: singular ?? flagName(field), value, field, heading, isList: singular !== undefined,
    hidden: hiddenFlagNames(field),
  })));

export function addLiveFlags(command: Command): Command {
  for (const flag of liveFlags) {
    const text = words[flag.field] ?? describe(liveSchema.shape[flag.field]);
    addFlag(command, flag, flag.heading, flag.isList ? `${text}; repeatable` : text, flag.isList ? addOne : undefined);
  }
  const resolve = new Option(
    '--resolve <HOST=ADDRESS[:PORT]>',
    'resolve this name, or * for all names, to this address (and port) before asking DNS; repeatable',
  ).argParser(addOne).helpGroup('Addresses:');
  const others: readonly (readonly [heading: string, flag: string, text: string])[] = [
    ['What is crawled:', '--content-seen', 'do not follow the links of a page whose body was seen before'],
    ['Archive and threads:', '--no-warc', 'do not archive requests and responses'],
    ['Archive and threads:', '--text', describe(liveSchema.shape.text)],
  ];
  for (const [heading, flag, text] of others) command.addOption(new Option(flag, text).helpGroup(heading));
  return command.addOption(resolve).addOption(new Option('--ignore-robots-txt').hideHelp().helpGroup('Addresses:'));
}

/** The flags that set these settings of a live crawl, but for its scope, which is in a file. */
export function flagsOfLive(live: PartialLiveInput): string[] {
  const settings: Readonly<Record<string, unknown>> = live;
  // A scope is a file.
  const plain = liveFlags.filter(({ field }) => field !== 'scope').flatMap(({ name, field }) =>
    [settings[field] ?? []].flat().flatMap((value) => [`--${name}`, String(value as string | number)]));
  const resolved = (live.resolve ?? []).flatMap(({ host, address, port }) => {
    const spelled = address.includes(':') ? `[${address}]` : address;
    return ['--resolve', `${host}=${spelled}${port === undefined ? '' : `:${port}`}`];
  });
  return [
    ...plain, ...resolved, ...(live.contentSeen === true ? ['--content-seen'] : []),
    ...(live.warc === false ? ['--no-warc'] : []), ...(live.text === true ? ['--text'] : []),
  ];
}

/** Flags of a live crawl that are not the plain value of a setting. */
export interface LiveFlags extends RawFlags {
  readonly resolve?: readonly string[];
  readonly scope?: string;
  readonly dropQuery?: readonly string[];
  readonly contentSeen?: true;
  readonly text?: true;
  readonly ignoreRobotsTxt?: true;
  /** True by commander's default: requests and responses are archived. */
  readonly warc?: boolean;
}

/** The setting of a live crawl that a flag sets. @param name the flag without its dashes. */
export function fieldOfLiveFlag(name: string): string | undefined {
  return liveFlags.find((flag) => flag.name === name || flag.hidden.includes(name))?.field;
}

/**
 * The settings of a live crawl that a settings file and the flags ask for; the flags win.
 * @throws InputError naming flag, value and what is allowed.
 */
export async function liveOf(raw: LiveFlags, config: PartialLiveInput = {}): Promise<LiveInput> {
  const input: { [field in LiveField]?: unknown } = { ...config };
  for (const { name, field, isList } of liveFlags) {
    const text = raw[camelCase(name)];
    if (text === undefined || field === 'scope') continue;
    const isText = isList || field === 'contact' || field === 'agent';
    input[field] = isText ? text : valueFor(field, liveSchema.shape[field], text);
  }
  if (raw.dropQuery !== undefined) input.dropQuery = raw.dropQuery.flatMap(namesIn);
  const file = raw.scope === undefined ? undefined : await readScope(raw.scope);
  if (file !== undefined) input.scope = file.scope;
  if (raw.resolve !== undefined) input.resolve = raw.resolve.map(resolved);
  if (raw.contentSeen === true) input.contentSeen = true;
  if (raw.ignoreRobotsTxt === true) input.robotsTxt = 'ignore';
  if (raw.warc === false) input.warc = false;
  if (raw.text === true) input.text = true;
  if (input.contact === undefined) {
    throw new InputError(
      '--contact is missing: name a URL or a mail address where the owners of hosts can reach you; it is sent in User-Agent',
    );
  }
  const flagOf = (path: readonly PropertyKey[]): string =>
    liveFlags.find(({ field }) => field === path[0])?.name ?? path.join('.');
  const settings = checked(liveSchema, input, raw, flagOf);
  const { checkSettings } = await import('../../../core/live/index.ts');
  try {
    checkSettings(settings);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (file !== undefined && error.field?.startsWith('live.scope.') === true) throw placed(error, file);
    throw new InputError(error.message.replace(/^\w+(?=: )/, (field) => {
      const flag = flagOf([field]);
      return raw[camelCase(flag)] === undefined && field in config ? `live.${field}` : `--${flag}`;
    }));
  }
  return settings;
}

/** The error of an entry, with its place in the file. */
function placed({ message, field = '' }: InputError, { placeOf }: ScopeFile): InputError {
  const path = field.split('.').slice(1).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  return new InputError(`${placeOf(path)}: ${message}`, { field });
}

function resolved(text: string): { host: string; address: string; port?: number } {
  const match = /^([^=\s]+)=(?:\[([0-9a-f:.]+)\]|([0-9.]+))(?::(\d{1,5}))?$/i.exec(text);
  const port = match?.[4] === undefined ? undefined : Number(match[4]);
  if (match === null || (port !== undefined && (port < 1 || port > 65_535))) {
    throw new InputError(
      `--resolve ${printableShort(text)}: must be like example.org=192.0.2.1, *=127.0.0.1:8080 or example.org=[::1]:8080`,
    );
  }
  const [, host, v6 = '', v4 = ''] = match;
  return { host, address: v6 + v4, ...(port !== undefined && { port }) };
}

export interface ScopeFile {
  readonly scope: NonNullable<LiveInput['scope']>;
  /** "file:line:column" of a part: `['scope', 3, 'regex']`. */
  readonly placeOf: (path: readonly PropertyKey[]) => string;
}

const example = 'a list of entries such as "- domain: example.org"';

const schema = z.strictObject({ scope: liveSchema.shape.scope.unwrap().min(1, 'must have at least one entry') }, {
  error: ({ code }) => (code === 'invalid_type' ? `must have "scope:", and below it ${example}` : undefined),
});

const rules = {
  // As many tokens as the most entries have, with a line for `extraHops` each.
  what: 'a scope file', maxBytes: 4 * 1024 * 1024, maxTokens: 250_000, schema,
  explain: (key: string, path: readonly PropertyKey[]): string | undefined => {
    if (path.length === 0) return `known there: scope alone, ${example}`;
    return /hop/i.test(key) ? 'did you mean extraHops?' : undefined;
  },
};

/**
 * The file of `--scope`: YAML with `scope`, a list of entries as the setting of that name has them.
 * @throws InputError naming file, line, column and what is allowed.
 */
export async function readScope(path: string): Promise<ScopeFile> {
  const { readCheckedYaml } = await import('../../../base/yaml/index.ts');
  const { value, placeOf } = await readCheckedYaml(path, rules);
  return { scope: value.scope, placeOf };
}
