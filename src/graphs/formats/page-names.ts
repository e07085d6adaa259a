import type { WebGraph } from '../graph/index.ts';
import { InputError } from '../../base/index.ts';

export interface LinkStoreOptions {
  /** Pages by their URLs, instead of by their ids. */
  readonly urls?: boolean | undefined;
}

/**
 * The URL of each page. Whether it was https is not stored, so all are http. Memory about 150 bytes per requested page.
 * Errors   InputError if hosts are drawn.
 */
export function urlsOf({ name, hosts, paths }: WebGraph): (page: number) => string {
  if (hosts.synthetic) throw new InputError(`${name}: has no URLs; its links can only be stored by page ids`);
  const urls: string[] = [];
  return (page) => (urls[page] ??= `http://${hosts.names.at(hosts.ofPage[page])}${paths?.at(page) ?? '/'}`);
}

/** The id of each page in the source of the graph, or here. */
export function idsOf({ sourceIds }: WebGraph): (page: number) => number {
  return (page) => sourceIds?.[page] ?? page;
}

/** The parts of a graph that a file of links does not store, in words. */
export function leftBehind(graph: WebGraph, { urls = false }: LinkStoreOptions): string[] {
  const linked = new Uint8Array(graph.pages);
  for (const target of graph.outTargets) linked[target] = 1;
  let alone = 0;
  for (let page = 0; page < graph.pages; page++)
    if (linked[page] === 0 && graph.outOffsets[page] === graph.outOffsets[page + 1]) alone++;
  return [
    alone === 0 ? [] : `${alone} ${alone === 1 ? 'page' : 'pages'} without links`,
    graph.hosts.synthetic || urls ? [] : 'hosts', graph.paths && !urls ? 'paths' : [], graph.bytes ? 'sizes' : [],
    graph.seeds ? 'seed pages' : [], urls ? 'page ids' : [],
  ].flat();
}
