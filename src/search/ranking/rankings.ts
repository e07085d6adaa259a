import { bm25 } from './bm25.ts';
import { bm25f } from './bm25f.ts';
import { compass } from './compass.ts';
import type { Ranking } from './ranking.ts';

/** The rankings by name, each with its defaults; the first is the default. */
export const rankings = { bm25f: bm25f(), compass, bm25: bm25() } satisfies Record<string, Ranking>;

export type RankingName = keyof typeof rankings;
