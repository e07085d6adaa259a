import {
  comparedIn, differences, drawnRuns, horizonsOf, judge, named as namedRuns, pairOf, readPair, settingDifferences,
  type Compared, type Judged, type LoggedOrder, type Measure, type Named, type Pair, type RunsEffectiveness,
} from '../../questions/compare/index.ts';
import { reportHtml, shownHtml, type LabelledRun, type ShownPart, type ShownReport } from '../../views/report/index.ts';
import { InputError } from '../../base/index.ts';
import { judgedShares } from '../../search/judge/index.ts';
import { comparedEffectiveness, judgingOf, remarkFewSeeds, type Judging } from '../answers/compared/effectiveness.ts';
import { comparedGraphs, OpenedGraphs } from '../answers/compared/graphs.ts';
import { judgedTables } from '../answers/compared/judged-study.ts';
import type { JudgingFlags } from '../answers/compared/judging-flags.ts';
import { logsAmong, runsAgainst } from '../answers/compared/orders.ts';
import { measuring } from '../answers/incomplete-runs.ts';
import { ordersDocument, ordersShown } from '../text/findings/compared/orders-shown.ts';
import { pageRows, pairDocument, pairTitle } from '../text/findings/compared/pair-files.ts';
import { bestServed, searchersPart } from '../text/findings/compared/effectiveness-shown.ts';
import { meanCurves } from '../text/findings/repeated-shown.ts';
import { pairShown } from '../text/findings/compared/pair-shown.ts';
import { runsShown, withEnd } from '../text/findings/compared/runs-shown.ts';
import { counted, grouped, paragraph } from '../text/figures.ts';
import type { OutFlags } from '../flags/flags.ts';
import { commandLine, filled, type OutFolder } from '../flags/out-folder.ts';
import { print, remark, storedLines } from '../text/output.ts';
import { shownText } from '../text/shown-text.ts';

interface Flags extends OutFlags, JudgingFlags {
  readonly graph: readonly string[];
}

/** Runs whose curves are drawn in one report: each is read whole. */
const maxDrawn = 100;

export async function runCompare(names: readonly string[], flags: Flags): Promise<void> {
  const judging = judgingOf(flags);
  const { logs, others: folders } = await logsAmong(names);
  if (logs.length > 0) {
    if (judging !== undefined) throw new InputError(`--index: judges runs; ${logs[0].label} is the log of a crawler`);
    return compareWithLogs(logs, folders, flags);
  }
  const opened = new OpenedGraphs();
  const runs = await runsIn(folders, measuring(opened, flags.graph), judging === undefined ? 2 : 1);
  const notes: string[] = [];
  const comparison = await filled(flags.out, 'compare.json', async (folder) => {
    const comparison = await compared(runs, judging, flags, opened);
    if (folder) notes.push(...await writeComparison(folder, comparison, flags.graph, opened));
    return comparison;
  });
  const { document, parts, effectiveness } = comparison;
  print(flags.json, () => document, () => [
    ...parts.flatMap(shownText).slice(1), ...notes.flatMap((note) => ['', paragraph(note)]),
    ...storedLines('Report', flags.out),
  ].join('\n'));
  if (flags.json === true) for (const note of notes) remark(note);
  if (effectiveness !== undefined) remarkFewSeeds(effectiveness);
}

/** The runs, one folder after the other: of several faults the first as typed is reported. */
async function runsIn(folders: readonly string[], measure: Measure, least: number): Promise<Compared[]> {
  const runs: Compared[] = [];
  for (const folder of folders) runs.push(...await comparedIn(folder, measure));
  if (runs.length < least)
    throw new InputError(`${folders.join(', ')}: ${counted(runs.length, 'run')} to compare; name two or more`);
  return runs;
}

interface Comparison {
  readonly items: readonly Named[];
  readonly pair: Pair | undefined;
  readonly judged: Judged | undefined;
  readonly effectiveness: RunsEffectiveness | undefined;
  readonly parts: readonly ShownPart[];
  readonly document: object;
}

async function compared(
  runs: readonly Compared[], judging: Judging | undefined, { graph: graphNames, out }: Flags, opened: OpenedGraphs,
): Promise<Comparison> {
  const two = pairOf(runs);
  const items = two ?? namedRuns(runs);
  const graphs = two && await comparedGraphs(two, graphNames, opened);
  const pair = two && graphs && await readPair(two, graphs.found);
  const missing: ReadonlyMap<string, string> = graphs?.missing ?? new Map();
  // Each run says its own area, which is enough where nothing is drawn and both were judged over the same pages.
  const isEnough = out === undefined && new Set(items.flatMap(horizonsOf)).size <= 1;
  const judged = pair && (!isEnough || pair.isByUrl) ? judge(pair) : undefined;
  const effectiveness = judging && await comparedEffectiveness(items, judging, graphNames, opened);
  const byPage = pair && { name: 'pair', title: pairTitle(pair), shown: pairShown(pair, judged, missing) };
  const differing = { name: 'compared', title: 'What differs', shown: runsShown(items) };
  const parts: ShownPart[] = items.length === 1 ? [] : [differing];
  // The question about a prediction is whether it came true.
  if (byPage) parts.splice(pair.isPrediction ? 0 : 1, 0, byPage);
  if (effectiveness) parts.push(searchersPart(effectiveness, judging.path, bestServed(effectiveness)));
  const document = {
    ...runsDocument(items),
    ...(pair && { pair: pairDocument(pair, judged, missing) }),
    ...(effectiveness && { effectiveness: { ...effectiveness, shares: judgedShares } }),
  };
  return { items, pair, judged, effectiveness, parts, document };
}

/** Writes the files of a comparison. @returns what its report lacks. */
async function writeComparison(
  folder: OutFolder, { items, pair, judged, effectiveness, parts, document }: Comparison, graphs: readonly string[],
  opened: OpenedGraphs,
): Promise<string[]> {
  await folder.write('compare.json', `${JSON.stringify(document, null, 2)}\n`);
  if (pair !== undefined && !('why' in pair.order)) await folder.write('pages.csv', pageRows(pair, pair.order));
  for (const [name, text] of judgedTables(effectiveness)) await folder.write(name, text);
  const curves = pair !== undefined && judged !== undefined
    ? drawnPair(pair, items, judged) : await drawable(items, graphs, opened);
  const head = { title: pair?.isPrediction ? pairTitle(pair) : titleOf(items), command: commandLine(), parts };
  if (typeof curves !== 'string') {
    await folder.write('report.html', drawnHtml(items, curves, head));
    return [];
  }
  await folder.write('report.html', figuresHtml({ ...head, notes: [`No curves: ${curves}.`] }));
  return [`The report has figures alone: ${curves}.`];
}

function figuresHtml(report: Pick<ShownReport, 'title' | 'command' | 'parts' | 'notes'>): string {
  return shownHtml({ circumstances: [], warning: null, ...report });
}

/** Compares runs with the orders of other crawlers. */
async function compareWithLogs(logs: readonly LoggedOrder[], runs: readonly string[], flags: Flags): Promise<void> {
  const { document, part } = await filled(flags.out, 'compare.json', async (folder) => {
    const orders = await runsAgainst(logs, runs, flags.graph);
    const part = { name: 'orders', title: 'Orders of pages compared', shown: ordersShown(orders) };
    const document = ordersDocument(orders);
    await folder?.write('compare.json', `${JSON.stringify(document, null, 2)}\n`);
    await folder?.write('report.html',
      figuresHtml({ title: part.title, command: commandLine(), parts: [part], notes: [] }));
    return { document, part };
  });
  print(flags.json, () => document, () =>
    [...shownText(part).slice(1), ...storedLines('Report', flags.out)].join('\n'));
}

/** Both runs as one judge measures them: its figures replace those in the records. */
function drawnPair({ sides }: Pair, items: readonly Named[], judged: Judged): LabelledRun[] {
  return sides.map(({ name, run, events }, i): LabelledRun => {
    const { curves, ...figures } = judged[i];
    return { label: withEnd(name, items[i]), result: {
      run: { ...run, summary: { ...run.summary, ...figures } }, curves,
      events: { ...events, processors: new Uint32Array(), failures: [], crashes: [], changes: [] },
    } };
  });
}

/** Runs one by one; where some are repetitions, a curve for the mean of each instead of one per seed. */
function drawnHtml(
  items: readonly Named[], runs: readonly LabelledRun[],
  { title, command, parts }: { title: string; command: string; parts: readonly ShownPart[] },
): string {
  if (items.every(({ records }) => records.length === 1)) return reportHtml(runs, { title, command, parts });
  let next = 0;
  const groups = items.map((item) => ({
    name: withEnd(item.name, item),
    runs: runs.slice(next, next += item.records.length).map(({ result }) => result),
  }));
  const content = {
    paragraphs: [
      'Curves are means over the seeds, up to the end of the shortest run; bands are 95 % intervals of the mean.',
    ],
    charts: meanCurves(groups), tables: [],
  };
  const curves = { name: 'curves', title: 'PageRank gathered', shown: content };
  return figuresHtml({ title, command, parts: [...parts, curves], notes: [] });
}

/** "opic, random: 2 runs compared", with as many names as a title holds. */
function titleOf(items: readonly Named[]): string {
  const names = items.map(({ name }) => name).join(', ');
  if (items.length === 1) return `${names}: how well searchers are served`;
  return `${names.length > 60 ? '' : `${names}: `}${items.length} runs compared`;
}

function runsDocument(items: readonly Named[]): object {
  return {
    differing: Object.fromEntries(settingDifferences(items).map(({ name, values }) => [name, values])),
    // Each run but the first, by figure.
    differences: items.slice(1).map((other) => ({
      base: items[0].label, label: other.label,
      figures: Object.fromEntries(differences(items[0], other)
        .map(({ figure, ...difference }) => [figure.name, difference])),
    })),
    runs: items.map(({ name, label, graph, sha256, version, runs, readUpTo, records, ...item }) => ({
      name, label, graph, sha256, version, seeds: runs,
      interrupted: item.interrupted, means: item.means, experiment: item.experiment,
      ...(readUpTo !== undefined && { incomplete: { readUpToSuperstep: readUpTo } }),
      replayHashes: records.map(({ run }) => run.replayHash),
    })),
  };
}

/**
 * The runs with their curves, made again from their order and the graph; or why they cannot be. Ranks are computed
 * anew, and the area they give must be the one that was recorded.
 */
async function drawable(
  items: readonly Named[], graphs: readonly string[], opened: OpenedGraphs,
): Promise<LabelledRun[] | string> {
  const alone = items.find(({ records }) => records.length === 0);
  if (alone !== undefined) return `${alone.label} is of a study, which keeps no record of each page`;
  if (new Set(items.map(({ sha256 }) => sha256)).size > 1) return 'the runs are of different graphs';
  const count = items.reduce((sum, { records }) => sum + records.length, 0);
  if (count > maxDrawn) return `${grouped(count)} runs are too many to draw`;
  const [{ sha256 }] = items;
  const { found: graphsBySum, missing } = await comparedGraphs(items, graphs, opened);
  const prepared = graphsBySum.get(sha256);
  if (prepared === undefined) return `${missing.get(sha256) ?? 'their graph is not at hand'} (name it with --graph)`;
  return drawnRuns(items.map((item) => ({ ...item, label: withEnd(item.name, item) })), prepared);
}
