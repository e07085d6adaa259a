/**
 * Recomputes every figure of a run from its folder and the graph, by the specification and with code of its own:
 * order.u32, times.f64 and the graph if these suffice, otherwise from supersteps.csv; the csv is checked against
 * the others.
 *
 *     node --import tsx test/recompute/recompute.ts RUN_FOLDER [GRAPH [SCORES.f64]]
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, exit, stdout } from 'node:process';
import { pathToFileURL } from 'node:url';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import type { WebGraph } from '../../src/graphs/graph/index.ts';
import {
  largestHostOf, modularityOf, partitionOf, plainBalance, plainGathered, plainHostGraph, plainPageRank, plainQuality,
  plainReplayHash, reachableFrom, type PlainOutcome,
} from './figures.ts';
import { plainHarvest, plainHotPages, plainParallel, plainSubgraphTauB, plainTail } from './orders.ts';
import { plainStatistics } from './statistics.ts';
import { bytesOf, filledIn, isFree, replaySupersteps, type Row, type Settings } from './supersteps.ts';

interface Recorded {
  experiment: Settings;
  dataset: Record<string, unknown> & { name: string };
  replayHash: string;
  summary: Record<string, unknown>;
}

export interface Recomputed {
  replayHash: string;
  dataset: Record<string, unknown>;
  /** As in run.json. */
  summary: Record<string, unknown>;
  /** Where the files of the folder contradict one another or the graph. */
  faults: string[];
}

const read = (folder: string): Recorded => JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as Recorded;

function readRows(file: string): Record<string, string>[] {
  const [header, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  const columns = header.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [columns[i], cell])));
}

/** All outcomes of the run in their order: failures stand where `position` says. */
function readOutcomes(
  folder: string, graph: WebGraph, processorOf: readonly number[], faults: string[],
): PlainOutcome[] {
  const order = readFileSync(join(folder, 'order.u32'));
  const times = readFileSync(join(folder, 'times.f64'));
  if (times.length !== 4 * order.length) faults.push('times.f64 does not hold two numbers a page of order.u32');
  const outcomes: PlainOutcome[] = [];
  for (let i = 0; 4 * i < order.length; i++) {
    const page = order.readUInt32LE(4 * i);
    if (page >= graph.pages) faults.push(`order.u32: page ${page} is not in the graph`);
    const processor = processorOf[graph.hosts.ofPage[page] ?? 0];
    outcomes.push({
      page, processor, kind: 'fetched', startedUs: times.readDoubleLE(16 * i),
      finishedUs: times.readDoubleLE(16 * i + 8),
    });
  }
  for (const row of readRows(join(folder, 'failures.csv'))) {
    const [position, processor, page, startedUs, finishedUs] =
      ['position', 'processor', 'page', 'startedUs', 'finishedUs'].map((column) => Number(row[column]));
    if (processor !== processorOf[graph.hosts.ofPage[page]])
      faults.push(`failures.csv: page ${page} is not of processor ${processor}`);
    outcomes.splice(position, 0, { page, processor, kind: row['kind'], startedUs, finishedUs });
  }
  return outcomes;
}

/** Outcomes after which a page is given up: it is not there, may not be had, or was tried too often. */
function failedForGood(outcomes: readonly PlainOutcome[], retries: number): number {
  const tries = new Map<number, number>();
  return outcomes.filter(({ page, kind }) => {
    if (kind === 'notFound' || kind === 'robotsDenied') return true;
    if (!['serverError', 'timeout', 'refused'].includes(kind)) return false;
    tries.set(page, (tries.get(page) ?? 0) + 1);
    return (tries.get(page) ?? 0) > retries;
  }).length;
}

/**
 * R_x and targets of pending jobs that do not follow from the settings and the superstep before; a crash takes them
 * back.
 */
function targetFaults(
  { pending, pendingKeys, robots, superstepMs, superstepLimit, processors, network }: Settings, rows: readonly Row[],
): string[] {
  if ((network?.crashSeconds ?? 0) > 0) return [];
  const least = superstepLimit ?? (superstepMs === 0 ? Math.max(96, 2 * robots) : Math.max(96, 4 * processors));
  // Records of earlier versions do not have the setting.
  const perSecond = pendingKeys === 'follow' ? 10 : 100;
  const timed = Math.max(4 * robots, Math.ceil((perSecond * robots * superstepMs) / 1000));
  const usual = superstepMs === 0 ? 4 * least : timed;
  const fetched = Array.from({ length: processors }, () => 0);
  return rows.flatMap((row, i) => {
    const most = superstepMs === 0 ? 0 : Math.ceil((50 * robots * superstepMs) / 1000);
    const limit = superstepLimit ?? Math.max(least, Math.min(most, Math.ceil(0.1 * fetched[row.processor])));
    fetched[row.processor] += row.pages;
    const last = i < processors ? undefined : rows[i - processors];
    const robotUs = last === undefined ? 0 : last.busyUs + last.stalledUs + last.noJobUs + last.barrierWaitUs;
    const isShort = last !== undefined && last.queued > 0 && last.stalledUs > robotUs / 20;
    const due = pending ?? (last === undefined ? usual : last.pendingTarget * (isShort ? 2 : 1));
    const place = `supersteps.csv: superstep ${row.superstep} of processor ${row.processor}`;
    return [
      ...(row.pendingTarget === due ? [] : [`${place} aims at ${row.pendingTarget} jobs, not ${due}`]),
      ...(row.superstepLimit === limit ? [] : [`${place} has R_x ${row.superstepLimit}, not ${limit}`]),
    ];
  });
}

/** Null without them; otherwise of the pages that had ended by the barrier of their superstep. */
function statisticsOf(
  graph: WebGraph, pages: readonly PlainOutcome[], groups: readonly (readonly Row[])[], recorded: unknown,
): Record<string, unknown> | null {
  if (recorded === null || recorded === undefined) return null;
  const figures = recorded as Record<string, unknown>;
  const barrierUs = groups[Number(figures['atSuperstep'])][0].barrierUs;
  const fetched = pages.filter(({ finishedUs }) => finishedUs <= barrierUs).map(({ page }) => page);
  return plainStatistics(graph, fetched, figures);
}

/** @param scores those that the run was given, if any. */
export function recompute(folder: string, graph: WebGraph, scores?: Float64Array): Recomputed {
  const { experiment, dataset, summary: recorded } = read(folder);
  const { processors, robots, partition, seedPages } = experiment;
  const faults: string[] = [];
  const reached = reachableFrom(graph, seedPages);
  const processorOf = partitionOf(graph, partition, processors, reached, experiment.partitionPoints);
  const outcomes = readOutcomes(folder, graph, processorOf, faults);
  const pages = outcomes.filter(({ kind, page }) => kind === 'fetched' && page < graph.pages);
  const recordedRows = readRows(join(folder, 'supersteps.csv')).map(
    (row) => Object.fromEntries(Object.entries(row).map(([column, cell]) => [column, Number(cell)])) as unknown as Row,
  );
  const rows = filledIn(recordedRows, experiment);
  const replay = replaySupersteps(graph, experiment, processorOf, outcomes, rows);
  faults.push(...replay.faults, ...targetFaults(experiment, rows));

  const supersteps = Math.ceil(rows.length / processors);
  const groups = Array.from({ length: supersteps }, (_, s) => rows.slice(s * processors, (s + 1) * processors));
  const barriers = groups.map((group, s) => ({ barrierUs: group[0].barrierUs, pairs: replay.pairs[s].total }));
  const total = (column: keyof Row): number => rows.reduce((sum, row) => sum + row[column], 0);
  const perProcessor = Array.from({ length: processors }, () => 0);
  for (const { processor } of pages) perProcessor[processor]++;
  const bytes =
    graph.bytes === undefined
      ? total('bytes')
      : outcomes.reduce((sum, outcome) => sum + bytesOf(graph, experiment, outcome), 0);

  const loads = {
    pages: groups.map((group) => group.map((row) => row.pages)),
    bytes: groups.map((group) => group.map((row) => row.bytes)),
    busy: groups.map((group) => group.map((row) => row.busyUs)),
    extract: groups.map((group) => group.map((row) => row.extractComparisons)),
    insert: groups.map((group) => group.map((row) => row.insertComparisons)),
  };
  const balances = Object.entries(loads).map(([name, load]) => [name, plainBalance(load)] as const);

  const virtualUs = barriers.at(-1)?.barrierUs ?? 0;
  const robotUs = processors * robots * virtualUs;
  const share = (column: keyof Row): number => total(column) / robotUs;
  // What is in flight at the end has no times on record.
  const busyUs = replay.inFlight > 0
    ? total('busyUs')
    : outcomes.reduce((sum, { startedUs, finishedUs }) => sum + finishedUs - startedUs, 0);

  const hostPages = new Map<number, { pages: number; us: number }>();
  const turns = outcomes.filter((outcome) => outcome.kind !== 'busy' && !isFree(experiment, outcome));
  // A failed attempt takes its time and its delay too.
  for (const { page, startedUs, finishedUs } of turns) {
    const host = graph.hosts.ofPage[page];
    const sum = hostPages.get(host) ?? { pages: 0, us: 0 };
    hostPages.set(host, { pages: sum.pages + 1, us: sum.us + finishedUs - startedUs });
  }
  const bounds = [...hostPages]
    .map(([host, sum]) => ({ host, us: (sum.pages - 1) * Math.round(1000 * experiment.politenessMs) + sum.us }))
    .sort((a, b) => b.us - a.us || a.host - b.host);

  // With patience the record does not say which failures were those of a host: the rows do, as sums.
  const hasPatience = (experiment.hostPatienceMs ?? 0) > 0;
  const failed = hasPatience ? outcomes.length - pages.length - total('retried') + total('dropped')
    : failedForGood(outcomes, experiment.retries ?? 0);
  const sent = {
    pairs: replay.pairs.reduce((sum, { total: pairs }) => sum + pairs, 0),
    messages: replay.pairs.reduce((sum, { messages }) => sum + messages, 0),
  };
  const sentBytes = sent.messages * experiment.messageHeaderBytes + sent.pairs * experiment.pairBytes;

  const order = pages.map(({ page }) => page);
  const ranks = plainPageRank(graph);
  const finishedUs = pages.map((outcome) => outcome.finishedUs);
  const isWhole = ['frontier dry', 'page limit'].includes(replay.ended);
  const horizonPages = isWhole ? experiment.maxPages ?? Infinity : Math.max(1, order.length);
  const quality = plainQuality(ranks, reached, order, finishedUs, horizonPages);
  const hostsOf = (some: readonly number[]): number => new Set(some.map((page) => graph.hosts.ofPage[page])).size;
  const delayUs = Math.round(1000 * experiment.politenessMs);
  const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
  return {
    replayHash: plainReplayHash(outcomes, barriers),
    dataset: {
      name: graph.name, pages: graph.pages, arcs: graph.arcs, hosts: graph.hosts.count,
      hostsAreSynthetic: graph.hosts.synthetic, ...('hostGraph' in dataset ? { hostGraph: plainHostGraph(graph) } : {}),
    },
    summary: {
      ended: replay.ended,
      statistics: statisticsOf(graph, pages, groups, recorded['statistics']),
      pagesFetched: pages.length,
      ...plainGathered(ranks, reached, order, finishedUs),
      hosts: {
        fetched: hostsOf(order), reachable: hostsOf([...reached.keys()].filter((page) => reached[page] === 1)),
      },
      // test/bench/answers/limits.test.ts judges it, by runs with more of each limit: copied.
      limits: recorded['limits'],
      pagesFailed: failed,
      outcomesRetried: outcomes.length - pages.length - failed + total('dropped'),
      failuresByKind: outcomes
        .filter(({ kind }) => kind !== 'fetched')
        .reduce<Record<string, number>>((sums, { kind }) => ({ ...sums, [kind]: (sums[kind] ?? 0) + 1 }), {}),
      // The loss of a processor is reported by the run alone: copied.
      crashes: recorded['crashes'],
      pagesInFlight: replay.inFlight,
      reachablePages: reached.reduce((sum, one) => sum + one, 0),
      supersteps,
      superstepLimit: Math.max(...rows.map((row) => row.superstepLimit)),
      minSuperstepLimit: Math.min(...rows.map((row) => row.superstepLimit)),
      // Only the run knows what it was given: copied.
      superstepLimitOrigin: recorded['superstepLimitOrigin'],
      pendingTarget: {
        min: Math.min(...rows.map((row) => row.pendingTarget)), max: Math.max(...rows.map((row) => row.pendingTarget)),
        origin: (recorded['pendingTarget'] as { origin: string }).origin,
      },
      pendingShare: ratio(total('pending'), total('pending') + total('queued')),
      virtualSeconds: virtualUs / 1e6,
      bytes,
      meanExtracted: total('extracted') / rows.length,
      staleRatio: ratio(total('stale'), total('extracted')),
      pagesPerProcessor: perProcessor,
      quality,
      hotPages: plainHotPages(ranks, reached, order, quality.horizonPages),
      parallel: plainParallel(ranks, reached, outcomes, sent.pairs),
      harvest: scores === undefined ? null : plainHarvest(scores, reached, order, finishedUs, horizonPages),
      subgraphTauB: experiment.measures === 'all' ? plainSubgraphTauB(graph, order, ranks) : null,
      tail: replay.ended === 'frontier dry' ? plainTail(turns, graph.hosts.ofPage, processors, delayUs) : null,
      balance: {
        ...Object.fromEntries(balances.map(([name, { ofMeans }]) => [name, ofMeans])),
        pagesWholeRun: ratio(pages.length / processors, Math.max(...perProcessor)),
        meanOfRatios: Object.fromEntries(balances.map(([name, { meanOfRatios }]) => [name, meanOfRatios])),
      },
      communication: {
        crossLinksPerPage: ratio(replay.crossLinks, pages.length), pairsPerPage: ratio(sent.pairs, pages.length),
        messages: sent.messages, messagesPerPage: ratio(sent.messages, pages.length), bytes: sentBytes,
        bytesPerPage: ratio(sentBytes, pages.length),
      },
      bsp: {
        comparisons: groups.reduce(
          (sum, group) => sum + Math.max(...group.map((row) => row.insertComparisons + row.extractComparisons)), 0,
        ),
        pairs: replay.pairs.reduce((sum, { h }) => sum + h, 0),
        messages: replay.pairs.reduce((sum, { mostMessages }) => sum + mostMessages, 0),
        supersteps,
      },
      queueStructureMost: rows.reduce((most, row) => Math.max(most, row.queueStructure), 0),
      queueIo: {
        reads: rows.reduce((sum, row) => sum + row.queueReads, 0),
        writes: rows.reduce((sum, row) => sum + row.queueWrites, 0),
      },
      robots: {
        busy: busyUs / robotUs, stalled: share('stalledUs'), noJob: share('noJobUs'), barrier: share('barrierWaitUs'),
      },
      lowerBoundSeconds: (bounds.at(0)?.us ?? 0) / 1e6,
      lowerBoundHost: bounds.length === 0 ? '' : graph.hosts.names.at(bounds[0].host),
      partition: { ...modularityOf(graph, processorOf), ...largestHostOf(graph, reached, processors) },
    },
    faults,
  };
}

function flatten(value: unknown, path: string, into: Map<string, unknown>): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return into.set(path, value);
  for (const [key, inner] of Object.entries(value)) flatten(inner, path === '' ? key : `${path}.${key}`, into);
  return into;
}

/** Every figure by name, as recorded and as recomputed, and whether they agree. */
export function figures(
  folder: string, recomputed: Recomputed,
): { name: string; recorded: unknown; recomputed: unknown; agree: boolean }[] {
  const { replayHash, summary, dataset } = read(folder);
  const facts = Object.fromEntries(Object.entries(dataset).filter(([name]) => name !== 'sha256'));
  const old = flatten({ replayHash, dataset: facts, summary }, '', new Map());
  const own = flatten(
    { replayHash: recomputed.replayHash, dataset: recomputed.dataset, summary: recomputed.summary }, '', new Map(),
  );
  return [...new Set([...old.keys(), ...own.keys()])].map((name) => {
    const [a, b] = [old.get(name), own.get(name)];
    // The PageRank of a subgraph is solved to 1e-9, and pairs of pages almost equal may turn over.
    const slack = name === 'summary.subgraphTauB' ? 1e-5 : 1e-9;
    const areRatios = typeof a === 'number' && typeof b === 'number' && !(Number.isInteger(a) && Number.isInteger(b));
    return {
      name, recorded: a, recomputed: b,
      agree: areRatios ? Math.abs(a - b) <= slack * Math.max(1, Math.abs(b)) : a === b,
    };
  });
}

/** Differences between what the folder records and what was recomputed, and contradictions between its files. */
export function compare(folder: string, recomputed: Recomputed): string[] {
  const differences = figures(folder, recomputed).filter(({ agree }) => !agree);
  return [
    ...differences.map(
      ({ name, recorded, recomputed: own }) => `${name}: recorded ${String(recorded)}, recomputed ${String(own)}`,
    ),
    ...recomputed.faults,
  ];
}

async function main([folder, graphName, scoresFile]: readonly (string | undefined)[]): Promise<number> {
  if (folder === undefined) {
    stdout.write('usage: node --import tsx test/recompute/recompute.ts RUN_FOLDER [GRAPH [SCORES.f64]]\n');
    return 2;
  }
  const graph = await openGraph(graphName ?? read(folder).dataset.name);
  const bytes = scoresFile === undefined ? undefined : readFileSync(scoresFile);
  const scores = bytes && Float64Array.from({ length: bytes.length / 8 }, (_, i) => bytes.readDoubleLE(8 * i));
  const recomputed = recompute(folder, graph, scores);
  for (const { name, recorded, recomputed: own, agree } of figures(folder, recomputed)) {
    stdout.write(`${agree ? ' ' : '!'} ${name.padEnd(40)} ${String(recorded).padEnd(24)} ${String(own)}\n`);
  }
  for (const fault of recomputed.faults) stdout.write(`! ${fault}\n`);
  return compare(folder, recomputed).length > 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) exit(await main(argv.slice(2)));
