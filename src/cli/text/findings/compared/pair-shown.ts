import type { Cell } from '../../../../questions/study/index.ts';
import { runFigures } from '../../../../core/measure/figures/index.ts';
import { failuresInWords, type OrderAgreement, type Quality, type RunSummary } from '../../../../core/measure/index.ts';
import { thin, type Chart, type Point, type Shown, type ShownTable } from '../../../../views/report/index.ts';
import {
  recorded, secondsToPages, type Both, type Judged, type Pair, type PairOrder, type Side,
} from '../../../../questions/compare/index.ts';
import { whyNoOrder } from './pair-files.ts';
import { clock, counted, decimal, grouped, percent } from '../../figures.ts';
import { printableShort } from '../../printable.ts';

const maxPoints = 600;

export function pairShown(
  pair: Pair, judged: Judged | undefined, missing: ReadonlyMap<string, string>,
): Shown {
  const { sides, order } = pair;
  const [shared, ...agreed] =
    'why' in order ? [`Their orders are not compared: ${whyNoOrder(order, missing)}.`] : orderInWords(sides, order);
  return {
    // Time before agreement, in the order of the charts.
    paragraphs: [...subject(pair), shared, ...timeInWords(pair), ...agreed],
    tables: [
      timeTable(sides), shareTable(sides, judged), requestTable(sides),
      ...('why' in order ? [] : processorTables(sides, order)),
    ],
    charts: [pagesChart(sides), ...('why' in order ? [] : [placesChart(sides, order)])],
  };
}

function subject({ isPrediction, isByUrl, sides: [first, second], order }: Pair): string[] {
  const lead = isPrediction
    ? [verdict([first, second], order), `The prediction is ${first.label}, the fact ${second.label}.`] : [];
  if ('why' in order) return lead;
  const unknown = order.orders[1].reduce(
    (count, page) => count + (first.prepared !== undefined && page >= first.prepared.graph.pages ? 1 : 0), 0,
  );
  const judge = `Both are judged by the PageRank of the graph of ${first.label}`;
  return [
    ...lead,
    ...(!isByUrl
      ? []
      : [
          `They are of different graphs, whose pages are matched by URL. ${judge}` +
            (unknown === 0
              ? '.'
              : `; ${counted(unknown, 'page')} of ${second.label} ${unknown === 1 ? 'is' : 'are'} not in it and count as 0.`),
        ]),
  ];
}

function verdict(sides: Both<Side>, order: Pair['order']): string {
  const [predicted, actual] = eachOf(sides, ({ run }) => run.summary.virtualSeconds);
  const time = predicted === null || actual === null || actual === 0 ? []
    : [`its time is off by ${percent(Math.abs(predicted / actual - 1))} of the crawl's`];
  if ('why' in order) return `The prediction beside the crawl: ${[...time, 'orders not compared'].join(', ')}.`;
  const { common, firstOnly, secondOnly, tauB } = order.agreement;
  return `The prediction beside the crawl: ${[
    ...time, `${percent(common / Math.max(1, common + firstOnly + secondOnly))} of the pages are common`,
    ...(tauB === null ? [] : [`their orders agree with a tau-b of ${fixedTau(tauB)} (1: the same order)`]),
  ].join(', ')}.`;
}

function orderInWords([first, second]: Both<Side>, { agreement, nameOf }: PairOrder): string[] {
  const {
    common, firstOnly, secondOnly, tauB, samePrefix, divergence, meanDisplacement, mostDisplacement,
    uniformDisplacement,
  } = agreement;
  const union = common + firstOnly + secondOnly;
  if (common === 0) return ['They have no page in common.'];
  const shared =
    union === common
      ? `Both fetched the same ${counted(common, 'page')}.`
      : `Both fetched ${counted(common, 'page')}, ${percent(common / union)} of the pages that either did; ${first.name} alone ${grouped(firstOnly)}, ${second.name} alone ${grouped(secondOnly)}.`;
  if (divergence === null) return [`${shared} The order is the same, page by page.`];
  const at = (page: number | null): string =>
    page === null ? 'had ended' : `fetched ${printableShort(nameOf(page), 100)}`;
  return [
    `${shared} ${prefixInWords(samePrefix)}: as page ` +
      `${grouped(divergence.place + 1)}, ${first.name} ${at(divergence.first)}, ${second.name} ${at(divergence.second)}.`,
    ...(tauB === null
      ? []
      : [
          `Kendall's tau-b of the common pages is ${fixedTau(tauB)} (1: the same order, 0: unrelated orders, -1: the reverse order). A page is off by ` +
            `${decimal(meanDisplacement, 1)} places on average, ${percent(meanDisplacement! / uniformDisplacement!)} of what a random order would give, and by ` +
            `${grouped(mostDisplacement!)} at most.`,
        ]),
  ];
}

/** Never rounds to 1 or -1. */
function fixedTau(tau: number): string {
  const text = decimal(tau, 3);
  return Math.abs(tau) < 1 && Math.abs(Number(text)) === 1 ? decimal(Math.sign(tau) * 0.9999, 4) : text;
}

function timeInWords({ isPrediction, sides: [first, second] }: Pair): string[] {
  const [firstTime, other] = eachOf([first, second], ({ run }) => run.summary.virtualSeconds);
  if (firstTime === null || other === null || firstTime === 0) return [];
  // A prediction is measured by the crawl, as in the verdict; other runs by the first.
  const [time, base] = isPrediction ? [firstTime, other] : [other, firstTime];
  const off = base === 0 ? 0 : Math.abs(time / base - 1);
  const difference = off < 0.0005 ? 'the same'
    : `${isPrediction ? 'the prediction is ' : ''}${percent(off)} ${time > base ? 'more' : 'less'} than ` +
      (isPrediction ? 'the crawl took' : first.name);
  return [
    `${isPrediction ? 'It was predicted to take' : `${first.name} took`} ${clock(firstTime)}, ` +
      `${isPrediction ? 'and' : second.name} took ${clock(other)}: ${difference}.`,
  ];
}

/** One row per figure, one column per side, and their ratio. */
function sideTable(
  name: string, caption: string, digits: number, [first, second]: Both<Side>,
  rows: readonly (readonly [string, ...Both<Cell>])[],
): ShownTable {
  return {
    name, caption,
    columns: [{ name: '' }, { name: first.name, digits }, { name: second.name, digits }, { name: 'ratio', digits: 3 }],
    rows: rows.map(([what, value, other]): Cell[] => [
      what, value, other, typeof value !== 'number' || typeof other !== 'number' || value === 0 ? null : other / value,
    ]),
  };
}

function timeTable(sides: Both<Side>): ShownTable {
  const [firsts, other] = secondsToPages(sides);
  return sideTable(
    'time',
    `Seconds until that many pages were fetched, and in total; ratio: ${sides[1].name} / ${sides[0].name}`,
    2,
    sides,
    [
      ...firsts.map(
        ({ share, pages, seconds }, i) =>
          [`${100 * share} % of the pages (${grouped(pages)})`, seconds, other[i].seconds] as const,
      ),
      ['total', ...eachOf(sides, ({ run }) => run.summary.virtualSeconds)],
    ],
  );
}

function eachOf(sides: Both<Side>, value: (side: Side) => number | null): [number | null, number | null] {
  return [recorded(() => value(sides[0])), recorded(() => value(sides[1]))];
}

/**
 * The same, and "none" if the run has no such figure; what a record of another version does not say is left
 * out.
 */
function eachOrNone(sides: Both<Side>, value: (side: Side) => number | null): Both<Cell> {
  // No record contains NaN: JSON has none.
  const cells = eachOf(sides, (side) => value(side) ?? NaN).map((cell) => (Number.isNaN(cell) ? 'none' : cell));
  return [cells[0], cells[1]];
}

function downloadSeconds(times: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < times.length; i += 2) sum += times[i + 1] - times[i];
  return sum / 1e6;
}

function shareTable(sides: Both<Side>, judged: Judged | undefined): ShownTable {
  const of = (value: (summary: RunSummary) => number | null): Both<Cell> =>
    eachOrNone(sides, ({ run }) => value(run.summary));
  const quality = (value: (quality: Quality) => number | null): Both<Cell> =>
    eachOrNone(sides, (side) => value(judged?.[sides.indexOf(side)].quality ?? side.run.summary.quality));
  // Areas over different numbers of pages have no ratio.
  const horizons = new Set(sides.map(({ run }) => recorded(() => run.summary.quality.horizonPages)));
  const over = judged === undefined ? '' : `, first ${counted(judged[0].quality.horizonPages, 'page')}`;
  return sideTable(
    'shares',
    'Quality of the order, balance of the work (mean over maximum per superstep), and how robots spent their time',
    3,
    sides,
    [
      ...(judged === undefined && horizons.size > 1 ? [] : [
        [`${runFigures.pagerankArea.title}${over}`, ...quality(({ pagerankArea }) => pagerankArea)] as const,
        [`${runFigures.normalisedGain.title}${over}`, ...quality(({ normalisedGain }) => normalisedGain)] as const,
      ]),
      [runFigures.balancePages.title, ...of(({ balance }) => balance.pages)],
      [runFigures.balanceWholeRun.title, ...of(({ balance }) => balance.pagesWholeRun)],
      [runFigures.balanceBytes.title, ...of(({ balance }) => balance.bytes)],
      [runFigures.robotsBusy.title, ...of(({ robots }) => robots.busy)],
      ['robots stalled', ...of(({ robots }) => robots.stalled)],
      ['robots without a job', ...of(({ robots }) => robots.noJob)],
      ['robots at the barrier', ...of(({ robots }) => robots.barrier)],
    ],
  );
}

function requestTable(sides: Both<Side>): ShownTable {
  const of = (value: (summary: RunSummary) => number): [number | null, number | null] =>
    eachOf(sides, ({ run }) => value(run.summary));
  const kinds = new Set(sides.flatMap(({ run }) => failures(run.summary).map(({ words }) => words)));
  const count =
    (words: string) =>
    (summary: RunSummary): number =>
      failures(summary).find((failure) => failure.words === words)?.count ?? 0;
  return sideTable('requests', 'Requests, and outcomes of those that returned no page', 0, sides, [
    ['pages fetched', ...of(({ pagesFetched }) => pagesFetched)],
    ['bytes', ...of(({ bytes }) => bytes)],
    // A mean, not a sum: robots download side by side.
    ['mean download of a page, ms', ...eachOf(sides, ({ events: { times, order } }) =>
      (order.length === 0 ? null : 1000 * downloadSeconds(times) / order.length))],
    ['supersteps', ...of(({ supersteps }) => supersteps)],
    ...[...kinds].map((words) => [words, ...of(count(words))] as const),
    ['pages given up', ...of(({ pagesFailed }) => pagesFailed)],
  ]);
}

/** A record of another version may not say. */
function failures(summary: Partial<RunSummary>): ReturnType<typeof failuresInWords> {
  const { failuresByKind = {} } = summary;
  return failuresInWords({ failuresByKind });
}

function processorTables([first, second]: Both<Side>, { processors, nameOf }: PairOrder): ShownTable[] {
  if ('why' in processors) return [];
  const at = (page: number | null): string => (page === null ? '' : nameOf(page));
  return [
    {
      name: 'processors',
      caption: 'The order of each processor',
      columns: [
        { name: 'processor' },
        { name: 'pages of both' },
        { name: `${first.name} alone` },
        { name: `${second.name} alone` },
        { name: 'tau-b', digits: 3 },
        { name: 'same start' },
        { name: `then ${first.name}` },
        { name: `then ${second.name}` },
      ],
      rows: processors.map(
        ({ common, firstOnly, secondOnly, tauB, samePrefix, divergence }: OrderAgreement, processor): Cell[] => [
          processor, common, firstOnly, secondOnly, tauB, samePrefix, at(divergence?.first ?? null),
          at(divergence?.second ?? null),
        ],
      ),
    },
  ];
}

/** The place of each nth page in both orders: on the diagonal where the orders agree. */
function placesChart(sides: Both<Side>, { orders, nameOf }: PairOrder): Chart {
  const placeOf = new Map<number, number>();
  orders[0].forEach((page, place) => placeOf.set(page, place));
  const step = Math.max(1, Math.ceil(orders[1].length / maxPoints));
  const points: Point[] = [];
  orders[1].forEach((page, place) => {
    const first = placeOf.get(page);
    if (place % step === 0 && first !== undefined) points.push({ x: first + 1, y: place + 1, remark: nameOf(page) });
  });
  return {
    title: `Places of pages in both orders${step === 1 ? '' : `, every ${grouped(step)} pages`}`,
    isSynthetic: false,
    isScatter: true,
    x: { label: `place, ${sides[0].name}`, scale: 'linear' },
    y: { label: `place, ${sides[1].name}`, scale: 'linear' },
    series: [{ name: 'pages of both', points }],
  };
}

function pagesChart(sides: Both<Side>): Chart {
  return {
    title: 'Pages fetched over time', isSynthetic: false,
    x: { label: 'seconds', scale: 'linear' }, y: { label: 'pages fetched', scale: 'linear' },
    series: sides.map(({ name, events: { order, times } }) => {
      const { x, y } = thin(order.length, maxPoints, (i) => times[2 * i + 1] / 1e6, (i) => i + 1);
      return { name, points: [{ x: 0, y: 0 }, ...x.map((seconds, i) => ({ x: seconds, y: y[i] }))] };
    }),
  };
}

function prefixInWords(pages: number): string {
  if (pages === 0) return 'The orders differ from the start';
  return pages === 1 ? 'The first page is the same' : `The first ${grouped(pages)} pages are the same`;
}
