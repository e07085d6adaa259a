import { fileURLToPath } from 'node:url';
import { alternate, type BenchReport, type Side } from '../../../src/questions/bench/index.ts';
import type { WebGraph } from '../../../src/graphs/graph/index.ts';
import { GrowingStatistics, type StatisticsMethod } from '../../../src/core/statistics/index.ts';
import { buildIn } from '../simulate.ts';

/** Pages after which the cost per arc is measured: it grows with them where figures are exact. */
const sizes = [250, 500, 1000, 2000, 20_000];
/** Exact figures of more would take minutes. */
const maxExactPages = 2000;

/**
 * What statistics cost: the time and CPU of a simulation without them and with those by default, and the nanoseconds
 * per arc of exact figures, of estimates and of `auto`, on their thread, by the size of the graph fetched.
 */
export async function benchStatistics(name: string, rounds: number): Promise<BenchReport> {
  const build = await buildIn(fileURLToPath(new URL('../../../', import.meta.url)));
  const graph = await build.openGraph(name);
  const opened = build.prepare?.(graph) ?? graph;
  const { events: { order } } = await build.simulate(opened, {});
  const run = async (statistics: 'off' | 'auto'): Promise<number> =>
    (await build.simulate(opened, { statistics })).events.order.length;
  const cpu = (statistics: 'off' | 'auto'): Side => ({
    name: `simulation, statistics ${statistics}, CPU of all threads`, measuresIn: 'ms',
    run: async () => {
      const before = process.cpuUsage();
      await run(statistics);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    },
  });
  const sides: Side[] = [
    { name: 'simulation, statistics off', run: () => run('off') },
    { name: 'simulation, statistics auto', run: () => run('auto') },
    cpu('off'), cpu('auto'),
    ...sizes.filter((pages, i) => i === 0 || pages <= order.length).flatMap((pages) =>
      (['exact', 'estimate', 'auto'] as const).filter((method) => method !== 'exact' || pages <= maxExactPages)
        .map((method) => perArc(graph, order.subarray(0, pages), method))),
  ];
  return alternate(sides, rounds);
}

/** Supersteps of 100 pages. */
function perArc(graph: WebGraph, order: Uint32Array, method: StatisticsMethod): Side {
  return {
    name: `${method}, ${order.length} pages, per arc`, measuresIn: 'ns',
    run: () => {
      const begun = performance.now();
      const statistics = new GrowingStatistics({ method, maxPages: order.length, seed: 1 }, graph);
      for (const [i, page] of order.entries()) {
        statistics.addPage(page);
        if (i % 100 === 99) statistics.superstep(Math.floor(i / 100));
      }
      statistics.superstep(Math.ceil(order.length / 100));
      return (1e6 * (performance.now() - begun)) / Math.max(1, statistics.end().at(-1)!.arcs);
    },
  };
}
