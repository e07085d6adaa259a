import { StringTable } from './string-table.ts';
import type { WebGraph } from '../web-graph.ts';

/**
 * Restores a graph that was cloned into another thread: cloning preserves the shared arrays but loses the classes
 * around them.
 */
export function restoredGraph(cloned: WebGraph): WebGraph {
  const table = ({ offsets, bytes }: StringTable): StringTable => new StringTable(offsets, bytes);
  return {
    ...cloned,
    paths: cloned.paths && table(cloned.paths),
    hosts: { ...cloned.hosts, names: table(cloned.hosts.names) },
  };
}
