import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { graphChecksum, prepare, type PreparedGraph } from '../../../graphs/graph/index.ts';
import { InputError } from '../../../base/index.ts';
import type { Compared } from '../../../questions/compare/index.ts';
import { printableShort } from '../../text/printable.ts';
import { namedGraph } from '../../flags/named-graph.ts';

export interface ComparedGraphs {
  readonly found: ReadonlyMap<string, PreparedGraph>;
  readonly missing: ReadonlyMap<string, string>;
}

/**
 * The graphs that runs crawled: those named, then `graph.owg` in a run's folder, written by crawls, then what the
 * record says about the place of its graph, then the graph with the name in the record. Checksums identify them, so
 * the order of the names does not matter.
 * @throws InputError if a named graph cannot be read, or no run crawled it.
 */
export async function comparedGraphs(
  items: readonly Compared[], graphNames: readonly string[], opened = new OpenedGraphs(),
): Promise<ComparedGraphs> {
  const sought = new Set(items.map(({ sha256 }) => sha256));
  const prepared = new Map<string, PreparedGraph>();
  const missing = new Map<string, string>();
  for (const name of graphNames) {
    const graph = await opened.open(name);
    if (!sought.has(graphChecksum(graph)))
      throw new InputError(`--graph ${printableShort(name)}: is not a graph that these runs crawled`);
    prepared.set(graphChecksum(graph), graph);
  }
  for (const sha256 of sought) {
    const graph = opened.bySha256.get(sha256);
    if (graph !== undefined) prepared.set(sha256, graph);
  }
  for (const { sha256, graph: name, records } of items) {
    const stored = records.map(({ folder }) => join(folder, 'graph.owg'));
    const origins = records.flatMap(({ run }) => run.origin?.graph ?? []);
    for (const path of [...stored, ...origins, name]) {
      if (prepared.has(sha256)) break;
      const isThere = path === name || await stat(path).then(() => true, () => false);
      const graph = isThere ? await opened.open(path).catch(asMissing) : undefined;
      if (graph !== undefined && graphChecksum(graph) === sha256) prepared.set(sha256, graph);
      else if (isThere)
        missing.set(
          sha256,
          graph === undefined ? `the graph ${name} is not available` : `${name} is not the graph that was crawled`,
        );
    }
  }
  return { found: prepared, missing };
}

function asMissing(error: unknown): undefined {
  if (!(error instanceof InputError)) throw error;
}

/** Graphs that a command has opened: each once, by whatever it is asked for again. */
export class OpenedGraphs {
  readonly bySha256 = new Map<string, PreparedGraph>();
  readonly #byName = new Map<string, Promise<PreparedGraph>>();

  /** @throws as openGraph. */
  open(name: string): Promise<PreparedGraph> {
    const opened = this.#byName.get(name) ?? namedGraph(name).then((graph) => this.add(prepare(graph)));
    this.#byName.set(name, opened);
    return opened;
  }

  add(graph: PreparedGraph): PreparedGraph {
    this.bySha256.set(graphChecksum(graph), graph);
    return graph;
  }
}
