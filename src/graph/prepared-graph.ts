import type { WebGraph } from './web-graph.ts';

interface Answer {
  readonly input: readonly unknown[];
  readonly value: unknown;
}

/**
 * A graph with what has been computed from it, for whoever runs many times on one graph: held in plain sight, and
 * passed on explicitly. Answers go with it when it goes. Not for other threads: these prepare the graph they restored.
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

  /** How often each answer was computed, by its name. @internal */
  get computations(): ReadonlyMap<string, number> {
    return this.#computations;
  }

  /**
   * The last answer of `owner`, if it was for the same input; else what `compute` gives, which is then held.
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
 * Makes a graph ready to be asked often: it holds what runs on it compute, such as its PageRank.
 *
 * @param graph - any graph.
 * @returns the graph with room for answers; itself where it has that already.
 */
export function prepare(graph: WebGraph | PreparedGraph): PreparedGraph {
  return graph instanceof PreparedGraph ? graph : new PreparedGraph(graph);
}

/**
 * A function of a graph, and of what else it needs, that is computed once per PreparedGraph, which holds the answer for
 * the last input. Of a plain WebGraph it is computed anew each time. Answers are shared and must not be changed. The
 * owner of a computation makes it one of these, so that `graph/` need know none of them.
 * @param name in `computations`
 * @param isSame whether two inputs have one answer; by identity, one by one, if not given.
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
