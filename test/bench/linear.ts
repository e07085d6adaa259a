import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alternate, machine } from '../../src/questions/bench/index.ts';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { writeOwgRows } from '../../src/graphs/formats/index.ts';
import { simulate, trueRanks } from '../../src/core/engine/index.ts';
import { copying, copyingDefaults, defaultSeeds, prepare, type WebGraph } from '../../src/graphs/graph/index.ts';
import { recordFiles } from '../../src/core/measure/index.ts';
import { shownHtml, type Shown, type ShownReport } from '../../src/views/report/index.ts';
import { opicCrawl } from './simulate.ts';

/** The whole simulation, and the bare OPIC crawl beside it, of one generated graph. */
export interface LinearCase {
  readonly arcs: number;
  readonly pages: number;
  readonly pagesFetched: number;
  /** Medians over rounds in which both take turns. */
  readonly simulationMs: number;
  readonly bareMs: number;
  readonly ratio: { readonly median: number; readonly min: number; readonly max: number };
}

const arcsAPage = 10;

/**
 * Whether time is linear in arcs: graphs of the copying model, ten arcs a page, from small to large. Graph and true
 * PageRank are made before the clock starts.
 */
export async function benchLinear(
  arcCounts: readonly number[], rounds: number, report: (row: LinearCase) => void,
): Promise<LinearCase[]> {
  const cases: LinearCase[] = [];
  for (const arcs of arcCounts) {
    const graph = await generated(arcs);
    const prepared = prepare(graph);
    trueRanks(prepared);
    const { seeds } = defaultSeeds(graph);
    let pagesFetched = 0;
    const { cases: [whole, bare] } = await alternate([
      {
        name: 'whole simulation',
        run: async () => {
          const result = await simulate(prepared, {});
          pagesFetched = result.run.summary.pagesFetched;
          let bytes = 0;
          for (const content of recordFiles(result).values()) bytes += content.length;
          return bytes;
        },
      },
      { name: 'bare OPIC crawl', run: () => opicCrawl(graph, seeds) },
    ], rounds);
    if (bare.ratio === undefined) throw new Error('alternate compared nothing');
    const row = {
      arcs, pages: graph.pages, pagesFetched, simulationMs: whole.median, bareMs: bare.median, ratio: bare.ratio,
    };
    report(row);
    cases.push(row);
  }
  return cases;
}

/** By way of a file, so that what the generator holds is given back before anything is timed. */
async function generated(arcs: number): Promise<WebGraph> {
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-linear-'));
  try {
    const path = join(folder, 'graph.owg');
    await writeOwgRows(copying({ ...copyingDefaults, pages: Math.ceil(arcs / arcsAPage), arcs, seed: 1 }), path);
    return await openGraph(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** 1e7. */
const short = (arcs: number): string => arcs.toExponential().replace('+', '');

const nsAnArc = ({ arcs, simulationMs }: LinearCase): number => (1e6 * simulationMs) / arcs;

export function showLinear(cases: readonly LinearCase[]): Shown {
  const costs = cases.map(nsAnArc);
  const points = (ms: (row: LinearCase) => number) => cases.map((row) => ({ x: row.arcs, y: ms(row) / 1000 }));
  const middle = cases[cases.length >> 1];
  return {
    paragraphs: [
      `From ${short(cases[0].arcs)} to ${short(cases[cases.length - 1].arcs)} arcs the whole simulation takes ` +
        `${Math.min(...costs).toFixed(0)} to ${Math.max(...costs).toFixed(0)} ns an arc.`,
    ],
    tables: [
      {
        name: 'linear',
        caption:
          'Medians over rounds; x: time as a multiple of the bare OPIC crawl in exact order, median, least and most of the rounds',
        columns: [
          { name: 'arcs' }, { name: 'pages' }, { name: 'pages fetched' }, { name: 'simulation ms' },
          { name: 'ns an arc', digits: 1 }, { name: 'bare crawl ms', digits: 1 }, { name: 'x', digits: 2 },
          { name: 'x min', digits: 2 }, { name: 'x max', digits: 2 },
        ],
        rows: cases.map((row) => [
          row.arcs, row.pages, row.pagesFetched, row.simulationMs, nsAnArc(row), row.bareMs, row.ratio.median,
          row.ratio.min, row.ratio.max,
        ]),
      },
    ],
    charts: [
      {
        title: 'Time against arcs',
        isSynthetic: true,
        x: { label: 'arcs', scale: 'log' },
        y: { label: 'seconds', scale: 'log' },
        series: [
          { name: 'whole simulation', points: points(({ simulationMs }) => simulationMs) },
          { name: 'bare OPIC crawl', points: points(({ bareMs }) => bareMs) },
          // Linear time is a line of slope 1: through the middle case, to be held beside the measured one.
          {
            name: 'whole simulation if linear', isReference: true,
            points: points(({ arcs }) => (nsAnArc(middle) * arcs) / 1e6),
          },
        ],
      },
    ],
    notes: [
      'Copying model (Kumar et al., FOCS 2000) with hosts, ten arcs a page: generated, no web. P = 8, r = 4, the default network, politeness and OPIC; ' +
        'measures and the run record are in the time, the graph and its true PageRank are not.',
    ],
  };
}

export async function writeLinear(cases: readonly LinearCase[], rounds: number, path: string): Promise<void> {
  const report: ShownReport = {
    title: 'Time of a simulation against arcs',
    circumstances: [`${machine()}; ${rounds} ${rounds === 1 ? 'round' : 'rounds'}.`],
    warning: null,
    command: `npm run bench -- linear ${cases.map(({ arcs }) => short(arcs)).join(',')} ${rounds} --out ${path}`,
    parts: [{ name: 'linear', title: 'Is time linear in arcs?', shown: showLinear(cases) }],
    notes: [],
  };
  await writeFile(path, shownHtml(report));
}
