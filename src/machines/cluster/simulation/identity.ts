import { createHash } from 'node:crypto';
import { packageVersion } from '../../../base/index.ts';
import type { SharedRun } from '../../../core/engine/index.ts';

/** All that a simulation depends on, by name: nodes that agree in it write the same records. */
export type Identity = Readonly<Record<string, string>>;

/** Longer values are known by their checksum: seed pages can be many. */
const maxValueLength = 64;

export function identityOf({ settings, graph }: Pick<SharedRun, 'settings' | 'graph'>, nodes: number): Identity {
  return Object.fromEntries([
    ['version', packageVersion()], ['nodes', String(nodes)], ['graph', `${graph.pages.name} ${graph.sha256}`],
    ...flat('', settings),
  ]);
}

/** Twelve characters that stand for it. */
export function digestOf(identity: Identity): string {
  return sha256(JSON.stringify(Object.entries(identity).sort())).slice(0, 12);
}

/** Settings by their dotted names, each with its value as a text. */
export function settingsByName(settings: object): Identity {
  return Object.fromEntries(flat('', settings));
}

/** The first difference, in words; undefined if there is none. */
export function differenceOf(theirs: Identity, ours: Identity): string | undefined {
  const name = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].find((key) => theirs[key] !== ours[key]);
  if (name === undefined) return undefined;
  return `${name} is ${theirs[name] ?? 'not set'} there and ${ours[name] ?? 'not set'} here`;
}

function flat(path: string, value: unknown): [string, string][] {
  if (value === undefined) return [];
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    // If there is a checksum, each machine may have the file at another place.
    const entries = Object.entries(value).filter(([key]) => key !== 'file' || !('sha256' in value));
    return entries.flatMap(([key, inner]) => flat(path === '' ? key : `${path}.${key}`, inner));
  }
  const text = JSON.stringify(value);
  return [[path, text.length > maxValueLength ? `sha256 ${sha256(text).slice(0, 12)}` : text]];
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
