import { Option, type Command } from 'commander';
import { liveSchema, type LiveInput, type PartialLiveInput } from '../../live/settings.ts';
import { InputError } from '../../base/index.ts';
import { bytesOf, camelCase, checked, describe, numberOrText, type RawFlags } from './flags.ts';
import { EarlierFlag } from './words.ts';
import { printableShort } from '../text/printable.ts';

type LiveField = keyof LiveInput;

interface LiveFlag {
  /** As typed, without the dashes. */
  readonly name: string;
  readonly value: string;
  readonly field: LiveField;
  /** May be repeated, for a list. */
  readonly repeatable?: true;
  /** Its name in the last version, which is still read. */
  readonly earlier?: string;
}

/** Settings of a live crawl that have a value. */
const liveFlags: readonly LiveFlag[] = [
  { name: 'contact', value: 'URL|MAIL', field: 'contact' },
  { name: 'agent', value: 'TOKEN', field: 'agent' },
  { name: 'connect-timeout-ms', value: 'MS', field: 'connectTimeoutMs' },
  { name: 'headers-timeout-ms', value: 'MS', field: 'headersTimeoutMs' },
  { name: 'body-timeout-ms', value: 'MS', field: 'bodyTimeoutMs' },
  { name: 'download-timeout-ms', value: 'MS', field: 'downloadTimeoutMs' },
  { name: 'header-limit', value: 'BYTES', field: 'headerLimitBytes' },
  { name: 'body-limit', value: 'BYTES', field: 'bodyLimitBytes' },
  { name: 'decoded-limit', value: 'BYTES', field: 'decodedLimitBytes' },
  { name: 'max-decoded-ratio', value: 'X', field: 'decodedRatioMost', earlier: 'decoded-ratio-most' },
  { name: 'max-redirects', value: 'N', field: 'redirectsMost', earlier: 'redirects-most' },
  { name: 'max-links', value: 'N', field: 'linksMost', earlier: 'links-most' },
  { name: 'max-url-length', value: 'N', field: 'urlLengthMost', earlier: 'url-length-most' },
  { name: 'max-open-bodies', value: 'BYTES', field: 'bodiesMostBytes', earlier: 'bodies-most' },
  { name: 'address-delay-ms', value: 'MS', field: 'addressDelayMs' },
  { name: 'allow-network', value: 'CIDR', field: 'allowNetworks', repeatable: true },
  { name: 'allow-domain', value: 'DOMAIN', field: 'allowDomains', repeatable: true },
  { name: 'deny-domain', value: 'DOMAIN', field: 'denyDomains', repeatable: true },
  { name: 'allow-pattern', value: 'PATTERN', field: 'allowPatterns', repeatable: true },
  { name: 'deny-pattern', value: 'PATTERN', field: 'denyPatterns', repeatable: true },
  { name: 'country', value: 'CC', field: 'countries', repeatable: true },
  { name: 'deny-extension', value: 'EXT', field: 'denyExtensions', repeatable: true },
  { name: 'type', value: 'MEDIA/TYPE', field: 'types', repeatable: true },
  { name: 'max-host-pages', value: 'N', field: 'hostPagesMost', earlier: 'host-pages-most' },
  { name: 'max-depth', value: 'N', field: 'depthMost', earlier: 'depth-most' },
  { name: 'max-segment-repeats', value: 'N', field: 'segmentRepeatsMost', earlier: 'segment-repeats-most' },
  { name: 'reader-threads', value: 'T', field: 'readerThreads' },
  { name: 'warc-file', value: 'BYTES', field: 'warcFileBytes' },
];

/** Adds the settings of a live crawl to a command. */
export function addLiveFlags(command: Command): Command {
  for (const { name, value, field, repeatable, earlier } of liveFlags) {
    const option = new Option(
      `--${name} <${value}>`,
      `${describe(value, liveSchema.shape[field])}${repeatable ? '; repeatable' : ''}`,
    );
    command.addOption(repeatable ? option.argParser(collected) : option);
    if (earlier !== undefined) command.addOption(new EarlierFlag(earlier, name, value));
  }
  return command
    .option(
      '--resolve <HOST=ADDRESS[:PORT]>',
      'resolve this name, or * for all names, to this address (and port) before asking DNS; repeatable', collected,
    )
    .option('--content-seen', 'do not follow the links of a page whose body was seen before')
    .option('--ignore-robots-txt', 'do not fetch or obey robots.txt; only for your own hosts')
    .option('--no-warc', 'do not archive requests and responses');
}

function collected(value: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), value];
}

/** Flags of a live crawl that are not the plain value of a setting. */
export interface LiveFlags extends RawFlags {
  readonly resolve?: readonly string[];
  readonly contentSeen?: true;
  readonly ignoreRobotsTxt?: true;
  /** True by commander's default: requests and responses are archived. */
  readonly warc?: boolean;
}

/** The setting of a live crawl that a flag sets. @param name the flag without its dashes. */
export function fieldOfLiveFlag(name: string): string | undefined {
  return liveFlags.find((flag) => flag.name === name || flag.earlier === name)?.field;
}

/**
 * The settings of a live crawl that a settings file and the flags ask for; the flags win.
 * @throws InputError naming flag, value and what is allowed.
 */
export async function liveOf(raw: LiveFlags, config: PartialLiveInput = {}): Promise<LiveInput> {
  const input: { [field in LiveField]?: unknown } = { ...config };
  for (const { name, value, field } of liveFlags) {
    const given = raw[camelCase(name)];
    if (given === undefined) continue;
    const isText = Array.isArray(given) || field === 'contact' || field === 'agent';
    input[field] = isText ? given : numberOrText(value === 'BYTES' ? bytesOf(given) : given);
  }
  if (raw.resolve !== undefined) input.resolve = raw.resolve.map(resolved);
  if (raw.contentSeen === true) input.contentSeen = true;
  if (raw.ignoreRobotsTxt === true) input.robotsTxt = 'ignore';
  if (raw.warc === false) input.warc = false;
  if (input.contact === undefined) {
    throw new InputError(
      '--contact is missing: name a URL or a mail address where the owners of hosts can reach you; it is sent in User-Agent',
    );
  }
  const flagOf = (path: readonly PropertyKey[]): string =>
    liveFlags.find(({ field }) => field === path[0])?.name ?? path.join('.');
  const settings = checked(liveSchema, input, raw, flagOf);
  const { checkSettings } = await import('../../live/index.ts');
  try {
    checkSettings(settings);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.message.replace(/^\w+(?=: )/, (field) => {
      const flag = flagOf([field]);
      return raw[camelCase(flag)] === undefined && field in config ? `live.${field}` : `--${flag}`;
    }));
  }
  return settings;
}

/** `*=127.0.0.1:8080`, `example.org=[::1]:8080`, `example.org=192.0.2.1`. */
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
