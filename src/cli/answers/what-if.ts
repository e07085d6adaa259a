import { changed, whatIf, whatIfKinds, type WhatIf, type WhatIfKind } from '../../questions/plan/index.ts';
import { clock, percent } from '../text/figures.ts';
import { headedTable } from '../text/text-table.ts';
import type { FinishedRun, Runner } from './runner.ts';

export async function runWhatIf(runner: Runner, { run: { experiment, summary } }: FinishedRun): Promise<WhatIf[]> {
  const results: WhatIf[] = [];
  if (summary.pagesFetched === 0) return results;
  for (const [i, kind] of whatIfKinds.entries()) {
    const settings = changed(kind, experiment);
    if (settings === undefined) continue;
    const label = `what if, ${i + 1} of ${whatIfKinds.length}, ${words[kind]}: `;
    const { run } = await runner.run({ ...settings, statistics: 'off' }, { label });
    if (runner.signal.aborted) break;
    results.push(whatIf(kind, summary, run.summary));
  }
  return results;
}

const words: Readonly<Record<WhatIfKind, string>> = {
  processors: 'twice as many processors', robots: 'twice as many robots per processor',
  politeness: 'half the delay of hosts',
  superstepLimit: 'twice the superstep limit R_x', noSuperstepLimit: 'no superstep limit R_x',
  pendingJobs: 'twice as many pending jobs', allPendingJobs: 'all queued pages as pending jobs',
  processorBandwidth: 'twice the bandwidth of processors', hostBandwidth: 'twice the bandwidth of hosts',
  barriers: 'half the price of barriers and messages', shorterSupersteps: 'shorter supersteps',
  retries: 'half the wait after failures',
};

/** The changes as a table, those that bring most pages per second first. */
export function whatIfText(changes: readonly WhatIf[]): string {
  const rows = [...changes]
    .sort((a, b) => (b.pagesPerSecond ?? 0) - (a.pagesPerSecond ?? 0))
    .map(({ kind, pagesPerSecond, rankGathered, secondsToHalf, virtualSeconds }) => [
      words[kind], gain(pagesPerSecond), gain(rankGathered), secondsToHalf === null ? 'never' : clock(secondsToHalf),
      clock(virtualSeconds),
    ]);
  return [
    'What if (one setting changed, the same seed)',
    headedTable(['change', 'pages per second', 'rank gathered', 'half of the rank after', 'time'], rows, [
      'left', 'right', 'right', 'right', 'right',
    ]),
  ].join('\n');
}

function gain(share: number | null): string {
  if (share === null) return 'none';
  const text = percent(Math.abs(share - 1));
  // No sign on what rounds to nothing.
  return text === percent(0) ? text : `${share > 1 ? '+' : '-'}${text}`;
}
