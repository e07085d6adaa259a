import { graphChecksum, prepare, type PreparedGraph } from '../../graphs/graph/index.ts';
import { namedGraph } from '../flags/named-graph.ts';

/** Graphs that a command has opened: each once, by whatever it is asked for again. */
export class OpenedGraphs {
  readonly bySha256 = new Map<string, PreparedGraph>();
  readonly #byName = new Map<string, Promise<PreparedGraph>>();

  /** @throws as openGraph. */
  open(name: string): Promise<PreparedGraph> {
    const known = this.#byName.get(name) ?? namedGraph(name).then((graph) => this.add(prepare(graph)));
    this.#byName.set(name, known);
    return known;
  }

  add(graph: PreparedGraph): PreparedGraph {
    this.bySha256.set(graphChecksum(graph), graph);
    return graph;
  }
}
