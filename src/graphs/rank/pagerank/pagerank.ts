import { checkFields } from '../../../base/index.ts';
import { checkIsGraph, transpose, type WebGraph } from '../../graph/index.ts';
import { PageRankKernel, type KernelSteps } from './pagerank-kernel.ts';
import { singleThread } from './pagerank-memory.ts';
import { checkedOptions, finishedByPowerSteps, ROUNDING, sweepsInExactArithmetic } from './power-steps.ts';
import type { PageRank, SolveOptions } from './solve-options.ts';

/**
 * PageRank by the kernel. Its definition, the linear system solved and the proof of the bound are at the head of
 * `power-steps.ts`; this is the same iteration with steps that make it faster, each with a switch:
 *
 * selfLoops      each page's equation is solved exactly for its self-loop: pages that link to little but themselves,
 *                which crawls are full of, would else converge at `damping` a sweep.
 * mutualLinks    the same for two pages of one or two links that link to each other: rank that goes back and forth in
 *                them would else fall by damping squared a sweep, when everything else has converged.
 * danglingLast   dangling pages pass nothing on, so they are evaluated once, at the end: 7 % of cnr-2000's arcs fewer a
 *                sweep.
 * deltaCoded     where pages next to each other have similar in-lists (a site's templates, in the order of URLs), a
 *                list is stored as what it adds to and lacks of the one before it, and the sum over it is carried on.
 * restless       where few blocks of pages hold most of the change, each sweep takes these twice: 20 sweeps of cnr-2000
 *                instead of 27.
 * extrapolation  after every five sweeps, reduced rank extrapolation (extrapolation.ts) from their differences: half
 *                the sweeps. A sixth is made where the fifth helped much.
 *
 * An extrapolation is undone if the sweep after it changes more than the one before it; five plain sweeps follow.
 *
 * Converges  whichever factors and blocks: each sweep is monotone, x <- T x + c with T >= 0 and c > 0 where rank
 *            arrives, and leaves the solution as it is, so that T shrinks every error measured in units of it.
 * Promise    |ranks - x|_1 <= l1ErrorBound <= tolerance, rounding included, measured on the very vector returned. The
 *            kernel's measurement uses plain sums and adds what they can lose; where that alone exceeds the tolerance
 *            (1e-12 on graphs with great hubs), a compensated one decides. Equal input and equal switches give
 *            bit-equal output.
 * Cost       O(n + m) per sweep. Memory: as `kernelLayout`.
 */

export interface PageRankSteps {
  readonly selfLoops?: boolean;
  readonly mutualLinks?: boolean;
  readonly danglingLast?: boolean;
  readonly deltaCoded?: boolean;
  readonly restless?: boolean;
  readonly extrapolation?: boolean;
}

export interface PageRankOptions extends SolveOptions {
  /**
   * Steps that can be switched off, to measure the benefit of each; the promise holds without them. All true by
   * default.
   */
  readonly steps?: PageRankSteps | undefined;
}

const optionFields = {
  damping: true, tolerance: true, preference: true, start: true, onSweep: true, steps: true,
} as const satisfies Record<keyof PageRankOptions, true>;

/**
 * PageRank of `graph`, with a certified bound of its error.
 *
 * @param graph - any graph.
 * @param options - damping, tolerance and preference.
 * @returns ranks, owned by the caller, and the bound.
 * @throws InputError for a graph without pages, for options out of range, and where rounding keeps the certified bound
 * above the tolerance: the message then names a tolerance that can be reached. WorldError for a graph beyond the
 * kernel's 4 GiB.
 */
export function pageRank(graph: WebGraph, options: PageRankOptions = {}): PageRank {
  checkIsGraph(graph);
  checkFields('options', options, optionFields);
  checkedOptions(graph, options);
  const kernel = new PageRankKernel(graph, kernelSteps(options), singleThread(graph, true));
  kernel.code();
  return solved(graph, kernel, options);
}

/**
 * PageRank of one graph repeatedly, with different damping, preference or tolerance, or starting from earlier ranks:
 * in-lists are built and coded only once. Holds their memory as long as it lives.
 */
export class PageRankSolver {
  readonly #graph: WebGraph;
  readonly #kernel: PageRankKernel;
  readonly #steps: PageRankSteps;

  /** @throws InputError for a graph without pages; WorldError for one beyond the kernel's 4 GiB. */
  constructor(graph: WebGraph, steps: PageRankSteps = {}) {
    checkedOptions(graph, {});
    this.#graph = graph;
    this.#steps = steps;
    this.#kernel = new PageRankKernel(graph, kernelSteps({ steps }), singleThread(graph, false));
    this.#kernel.code();
  }

  /** The same result, bit for bit, promise and errors as `pageRank`. */
  solve(options: SolveOptions = {}): PageRank {
    return solved(this.#graph, this.#kernel, { ...options, steps: this.#steps });
  }
}

export function kernelSteps({
  steps: { selfLoops = true, mutualLinks = true, danglingLast = true, deltaCoded = true } = {},
}: PageRankOptions): KernelSteps {
  return { selfLoops, mutualLinks, danglingLast, deltaCoded };
}

/** `pageRank` on a kernel whose lists are built. */
export function solved(graph: WebGraph, kernel: PageRankKernel, options: PageRankOptions): PageRank {
  const { damping, tolerance, preference } = checkedOptions(graph, options);
  const { onSweep } = options;
  const { iterations, l1ErrorBound } = sweepToTolerance(kernel, options, { damping, tolerance, preference });
  const ranks = kernel.ranks();
  if (l1ErrorBound !== undefined) return { ranks, iterations, l1ErrorBound };
  return finishedByPowerSteps(
    graph, transpose(graph), { damping, tolerance, preference, onSweep }, { ranks, iterations },
  );
}

/**
 * Sweeps until the bound is certified, or until sweeps cannot achieve it: then the bound is undefined, and the ranks
 * are close. With several threads each calls it on its own kernel, and all make the same decisions.
 */
export function sweepToTolerance(
  kernel: PageRankKernel,
  { start, onSweep, steps: { extrapolation = true, restless = true } = {} }: PageRankOptions,
  { damping, tolerance, preference }: ReturnType<typeof checkedOptions>,
): { iterations: number; l1ErrorBound?: number } {
  kernel.begin(damping, preference, start);
  // Extrapolation may waste one sweep in six.
  const maxSweeps = 2 * sweepsInExactArithmetic(damping, tolerance);
  // With this little change the bound may hold. damping / (1 - damping) of it is the most it can be, but for the
  // normalising; on graphs of the web it is two thirds of that, and half as much right after an extrapolation that left
  // little of it. Measuring it costs a sweep and a quarter, so not after every sweep.
  let boundPerChange = (0.67 * damping) / (1 - damping);
  /** Sweeps to make before differences are stored again. The first sweep is atypical. */
  let plainSweeps = 1;
  /** Change of the sweep before an extrapolation that has yet to prove itself. */
  let changeToBeat = Infinity;
  let sweeps = 0;
  for (let sweepable = true; sweepable; ) {
    const isKept = extrapolation && plainSweeps === 0 && !kernel.isCycleComplete;
    if (plainSweeps > 0) plainSweeps--;
    const change = kernel.sweep(isKept);
    sweeps++;
    onSweep?.(sweeps, change);
    if (change > changeToBeat) {
      kernel.takeBack();
      plainSweeps = kernel.differencesOfACycle;
      changeToBeat = Infinity;
      continue;
    }
    const isProven = changeToBeat < Infinity;
    const leftLittle = isProven && change < changeToBeat / 100;
    const expected = leftLittle ? boundPerChange / 2 : boundPerChange;
    changeToBeat = Infinity;
    // Rounding aside, the residual is at most 2 * change / (1 - damping): what there is besides cannot be swept away.
    sweepable = change > (ROUNDING * (1 - damping)) / 16 && sweeps < maxSweeps;
    if (!sweepable || change * expected <= tolerance) {
      const { residual, rounding } = kernel.measure();
      const bound = (residual + rounding) / (1 - damping);
      if (bound <= tolerance) return { iterations: sweeps, l1ErrorBound: bound };
      const error = residual / (1 - damping);
      // What is missing is the measurement's own rounding: a compensated one decides.
      if (residual <= rounding && error <= tolerance / 2) break;
      // The next measurement is due when the change has fallen by what was missing, and at least by a quarter.
      boundPerChange = Math.max(error, 1.3 * tolerance) / change;
    }
    // What an extrapolation leaves is often the slowest part of all, rank that goes back and forth in pairs of pages.
    if (isProven) kernel.solveMutualLinks();
    if (isKept) kernel.sweepRestless();
    if (restless && (kernel.isCycleComplete || sweeps === 1)) kernel.chooseRestless();
    // Below, differences are rounding, and steps based on them would keep the sweeps from converging.
    const enough = tolerance / (change * boundPerChange);
    if (sweepable && kernel.isCycleComplete && change > 2 ** -44 && kernel.extrapolate(enough)) changeToBeat = change;
  }
  return { iterations: sweeps };
}
