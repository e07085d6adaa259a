import { nearest } from '../../../base/index.ts';
import { currentName } from './earlier-names.ts';
import { flagName, hiddenFlagNames, kebabCase } from './setting-names.ts';

/** Words that people use for what a flag sets; a command has some of these flags. */
const synonyms: readonly (readonly [flags: string, words: string])[] = [
  ['robots', 'threads workers concurrency parallelism connections fetchers slots downloads jobs'],
  ['processors', 'machines nodes servers processes crawlers instances agents'],
  ['max-seconds', 'time duration time-limit budget max-time max-duration deadline hours minutes seconds'],
  ['max-pages', 'pages limit page-limit max-urls urls page-count'],
  ['policy', 'order ordering strategy algorithm priority scheduler crawl-order'],
  ['superstep-limit', 'batch batch-size r-x rx superstep-pages superstep-size'],
  ['superstep-ms', 'superstep superstep-time superstep-length'],
  ['pending', 'd target pending-jobs queue-target'],
  ['politeness-ms', 'delay crawl-delay wait politeness host-delay request-delay interval'],
  ['retries', 'attempts tries retry max-retries max-attempts'],
  ['backoff-ms', 'backoff back-off retry-delay'],
  ['seed', 'random-seed rng rng-seed'],
  ['seed-page', 'start start-url start-page root seeds seed-url'],
  ['timeout-ms download-timeout-ms', 'timeout time-out response-timeout'],
  ['latency-ms', 'latency rtt ping response-time ttfb'],
  ['bandwidth-bytes-per-second', 'speed throughput rate host-bandwidth'],
  ['processor-bandwidth-bytes-per-second', 'uplink downlink link-speed machine-bandwidth total-bandwidth'],
  ['page-bytes', 'page-size document-size size'],
  ['dns-ms', 'dns resolve-time lookup'],
  ['server-error-share', 'errors error-rate failures failure-rate'],
  ['not-found-share', 'missing dead-links broken-links not-found'],
  ['queue', 'heap pq priority-queue queue-kind'],
  ['queue-memory-bytes', 'memory ram'],
  ['partition', 'sharding shards partitioner assignment hashing'],
  ['network', 'preset profile network-preset'],
  ['checkpoint-supersteps', 'checkpoint checkpoints checkpoint-interval'],
  ['crash-seconds', 'crashes mtbf crash'],
  ['barrier-us', 'l barrier sync'],
  ['pair-us', 'g'],
  ['message-us', 'o overhead'],
  ['measures', 'metrics figures statistics'],
  ['repeat', 'runs repetitions replications samples trials'],
  ['agent', 'user-agent bot-name'],
  ['contact', 'email mail from'],
  ['max-depth', 'depth hops max-hops levels'],
  ['body-limit-bytes', 'max-size max-body body-size max-file-size'],
  ['allow-domain', 'domain domains host hosts'],
  ['scope', 'scope-file seed-scope extra-hops surt surts'],
  ['drop-query', 'strip-query remove-query query-parameters ignore-query no-query drop-parameters'],
  ['out', 'output output-dir dir folder directory'],
  ['config', 'settings config-file configuration'],
  ['threads', 'cores cpus'],
];

const units = /-(ms|us|seconds|secs|sec|s|minutes|hours|bytes|kb|mb|bytes-per-second|bps)$/;

const flagsOfWord = new Map(synonyms.flatMap(([flags, words]) =>
  words.split(' ').map((word) => [word, flags.split(' ')] as const)));

/**
 * The flag among `flags` that a wrong name most probably means: one of the same meaning, or else the one most alike.
 * @param name in camel or kebab case, with or without a unit at its end.
 */
export function flagMeant(name: string, flags: readonly string[]): string | undefined {
  return synonymOf(name, flags) ?? nearest(kebabCase(name), flags) ?? likeSynonym(kebabCase(name), flags);
}

/** The flag among `flags` for which a name is another word. */
export function synonymOf(name: string, flags: readonly string[]): string | undefined {
  const word = kebabCase(name).replace(/^-+/, '').toLowerCase();
  const base = word.replace(units, '');
  const words = [word, base, word.replace(/^(max|num|number-of|n)-/, '')];
  // A name that lacks nothing but its unit, or has another.
  const unitless = flags.find((flag) => [word, base].includes(flag.replace(units, '')));
  return words.flatMap((word) => flagsOfWord.get(word) ?? []).find((flag) => flags.includes(flag)) ?? unitless;
}

function likeSynonym(word: string, flags: readonly string[]): string | undefined {
  const like = nearest(word, [...flagsOfWord.keys()].filter((word) => word.length > 3));
  return like === undefined ? undefined : flagsOfWord.get(like)?.find((flag) => flags.includes(flag));
}

/** The dotted name of the setting with this name, as a flag or in a file, now or earlier; undefined for none. */
export function settingNamed(name: string, paths: readonly string[]): string | undefined {
  if (paths.includes(name)) return name;
  const kebab = kebabCase(currentName(name));
  return paths.find((path) =>
    [flagName(path), ...hiddenFlagNames(path), kebabCase(path.slice(path.lastIndexOf('.') + 1))].includes(kebab));
}

/**
 * What a wrong key most probably means, such as the name of a flag: `did you mean maxPages?`; undefined if nothing is
 * like it.
 * @param within the group in which the key was; `paths` are dotted names from the root.
 */
export function keyMeant(key: string, within: readonly PropertyKey[], paths: readonly string[]): string | undefined {
  const name = key.replace(/^-+/, '');
  const path = (within.length === 0 ? settingNamed(name, paths) : undefined) ?? settingMeant(name, paths, within);
  if (path === undefined) return undefined;
  // The flag of a group's choice is the group's name: `netwrok` is more than its preset.
  const isGroup = within.length === 0 && path.startsWith(`${flagName(path)}.`);
  return `did you mean ${isGroup ? flagName(path) : path}?`;
}

/**
 * The name of the setting that a wrong name most probably means.
 * @param within the group in which the wrong name was; names are those within it.
 */
export function settingMeant(
  name: string, paths: readonly string[], within: readonly PropertyKey[] = [],
): string | undefined {
  const group = within.map((step) => `${String(step)}.`).join('');
  const inner = paths.filter((path) => path.startsWith(group));
  const flag = flagMeant(name.slice(name.lastIndexOf('.') + 1), inner.map(flagName));
  return inner.find((path) => flagName(path) === flag)?.slice(group.length);
}
