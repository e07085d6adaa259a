import type { SuperstepRow } from '../../../core/events/index.ts';
import { bySuperstep, type RunEvents } from '../../../core/measure/index.ts';
import type { CurveColumns } from '../contract.ts';
import { Curves, type CurveSpan } from './curves.ts';

/** What a superstep adds to the curves. @param robotsOf - by processor. @param robots - of all of them. */
export function spanOf(
  rows: readonly SuperstepRow[], robotsOf: Uint32Array, robots: number, spanUs: number,
): CurveSpan {
  // One by one: an array is taken apart slowly until this is compiled, and short runs are over by then.
  let busyUs = 0;
  let robotUs = 0;
  let pages = 0;
  let mostPages = 0;
  let pairs = 0;
  let comparisons = 0;
  let awake = 0;
  for (const row of rows) {
    busyUs += row.busyUs;
    robotUs += row.busyUs + row.stalledUs + row.noJobUs + row.barrierWaitUs;
    pages += row.pages;
    if (row.pages > mostPages) mostPages = row.pages;
    pairs += row.pairsSent;
    comparisons += row.insertComparisons + row.extractComparisons;
    awake += robotsOf[row.processor];
  }
  // Robots of processors at rest wait from barrier to barrier.
  robotUs += (robots - awake) * spanUs;
  return { busyUs, robotUs, meanPages: pages / robotsOf.length, mostPages, pairs, comparisons };
}

/** The curves of a recorded run, as they were while it went on; without ranks, which a record does not have. */
export function recordedCurves(
  { rows, times, changes = [] }: Pick<RunEvents, 'rows' | 'times'> & Partial<Pick<RunEvents, 'changes'>>,
  { processors, robots }: { readonly processors: number; readonly robots: number },
): CurveColumns {
  const curves = new Curves(false);
  const robotsOf = new Uint32Array(processors).fill(robots);
  const steered = changes.filter(({ setting }) => setting === 'robots');
  let [pages, failures, bytes, lastUs, next] = [0, 0, 0, 0, 0];
  let all = processors * robots;
  for (const of of bySuperstep(rows)) {
    const [{ superstep, barrierUs }] = of;
    for (; next < steered.length && steered[next].superstep <= superstep; next++) {
      const { processor, value } = steered[next];
      all += value - robotsOf[processor];
      robotsOf[processor] = value;
    }
    while (2 * pages < times.length && times[2 * pages + 1] <= barrierUs) pages++;
    for (const row of of) {
      failures += row.failures;
      bytes += row.bytes;
    }
    const span = spanOf(of, robotsOf, all, Math.max(0, barrierUs - lastUs));
    curves.add({ superstep, seconds: barrierUs / 1e6, pages, failures, bytes, rank: 0 }, span);
    lastUs = barrierUs;
  }
  curves.end();
  return curves.all();
}
