import type { Cell } from '../../../../questions/study/index.ts';
import type { ComparedOrders, JudgedOrder } from '../../../../questions/compare/index.ts';
import { thin, type Chart, type Shown } from '../../../../views/report/index.ts';
import { counted, grouped, percent } from '../../figures.ts';

const maxPoints = 600;

export function ordersShown(compared: ComparedOrders): Shown {
  const { orders, horizonPages, reachablePages, agreements } = compared;
  return {
    paragraphs: [
      `The seed pages reach ${counted(reachablePages, 'page')}. Each order is judged by its first ` +
        `${counted(horizonPages, 'page')}, as many as the shortest has. A log has an order and no more: nothing is ` +
        'said of its speed, its processors or its politeness.',
      ...orders.flatMap((judged) => (judged.log === undefined ? [] : [matchedInWords(judged, judged.log)])),
    ],
    tables: [
      {
        name: 'orders',
        caption: `PageRank gathered by the first ${counted(horizonPages, 'page')}: the mean of the cumulative share, ` +
          'its bound, what a random order would give, and the gain over that (1: the best order)',
        columns: [
          { name: 'order' }, { name: 'pages' }, { name: 'PageRank area', digits: 4 }, { name: 'bound', digits: 4 },
          { name: 'random', digits: 4 }, { name: 'normalised gain', digits: 3 },
        ],
        rows: orders.map(({ label, order, quality }): Cell[] => [
          label, order.length, quality.pagerankArea, quality.bound, quality.random, quality.normalisedGain,
        ]),
      },
      {
        name: 'agreement',
        caption: "How far the orders agree on the pages of both: Kendall's tau-b (1: the same order, 0: unrelated), " +
          'the places by which a page is off on average, and the same between random orders',
        columns: [
          { name: 'log' }, { name: 'run' }, { name: 'pages of both' }, { name: 'tau-b', digits: 3 },
          { name: 'places off', digits: 1 }, { name: 'random', digits: 1 }, { name: 'same start' },
        ],
        rows: agreements.map(({ log, run, agreement }): Cell[] => [
          log, run, agreement.common, agreement.tauB, agreement.meanDisplacement, agreement.uniformDisplacement,
          agreement.samePrefix,
        ]),
      },
    ],
    charts: [curvesChart(orders)],
  };
}

function matchedInWords(
  { label, inGraph, order }: JudgedOrder, log: NonNullable<JudgedOrder['log']>,
): string {
  const { source, pages, ties, leftOut } = log;
  const [lacking, beyond] = [pages.length - inGraph, inGraph - order.length];
  const parts = [
    ...(lacking === 0 ? [] : [`${grouped(lacking)} are not in the graph`]),
    ...(beyond === 0 ? [] : [`${grouped(beyond)} are not reached from the seed pages`]),
  ];
  return (
    `${label} is ${source}: ${counted(pages.length, 'page')} fetched, of which ${grouped(order.length)} ` +
    `(${percent(order.length / pages.length)}) are compared` +
    `${parts.length === 0 ? '' : `; ${parts.join(', ')}`}. ` +
    (leftOut === 0 ? '' : `${counted(leftOut, 'further line')} brought no page. `) +
    (ties === 0
      ? 'No two pages have the same time.'
      : `${counted(ties, 'page')} ${ties === 1 ? 'has' : 'have'} the time of the page before: these are in the order ` +
        'of the file.')
  );
}

function curvesChart(orders: readonly JudgedOrder[]): Chart {
  const points = (curve: Float64Array): { x: number; y: number }[] => {
    const { x, y } = thin(curve.length, maxPoints, (i) => i + 1, (i) => curve[i]);
    return x.map((pages, i) => ({ x: pages, y: y[i] }));
  };
  return {
    title: 'PageRank gathered, as a share of that of the best order', isSynthetic: false,
    x: { label: 'pages fetched', scale: 'linear' }, y: { label: 'share', scale: 'linear' },
    series: [
      ...orders.map(({ label, curves }) => ({ name: label, points: points(curves.cumulativeRank) })),
      { name: 'the best order', points: points(orders[0].curves.boundRank), isReference: true },
    ],
  };
}

export function ordersDocument({ orders, agreements, ...figures }: ComparedOrders): object {
  return {
    ...figures,
    orders: orders.map(({ label, log, inGraph, order, quality }) => ({
      label, pages: order.length, quality,
      ...(log && {
        log: { source: log.source, pagesFetched: log.pages.length, inGraph, ties: log.ties, linesLeftOut: log.leftOut },
      }),
    })),
    agreements,
  };
}
