import { wrongArgument } from '../../base/index.ts';
import type { WebGraph } from './web-graph.ts';

interface Answer {
  readonly input: readonly unknown[];
  readonly value: unknown;
}

/**
 * A graph together with the results computed from it, for callers that run many times on one graph. It is passed
 * explicitly, and its results are freed with it. Other threads cannot share it: each prepares the graph that it
 * restored.
 */
export class PreparedGraph {
  /** The graph itself. */
  readonly graph: WebGraph;
  readonly #last = new Map<object, Answer>();
  readonly #computations = new Map<string, number>();

  /** As `prepare` does. @internal */
  constructor(graph: WebGraph) {
    this.graph = graph;
  }

  /** How often each result was computed, by name. @internal */
  get computations(): ReadonlyMap<string, number> {
    return this.#computations;
  }

  /**
   * The last result of `owner`, if it was for the same input; otherwise the result of `compute`, which is then stored.
   *
   * @internal
   */
  answer<Input extends readonly unknown[], Value>(
    owner: object, name: string, input: Input, isSame: (a: Input, b: Input) => boolean, compute: () => Value,
  ): Value {
    const last = this.#last.get(owner);
    if (last !== undefined && isSame(last.input as Input, input)) return last.value as Value;
    const value = compute();
    this.#last.set(owner, { input, value });
    this.#computations.set(name, (this.#computations.get(name) ?? 0) + 1);
    return value;
  }
}

/**
 * Prepares a graph for several runs: it stores what they compute about it, such as its PageRank.
 *
 * @param graph - any graph.
 * @returns the graph as a PreparedGraph; itself if it is one already.
 */
export function prepare(graph: WebGraph | PreparedGraph): PreparedGraph {
  if (graph instanceof PreparedGraph) return graph;
  checkIsGraph(graph);
  return new PreparedGraph(graph);
}

/** Checks that an argument is a graph, not its name or a promise of it. @throws InputError */
export function checkIsGraph(graph: unknown): asserts graph is WebGraph {
  const isGraph = typeof graph === 'object' && graph !== null && 'outOffsets' in graph && 'hosts' in graph;
  if (isGraph) return;
  const call = typeof graph === 'string' ? `: await openGraph(${JSON.stringify(graph.slice(0, 100))})`
    : ', such as openGraph returns';
  throw wrongArgument('graph', `a web graph${call}`, graph);
}

/**
 * A function of a graph and further inputs that is computed once per PreparedGraph, which stores the result for the
 * last input; for a plain WebGraph, each time. Results are shared and must not be changed. The owner of a computation
 * wraps it in this, so that `graph/` need not know it.
 * @param name in `computations`
 * @param isSame whether two inputs have the same result; by default, identity of each input.
 */
export function computedOnce<Value, Input extends readonly unknown[] = []>(
  name: string,
  compute: (prepared: PreparedGraph, ...input: Input) => Value,
  isSame: (a: Input, b: Input) => boolean = (a, b) => a.every((value, i) => value === b[i]),
): (graph: WebGraph | PreparedGraph, ...input: Input) => Value {
  return (graph, ...input) => {
    const prepared = prepare(graph);
    return prepared.answer(compute, name, input, isSame, () => compute(prepared, ...input));
  };
}
