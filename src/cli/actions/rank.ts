import * as z from 'zod';
import { checkScoresFile, writeScores } from '../../graphs/formats/index.ts';
import type { WebGraph } from '../../graphs/graph/index.ts';
import { writeAll, writeFiles } from '../../base/files/index.ts';
import { agreement, type Agreement } from '../../core/measure/index.ts';
import { pageRank } from '../../graphs/rank/index.ts';
import { counted, decimal, grouped, paragraph, percent } from '../text/figures.ts';
import { kebabCase, ownFlags, type OutFlags } from '../flags/flags.ts';
import { memoryFacts, memorySentence } from '../flags/memory.ts';
import { namedGraph } from '../flags/named-graph.ts';
import { checkWritable } from '../flags/out-file.ts';
import { commandLine } from '../flags/out-folder.ts';
import { syntheticHostsWarning } from '../flags/seed-pages.ts';
import { shownHtml } from '../../views/report/index.ts';
import { concentration, rankShown, type RankFindings, type TopPage } from '../text/findings/rank-shown.ts';
import { print, remark } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { withProgress } from '../text/progress.ts';
import { algorithms, scoresFrom, type Algorithm, type RankSettings, type Show } from '../answers/rank-algorithms.ts';
import { algorithmNames } from '../help/lists.ts';
import { urlOf } from '../../graphs/graph/index.ts';
import { graphSentence } from '../text/run/simulate-text.ts';
import { headedTable, textTable } from '../text/text-table.ts';

const own = z.object({
  algorithm: z.enum(algorithmNames).default('pagerank'),
  damping: z.number().min(0).lt(1).optional(),
  tolerance: z.number().min(1e-14).max(1).optional(),
  iterations: z.int().min(1).max(100_000).optional(),
  shards: z.int().min(1).max(65_536).optional(),
  shardBy: z.enum(['host', 'page']).optional(),
  top: z.int().min(0).max(1_000_000).default(10),
  threads: z.int().min(1).max(256).optional(),
});

const flagsOfSome = [
  'damping', 'tolerance', 'threads', 'preference', 'start', 'iterations', 'shards', 'shardBy', 'scores',
] as const satisfies readonly (keyof RankSettings)[];

interface Flags extends OutFlags {
  readonly preference?: string;
  readonly start?: string;
  readonly scores?: string;
  readonly against?: string;
  readonly report?: string;
  readonly verify?: true;
}

export async function runRank(name: string, flags: Flags): Promise<void> {
  const settings = { ...ownFlags(own, flags), scores: flags.scores, preference: flags.preference, start: flags.start };
  const algorithm: Algorithm = algorithms[settings.algorithm];
  const against = flags.against ?? (settings.algorithm === 'partitioned' ? 'pagerank' : undefined);
  const ignored = (flag: string): void => {
    remark(`--${flag} has no effect with --algorithm ${settings.algorithm}`);
  };
  for (const key of flagsOfSome) {
    const means = algorithm.takes.includes(key) || (key === 'damping' && against === 'pagerank');
    if (settings[key] !== undefined && !means) ignored(kebabCase(key));
  }
  if (flags.out !== undefined) {
    await checkWritable(flags.out);
    checkScoresFile(flags.out);
  }
  if (flags.report !== undefined) await checkWritable(flags.report, '--report');
  const graph = await namedGraph(name);
  if (flags.out !== undefined) checkScoresFile(flags.out, graph);
  // The file is read before the work, since it may be invalid.
  const reference = against === undefined || against === 'pagerank' ? undefined : await scoresFrom(against, graph);

  const { ranked, compared } = await withProgress(async (line) => {
    const show: Show = (text) => line.show(text);
    const ranked = await algorithm.rank(graph, settings, show);
    if (against === undefined) return { ranked };
    const others = reference?.scores ?? referenceRanks(graph, settings.damping, show);
    return { ranked, compared: { with: against, ...agreement(ranked.ranks, others) } };
  });
  const verified = flags.verify === true ? ranked.verify?.() : undefined;
  if (flags.verify === true && ranked.verify === undefined) ignored('verify');
  if (flags.out !== undefined) await writeScores(flags.out, graph, ranked.ranks);

  const sorted = ranked.ranks.slice().sort();
  const top = topPages(ranked.ranks, sorted, settings.top).map((page) => ({
    page, score: ranked.ranks[page], url: urlOf(graph, page), sourceId: graph.sourceIds?.[page],
  }));
  const { iterations, l1ErrorBound, facts, sentence } = ranked;
  if (flags.report !== undefined)
    await writeReport(flags.report, { graph, ranks: ranked.ranks, sorted, sentence, top, compared });
  print(
    flags.json,
    () => ({
      graph: graph.name, pages: graph.pages, arcs: graph.arcs, algorithm: settings.algorithm, iterations, l1ErrorBound,
      ...facts, agreement: compared, top, verified, memory: memoryFacts(graph),
    }),
    () =>
      [
        `${ranked.warning ?? ''}${graphSentence(graph)}`,
        paragraph(sentence),
        paragraph(concentration(sorted)),
        '',
        topTable(graph, ranked.ranks, top),
        ...(compared === undefined ? [] : ['', agreementText(compared)]),
        '',
        memorySentence(graph),
        ...(verified === undefined ? [] : ['', verified]),
        ...(flags.out === undefined ? [] : ['', `${counted(graph.pages, 'rank')} in ${printable(flags.out)}`]),
        ...(flags.report === undefined ? [] : ['', `Report: ${printable(flags.report)}`]),
      ].join('\n'),
  );
}

/** PageRank to compare with, as exact as can be certified. */
function referenceRanks(graph: WebGraph, damping = 0.85, show: Show): Float64Array {
  const tolerance = Math.min(1, Math.max(1e-12, 2 ** -48 / (1 - damping)));
  const onSweep = (sweeps: number, change: number): void => {
    show(() => `PageRank to compare with: sweep ${sweeps}: changed by ${change.toExponential(1)}`);
  };
  return pageRank(graph, { damping, tolerance, onSweep }).ranks;
}

function agreementText({ with: against, tauB, l1, top }: Agreement & { with: string }): string {
  const rows = [
    [
      'Kendall tau-b', tauB === null ? 'none' : decimal(tauB, 4),
      tauB === null ? 'in one of the two all pages tie' : '',
    ],
    ['L1 distance', l1 < 1e-3 ? l1.toExponential(1) : decimal(l1, 4), 'of 2 at most'],
    ...top.map(({ pages, shared }) => [
      `top ${grouped(pages)}`,
      grouped(shared),
      `in both, ${percent(shared / pages)}`,
    ]),
  ];
  return `Agreement with ${against === 'pagerank' ? 'PageRank' : printable(against)}\n${textTable(rows, ['left', 'right', 'left'])}`;
}

async function writeReport(path: string, findings: RankFindings): Promise<void> {
  const { graph } = findings;
  const html = shownHtml({
    title: `The ranks of ${graph.name}`, circumstances: [graphSentence(graph)],
    warning: graph.hosts.synthetic ? syntheticHostsWarning(graph).trim() : null, command: commandLine(),
    parts: [{ name: 'answer', title: 'The answer', shown: rankShown(findings) }], notes: [],
  });
  await writeFiles([path], ([file]) => writeAll(file, Buffer.from(html)));
}

function topTable(graph: WebGraph, ranks: Float64Array, top: readonly TopPage[]): string {
  const mean = ranks.reduce((sum, rank) => sum + rank, 0) / graph.pages;
  return headedTable(
    ['page', 'score', 'x mean', top[0]?.url !== undefined ? 'URL' : graph.sourceIds ? 'id in the source' : ''],
    top.map(({ page, score, url, sourceId }) => [
      String(page), score.toPrecision(6), decimal(score / mean, 1), printable(url ?? String(sourceId ?? '')),
    ]),
    ['right', 'left', 'right', 'left'],
  );
}

/** The `count` pages of greatest rank; ties in ascending id. */
function topPages(ranks: Float64Array, sorted: Float64Array, count: number): number[] {
  if (count === 0) return [];
  // Sorting numbers is far faster than sorting pages by rank: first find the lowest rank that is listed.
  const least = sorted[Math.max(0, ranks.length - count)];
  const pages: number[] = [];
  for (let page = 0; page < ranks.length; page++) if (ranks[page] >= least) pages.push(page);
  return pages.sort((a, b) => ranks[b] - ranks[a] || a - b).slice(0, count);
}
