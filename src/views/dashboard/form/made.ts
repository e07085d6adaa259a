import type { NewRun } from '../../service/dashboard/api.ts';
import { seedsOf } from './values.ts';

/** What the form makes; forks are made of a run, not here. */
export type Kind = Exclude<NewRun['kind'], 'fork'>;

/** What is typed besides settings. */
export interface Start {
  readonly kind: Kind;
  readonly graph: string;
  readonly seeds: readonly string[];
  readonly goals: readonly string[];
  /** The text of a study file. */
  readonly yaml: string;
  /** The crawl that the network is fitted to; '' for none. */
  readonly networkOf: string;
  readonly out: string;
}

/** Null as long as nothing says where to start. */
export function newRun(
  { kind, graph: typed, seeds: urls, goals, yaml, networkOf, out }: Start, settings: Record<string, unknown>,
): NewRun | null {
  const folder = out.trim() === '' ? {} : { out: out.trim() };
  const graph = typed.trim();
  switch (kind) {
    case 'live': {
      const seeds = seedsOf(urls);
      return seeds.length === 0 ? null : { kind, seeds, settings, ...folder };
    }
    case 'study': return yaml.trim() === '' ? null : { kind, yaml, ...(graph !== '' && { graph }), ...folder };
    case 'plan': {
      const goal = goals.map((line) => line.trim()).filter((line) => line !== '');
      return graph === '' ? null : { kind, graph, goal, settings, ...folder };
    }
    case 'simulation':
      return graph === '' ? null : { kind, graph, settings, ...(networkOf !== '' && { networkOf }), ...folder };
    case 'tune': return graph === '' ? null : { kind, graph, settings, ...folder };
  }
}

/** What is missing while `newRun` is null, and the input that it belongs into. */
export const missing: Readonly<Record<Kind, { readonly path: string; readonly id: string; readonly words: string }>> = {
  simulation: { path: 'graph', id: 'graph', words: 'Choose a graph to crawl.' },
  live: { path: 'seeds', id: 'seed-0', words: 'Give at least one URL to start from.' },
  plan: { path: 'graph', id: 'graph', words: 'Choose a graph to plan for.' },
  tune: { path: 'graph', id: 'graph', words: 'Choose a graph to tune for.' },
  study: { path: 'yaml', id: 'yaml', words: 'Write a study, or choose one above.' },
};

/** Settings that are shown first, in this order. */
export const mainPaths: Readonly<Record<Kind, readonly string[]>> = {
  simulation: [
    'policy', 'processors', 'robots', 'superstepLimit', 'politenessMs', 'network.preset', 'maxPages', 'maxSeconds',
  ],
  live: [
    'live.contact', 'policy', 'processors', 'robots', 'superstepLimit', 'politenessMs', 'maxPages', 'maxSeconds',
  ],
  plan: ['within', 'machines', 'robots', 'delay', 'bandwidth', 'network.preset', 'cost', 'vary'],
  tune: ['for', 'epsilon', 'processors', 'robots', 'maxSeconds', 'politenessMs', 'network.preset', 'policy'],
  study: [],
};

/** The place in a text that a message begins with: `line:3:7: ...`. */
export function placeIn(message: string): { readonly line: number; readonly rest: string } | null {
  const match = /^line:(\d+):(\d+): /.exec(message);
  return match === null ? null
    : { line: Number(match[1]), rest: `Line ${match[1]}, column ${match[2]}: ${message.slice(match[0].length)}` };
}
