import { earlierName } from './earlier-names.ts';

/**
 * One name per setting: camel case in YAML and JSON, kebab case in flags. The flag of a setting within a group
 * (`network.latencyMs`) does not name the group (`--latency-ms`), except where the group's choice stands for the group
 * (`--network web`), or the name alone would say too little.
 */
const groupFlags: Readonly<Record<string, string>> = {
  'queue.kind': 'queue', 'network.preset': 'network', 'queue.memoryBytes': 'queue-memory-bytes',
  hostPatienceMs: 'host-patience',
};

/** Flags that had another name before, or a shorter one that people type, by their name now. */
const earlierFlags: Readonly<Record<string, readonly string[]>> = {
  'host-patience': ['host-patience-ms'],
  'bandwidth-bytes-per-second': ['bandwidth'],
  'processor-bandwidth-bytes-per-second': ['processor-bandwidth'],
  'queue-memory-bytes': ['queue-memory'],
  'header-limit-bytes': ['header-limit'],
  'body-limit-bytes': ['body-limit'],
  'decoded-limit-bytes': ['decoded-limit'],
  'max-open-bodies-bytes': ['max-open-bodies', 'bodies-most'],
  'warc-file-bytes': ['warc-file'],
};

/** The flag of a setting, without the dashes. @param path its dotted name. */
export function flagName(path: string): string {
  return Object.hasOwn(groupFlags, path) ? groupFlags[path] : kebabCase(path.slice(path.lastIndexOf('.') + 1));
}

/** Other names of its flag that are read and not shown. @param path its dotted name. */
export function hiddenFlagNames(path: string): readonly string[] {
  const name = flagName(path);
  const earlier = earlierName(path.slice(path.lastIndexOf('.') + 1));
  const kebab = earlier === undefined ? undefined : kebabCase(earlier);
  return Object.hasOwn(earlierFlags, name) ? earlierFlags[name] : kebab === undefined ? [] : [kebab];
}

/** `max-pages` -> `maxPages`. */
export function camelCase(kebab: string): string {
  return kebab.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** `maxPages` -> `max-pages`. */
export function kebabCase(camel: string): string {
  return camel.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
