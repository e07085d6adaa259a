import { WholeGraph } from '../../core/engine/index.ts';
import { prepare, type PreparedGraph, type WebGraph } from '../../graphs/graph/index.ts';
import { curvesCsv, reportHtml } from '../../views/report/index.ts';
import { findingsOf, stops, type Stop, type TourRun, type TourRuns } from '../../questions/study/index.ts';
import { runFigures } from '../../core/measure/figures/index.ts';
import { bar, decimal, figureIn, paragraph } from '../text/figures.ts';
import type { OutFlags } from '../flags/flags.ts';
import { InputError } from '../../base/index.ts';
import { interruptSignal } from '../interrupt.ts';
import { namedGraph } from '../flags/named-graph.ts';
import { commandLine, completeRecord, filled, runOrigin } from '../flags/out-folder.ts';
import { print, tellInterrupted } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { Runner } from '../answers/runner.ts';
import { graphLines, settingsSentence } from '../text/run/simulate-text.ts';
import { headedTable } from '../text/text-table.ts';
import { inWords, type WordedFinding } from '../text/findings/tour-words.ts';

interface Flags extends OutFlags {
  readonly pagesCsv?: true;
}

export async function runTour(name: string, flags: Flags): Promise<void> {
  if (flags.pagesCsv === true && flags.out === undefined)
    throw new InputError('--pages-csv: needs --out <DIR>, the folder of the run records');
  // Before anything is on disk, so that SIGINT never leaves a partial folder behind.
  const signal = interruptSignal();
  const finish = await filled(flags.out, 'tour.json', async (folder) => {
    const graph = await namedGraph(name);
    const runner = new Runner(new WholeGraph(prepare(graph)), signal);
    const origin = await runOrigin(name);
    const runs = new Map<Stop, TourRun>();
    for (const stop of Object.keys(stops) as Stop[]) {
      if (runner.signal.aborted) break;
      const record = await folder?.record(folderName(stop), origin);
      const result = await runner.run(stops[stop], { label: `${stop}: `, record });
      runs.set(stop, result);
      if (folder) {
        const pages = flags.pagesCsv === true ? await runner.pagesCsv(result) : undefined;
        await completeRecord(folder, folderName(stop), `${graph.name}, ${stop}`, result, { pages });
      }
    }
    const findings = findingsOf(graph, runs).map(inWords);
    if (folder) {
      await folder.write('tour.json', `${JSON.stringify(tourDocument(graph, runs, findings), null, 2)}\n`);
      const labelled = [...runs].map(([label, result]) => ({ label, result }));
      await folder.write('curves.csv', curvesCsv(labelled));
      await folder.write(
        'report.html',
        reportHtml(labelled, {
          title: `A tour of ${graph.name}`, command: commandLine(),
          parts: [{
            name: 'findings', title: 'What these runs show',
            shown: { paragraphs: findings.map(({ text }) => text), tables: [], charts: [] },
          }],
        }),
      );
    }
    return () => {
      print(
        flags.json,
        () => tourDocument(graph, runs, findings),
        () => tourText(runner.prepared, runs, findings, flags.out),
      );
      if (runner.signal.aborted) tellInterrupted(`in run ${runs.size} of ${Object.keys(stops).length}`, folder);
    };
  });
  finish();
}

function folderName(stop: Stop): string {
  return stop.replace(/[^a-z0-9]+/g, '-');
}

function tourDocument(graph: WebGraph, runs: TourRuns, findings: readonly WordedFinding[]): unknown {
  const [first] = runs.values();
  return {
    version: first.run.version,
    graph: graph.name,
    runs: [...runs].map(([label, { run }]) => ({ label, ...run })),
    findings,
  };
}

function tourText(
  prepared: PreparedGraph, runs: TourRuns, findings: readonly WordedFinding[], out: string | undefined,
): string {
  const [first] = runs.values();
  const { bound, random } = first.run.summary.quality;
  const others = ['normalisedGain', 'virtualSeconds', 'balancePages', 'pairsPerPage', 'robotsBusy'] as const;
  const rows = [...runs].map(([label, { run }]) => {
    const { summary } = run;
    return [
      summary.ended === 'interrupted' ? `${label} (interrupted)` : label,
      decimal(summary.quality.pagerankArea, 4), bar(summary.quality.normalisedGain, 16),
      ...others.map((name) => figureIn(summary, name)),
    ];
  });
  return [
    ...graphLines(prepared, undefined),
    '',
    headedTable(
      [
        'policy', runFigures.pagerankArea.short, `${decimal(random, 3)} to ${decimal(bound, 3)}`,
        ...others.map((name) => runFigures[name].short),
      ],
      rows,
      ['left', 'right', 'left', ...others.map(() => 'right' as const)],
    ),
    '',
    'What these runs show',
    ...findings.map(({ line }) => paragraph(printable(line), '- ')),
    ...(out === undefined ? [] : ['', `Report, with the reasons: ${printable(out.replace(/\/+$/, ''))}/report.html`]),
    '',
    paragraph(
      'Area: mean share of PageRank gathered, over the crawl; its bar and the gain go from the expectation of a ' +
        'random order (0) to the best order (1). Balance: mean over maximum of pages, by superstep. ' +
        `Unless a run says otherwise: ${settingsSentence(first.run.experiment).replace(/^Policy \S+, /, '')}.`,
    ),
  ].join('\n');
}
