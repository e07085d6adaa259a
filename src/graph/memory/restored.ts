import { StringTable } from './string-table.ts';
import type { WebGraph } from '../web-graph.ts';

/**
 * A graph as it was before it was cloned into another thread: cloning keeps the shared arrays and loses the classes
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
