import { InputError } from '../../base/index.ts';
import { settleSeeds, trueRanks } from '../../core/engine/index.ts';
import type { PreparedGraph } from '../../graphs/graph/index.ts';
import { bestRanks, measureQuality, type RunResult } from '../../core/measure/index.ts';
import { checkPages, type Compared, type RecordedRun } from './runs.ts';

/** A record's order must give the recorded area. Errors   InputError if it does not. */
export function checkArea(area: number, { summary }: RecordedRun, folder: string): void {
  const { pagerankArea } = summary.quality;
  if (Math.abs(area - pagerankArea) <= 1e-6) return;
  throw new InputError(
    `${folder}: its order gives the area ${area}, its run.json ${pagerankArea}: the record is damaged, or of another version`,
  );
}

/** Pages over which the order of a recorded run was judged. */
export function horizonOf({ summary }: RecordedRun): number {
  return summary.quality.horizonPages;
}

/**
 * The runs with their curves, recomputed from their order and their graph. Ranks are computed again, and the area that
 * they give must be the recorded one. All are then judged over the same number of pages, the least of theirs.
 * Errors   InputError if a record is damaged.
 */
export async function drawnRuns(
  items: readonly Compared[], prepared: PreparedGraph,
): Promise<{ label: string; result: RunResult }[]> {
  const ranks = trueRanks(prepared);
  const common = Math.min(...items.flatMap(({ records }) => records.map(({ run }) => horizonOf(run))));
  const results: { label: string; result: RunResult }[] = [];
  for (const { label, records } of items) {
    for (const { folder, run, events: readEvents } of records) {
      const events = { ...await readEvents(), processors: new Uint32Array(), failures: [], crashes: [], changes: [] };
      checkPages(events.order, prepared.graph, folder);
      const { reachable } = settleSeeds(prepared, run.experiment);
      const best = bestRanks(prepared, ranks, reachable);
      const measured = (horizonPages: number): ReturnType<typeof measureQuality> =>
        measureQuality({ ranks, reachable, horizonPages, ...events }, best);
      const figures = measured(horizonOf(run));
      checkArea(figures.pagerankArea, run, folder);
      const { curves, ...quality } = common === figures.horizonPages ? figures : measured(common);
      const result: RunResult = { run: { ...run, summary: { ...run.summary, quality } }, events, curves };
      results.push({ label: records.length === 1 ? label : `${label}, seed ${run.experiment.seed}`, result });
    }
  }
  return results;
}
