/**
 * Runs whose replay hash and main figures must not change by accident. After a change that is meant to alter runs,
 * renew them and read the difference:
 *
 *     ORBWEAVER_GOLDEN=write npx vitest run test/golden && git diff test/golden/runs.json
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { simulate } from '../../src/core/engine/index.ts';
import { prepare, type PreparedGraph } from '../../src/graphs/graph/index.ts';
import type { ExperimentInput } from '../../src/core/settings/index.ts';

interface GoldenRun {
  graph: string;
  experiment: ExperimentInput;
  replayHash: string;
  figures: Record<string, number | string | null>;
}

const file = fileURLToPath(new URL('./runs.json', import.meta.url));
const golden = JSON.parse(readFileSync(file, 'utf8')) as GoldenRun[];
const isRenewal = env['ORBWEAVER_GOLDEN'] === 'write';
const renewed: GoldenRun[] = [];
const opened = new Map<string, Promise<PreparedGraph>>();

function graphOf(name: string): Promise<PreparedGraph> {
  const graph = opened.get(name) ?? openGraph(name).then(prepare);
  opened.set(name, graph);
  return graph;
}

/** Figures that say what changed where a hash only says that something did; rounded, for the hash is exact already. */
async function measure({ graph: name, experiment }: GoldenRun): Promise<GoldenRun> {
  const { run: { replayHash, summary } } = await simulate(await graphOf(name), experiment);
  const six = (value: number | null): number | null => value && Number(value.toFixed(6));
  return {
    graph: name,
    experiment,
    replayHash,
    figures: {
      ended: summary.ended,
      pagesFetched: summary.pagesFetched,
      supersteps: summary.supersteps,
      virtualSeconds: summary.virtualSeconds,
      pagerankArea: six(summary.quality.pagerankArea),
      normalisedGain: six(summary.quality.normalisedGain),
      balancePages: six(summary.balance.pages),
      staleRatio: six(summary.staleRatio),
      crossLinksPerPage: six(summary.communication.crossLinksPerPage),
      pairs: summary.bsp.pairs,
    },
  };
}

test.each(golden.map((run) => [run.graph, JSON.stringify(run.experiment), run] as const))(
  '%s %s',
  async (_name, _settings, run) => {
    const now = await measure(run);
    renewed.push(now);
    if (!isRenewal) expect(now).toEqual(run);
  },
);

afterAll(() => {
  if (isRenewal && renewed.length === golden.length) writeFileSync(file, `${JSON.stringify(renewed, null, 2)}\n`);
});
