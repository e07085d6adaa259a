import { effectivenessOf, type Named, type RunsEffectiveness } from '../../../compare/index.ts';
import { InputError } from '../../../base/index.ts';
import { bm25, bm25f, compass, openIndex, type Ranking } from '../../../search/index.ts';
import { printableShort } from '../../text/printable.ts';
import { comparedGraphs } from './graphs.ts';
import type { OpenedGraphs } from '../opened-graphs.ts';

/** Rankings that a comparison may search by. */
export const judgedRankings = ['bm25f', 'compass', 'bm25'] as const;

const rankings: Readonly<Record<(typeof judgedRankings)[number], () => Ranking>> = {
  bm25f: () => bm25f(), compass: () => compass, bm25: () => bm25(),
};

/** What a comparison by an index is asked for. */
export interface EffectivenessFlags {
  readonly index: string;
  readonly ranking: (typeof judgedRankings)[number];
  readonly graph: readonly string[];
}

/**
 * How well searchers are served by runs of one graph.
 * @throws InputError if there is a study, several graphs, no graph, or the index cannot be read or is of another graph.
 */
export async function comparedEffectiveness(
  items: readonly Named[], { index: path, ranking, graph: graphs }: EffectivenessFlags, opened: OpenedGraphs,
): Promise<RunsEffectiveness> {
  const study = items.find(({ records }) => records.length === 0);
  if (study !== undefined)
    throw new InputError(`${study.label}: is of a study, which stores no order of pages; name runs of simulate`);
  const [{ label, sha256 }] = items;
  const other = items.find((item) => item.sha256 !== sha256);
  if (other !== undefined)
    throw new InputError(`${label}, ${other.label}: are of different graphs; an index is of one`);
  const { found, missing } = await comparedGraphs(items, graphs, opened);
  const prepared = found.get(sha256);
  if (prepared === undefined) {
    const why = missing.get(sha256) ?? 'its graph is not at hand';
    throw new InputError(`${printableShort(label)}: ${why} (name it with --graph)`);
  }
  const index = await openIndex(path);
  try {
    return await effectivenessOf(items, prepared, { path, index }, rankings[ranking]());
  } finally {
    index.close();
  }
}
