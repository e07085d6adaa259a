import { decimalText } from '../../../base/index.ts';
import { type Chart, columns, type Shown, type ShownTable } from '../part.ts';
import { isAlgorithm1, type Kind } from './entrants.ts';
import type { ClosureSpace, GraphbenchCase, GraphbenchReport } from './result.ts';
import { bitBytes, byteBytes, figure12Pages } from './space.ts';
import { figureNumbers } from './spawc-graphs.ts';

export interface GraphbenchPart {
  /** Anchor and name of its CSV file. */
  readonly name: string;
  readonly title: string;
  readonly shown: Shown;
}

/** SPAWC's, that the same cases are held against. */
const claims: Readonly<Record<Kind, string>> = {
  distances: 'SPAWC found Algorithm 1 faster than Ausiello et al. on sparse graphs and the cubic sequence, slower on ' +
    'complete ones.',
  components: 'SPAWC found blocks of 64 bits faster than narrower ones on every graph.',
};

const titles: Readonly<Record<Kind, string>> = {
  distances: 'Distances between all pages', components: 'Strong components',
};
const kinds = ['distances', 'components'] as const;

/** The answer: which algorithm is the fastest on which graph, of those that are right after every arc. */
export function answerOf({ cases }: GraphbenchReport): string {
  const sentences = kinds.flatMap((kind) => {
    const best = fastest(cases.filter((row) => row.kind === kind && row.threshold === 1));
    return best === undefined ? [] : [`${titles[kind]}, fastest: ${best}.`];
  });
  return sentences.length === 0 ? 'Nothing was measured.' : sentences.join(' ');
}

/** "Johnson on sc1, sc2; Tarjan on sc3": of each graph, the fastest of these; undefined if none was measured. */
function fastest(cases: readonly GraphbenchCase[]): string | undefined {
  const best = new Map<string, string[]>();
  for (const graph of new Set(cases.map((row) => row.graph))) {
    const [first] = cases
      .filter((row) => row.graph === graph && row.median !== null && row.isValid !== false)
      .sort((a, b) => a.median! - b.median!) as readonly (GraphbenchCase | undefined)[];
    if (first !== undefined) best.set(first.title, [...(best.get(first.title) ?? []), graph]);
  }
  return best.size === 0 ? undefined
    : [...best].map(([title, graphs]) => `${title} on ${graphs.join(', ')}`).join('; ');
}

/** Tables, and charts like SPAWC's figures 9, 12, 14 and 15. */
export function graphbenchShown(report: GraphbenchReport): GraphbenchPart[] {
  const { cases, space } = report;
  return [
    ...kinds.flatMap((kind) => {
      const some = cases.filter((row) => row.kind === kind);
      return some.length === 0 ? [] : [{
        name: kind, title: titles[kind],
        shown: {
          paragraphs: [...findings(kind, some), ...batches(some)], tables: [tableOf(kind, some, report)],
          charts: kind === 'distances' ? figure9(some) : [...figure14(some), ...figure15(some)],
        },
      }];
    }),
    ...(space === null || space.length === 0 ? [] : [spacePart(space)]),
  ];
}

/** SPAWC's findings, held against ours. */
function findings(kind: Kind, cases: readonly GraphbenchCase[]): string[] {
  const [first, other] = kind === 'distances' ? [4, 3] : [7, 4];
  return compared(cases, ({ number }) => number === first, ({ number }) => number === other, claims[kind]);
}

/** Batch algorithms are right only every so many arcs, and therefore no answer. */
function batches(cases: readonly GraphbenchCase[]): string[] {
  const some = cases.filter(({ threshold }) => threshold > 1);
  const best = fastest(some);
  return best === undefined ? []
    : [`Fastest of those that are right only after every ${decimalText(some[0].threshold, 0)} arcs: ${best}.`];
}

type IsOf = (row: GraphbenchCase) => boolean;

function compared(cases: readonly GraphbenchCase[], isOne: IsOf, isOther: IsOf, claim: string): string[] {
  const pairs = [...new Set(cases.map(({ graph }) => graph))].flatMap((graph) => {
    const here = cases.filter((row) => row.graph === graph);
    const [one, other] = [here.find(isOne), here.find(isOther)];
    return one === undefined || other === undefined ? [] : [{ graph, one, other }];
  });
  if (pairs.length === 0) return [];
  const [{ one: { title }, other: { title: otherTitle } }] = pairs;
  const list = pairs.map(({ graph, one, other }) => {
    if (one.median !== null && other.median !== null) return `${graph} ${(other.median / one.median).toFixed(2)}`;
    const ended = one.median !== null ? title : other.median !== null ? otherTitle : 'neither';
    return `${graph} (only ${ended} ended)`.replace('only neither', 'neither');
  });
  return [`${claim} Here, times of ${otherTitle} over those of ${title}: ${list.join(', ')}.`];
}

function tableOf(
  kind: Kind, cases: readonly GraphbenchCase[], { graphs, timeoutSeconds }: GraphbenchReport,
): ShownTable {
  const headings = new Map(graphs.map(({ name, pages, arcs, density, isSynthetic, description }) => [
    name,
    `${name}: ${decimalText(pages, 0)} pages, ${decimalText(arcs, 0)} arcs (${(100 * density).toFixed(2)} %), ` +
      `${description}${isSynthetic ? ' (synthetic)' : ''}`,
  ]));
  return {
    name: kind,
    caption: 'Time for all arcs, medians; "x" is the time of Algorithm 1 over that of the row; spread is max - min over the median.',
    sections: 1,
    columns: columns(
      'graph', 'algorithm', 'no.', ['ms', 4], ['us/arc', 3], ['MB', 3], ['spread %', 1], ['x', 3], 'remark',
    ),
    rows: cases.map((row) => [
      headings.get(row.graph)!, row.title, row.number, row.median, row.usPerArc,
      row.bytes === null ? null : row.bytes / 1e6,
      row.median === null || row.trials < 2 ? null : (100 * (row.max! - row.min!)) / row.median,
      isAlgorithm1(row) && row.median !== null ? 1 : row.ratio?.median ?? null, remarkOf(row, timeoutSeconds),
    ]),
  };
}

function remarkOf(row: GraphbenchCase, timeoutSeconds: number): string {
  if (row.state === 'timed out') return `timed out after ${timeoutSeconds} s`;
  if (row.state === 'refused') return `refused: ${row.reason}`;
  const validity = row.isValid === null ? [] : [row.isValid ? 'right' : `WRONG: ${row.wrong}`];
  const runs = row.isWarm ? `${row.trials} ${row.trials === 1 ? 'run' : 'runs'}` : '1 run, not warmed up';
  return [runs, ...validity].join(', ');
}

/** Times by SPAWC's number of the graph. @param some - which of the cases. */
function byGraph(title: string, some: readonly GraphbenchCase[], nameOf: (row: GraphbenchCase) => string): Chart[] {
  const rows = some.filter(({ graph, median }) => median !== null && Object.hasOwn(figureNumbers, graph));
  if (rows.length === 0) return [];
  return [{
    title: `${title}; graphs ${Object.entries(figureNumbers).map(([name, number]) => `${number} ${name}`).join(', ')}`,
    isSynthetic: true, isScatter: true,
    x: { label: 'SPAWC\'s number of the graph', scale: 'linear' }, y: { label: 'seconds for all arcs', scale: 'log' },
    series: [...new Set(rows.map(nameOf))].map((name) => ({
      name,
      points: rows
        .filter((row) => nameOf(row) === name)
        .map((row) => ({
          x: figureNumbers[row.graph], y: row.median! / 1000,
          remark: `${row.graph}, ${[row.min!, row.max!].map((ms) => (ms / 1000).toPrecision(3)).join(' to ')} s`,
        }))
        .sort((a, b) => a.x - b.x),
    })),
  }];
}

function figure9(cases: readonly GraphbenchCase[]): Chart[] {
  return byGraph('Figure 9: distances', cases, ({ title }) => title);
}

const widths: Readonly<Record<number, string>> = { 4: '8 bits', 5: '16 bits', 6: '32 bits', 7: '64 bits' };

function figure14(cases: readonly GraphbenchCase[]): Chart[] {
  const ofWidths = cases.filter(({ number }) => number !== null && number in widths);
  return byGraph('Figure 14: Algorithm 1 by the width of its blocks', ofWidths, ({ number }) => widths[number!]);
}

function figure15(cases: readonly GraphbenchCase[]): Chart[] {
  const others = cases.filter((row) => isAlgorithm1(row) || !(row.number !== null && row.number in widths));
  return byGraph('Figure 15: components', others, ({ title }) => title);
}

function spacePart(space: readonly ClosureSpace[]): GraphbenchPart {
  const further = [16_000, 32_000, 64_000, 125_000, figure12Pages];
  const series = [
    { name: 'matrix of bits', bytes: ({ bitBytes: bytes }: ClosureSpace) => bytes, formula: bitBytes },
    { name: 'matrix of bytes', bytes: ({ byteBytes: bytes }: ClosureSpace) => bytes, formula: byteBytes },
  ];
  return {
    name: 'space', title: 'Figure 12: space of the transitive closure',
    shown: {
      paragraphs: [
        `Measured up to ${decimalText(space[space.length - 1].pages, 0)} pages; beyond, hollow, by the formulas n^2 / 8 and n^2 bytes.`,
      ],
      tables: [{
        name: 'space', caption: 'MB of the closure, measured and by formula',
        columns: columns('pages', ['bits', 3], ['n^2 / 8', 3], ['bytes', 3], ['n^2', 3]),
        rows: space.map(({ pages, ...row }) => [
          pages, row.bitBytes / 1e6, bitBytes(pages) / 1e6, row.byteBytes / 1e6, byteBytes(pages) / 1e6,
        ]),
      }],
      charts: [{
        title: 'Bytes by pages', isSynthetic: true,
        x: { label: 'pages', scale: 'log' }, y: { label: 'MB', scale: 'log' },
        series: series.map(({ name, bytes, formula }) => ({
          name,
          points: [
            ...space.map((row) => ({ x: row.pages, y: bytes(row) / 1e6 })),
            ...further.map((pages) => ({ x: pages, y: formula(pages) / 1e6, isModelled: true })),
          ],
        })),
      }],
    },
  };
}
