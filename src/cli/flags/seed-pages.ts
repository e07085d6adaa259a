import type { SettledSeeds } from '../../core/engine/index.ts';
import { idsInWords, pagesById, type GraphPages } from '../../graphs/graph/index.ts';
import { InputError, nearest } from '../../base/index.ts';
import { counted, grouped } from '../text/figures.ts';
import { printable, printableShort } from '../text/printable.ts';

/**
 * Pages that `--seed-page` names: by ids of the graph's source, else page numbers; by URLs, or host and path
 * without a scheme. Undefined if nothing is named,
 * so that the graph decides. A page named twice counts once.
 * @throws InputError for a page that the graph does not have.
 */
export function seedPagesOf(graph: GraphPages, words: readonly string[] | undefined): number[] | undefined {
  if (words === undefined) return undefined;
  const pageOfId = pagesById(graph);
  return [...new Set(words.map((name) => {
    if (!/^[+-]?\d+$/.test(name)) return pageOfUrl(graph, name);
    const page = pageOfId(Number(name));
    if (page !== undefined) return page;
    throw new InputError(
      `--seed-page ${printableShort(name)}: is not a page of ${printable(graph.name)}, whose page ids are ${idsInWords(graph)}${graph.sourceIds === undefined ? '' : ', as in its source'}`,
    );
  }))];
}

function pageOfUrl(graph: GraphPages, url: string): number {
  const { hosts, paths } = graph;
  const fail = (what: string): never => {
    throw new InputError(`--seed-page ${printableShort(url, 100)}: ${what}`);
  };
  if (hosts.synthetic) {
    return fail(`${printable(graph.name)} has no URLs: name a page id from ${idsInWords(graph)}`);
  }
  const match = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/?#]+)([^#]*)/i.exec(url);
  if (match === null) return fail('is neither a page id nor a URL');
  const host = match[1].toLowerCase();
  const path = match[2].startsWith('/') ? match[2] : `/${match[2]}`;
  const names = Array.from({ length: hosts.count }, (_, id) => hosts.names.at(id));
  const hostId = names.findIndex((name) => name.toLowerCase() === host);
  if (hostId < 0) {
    const near = nearest(host, names);
    return fail(
      `${printable(graph.name)} has no host ${printableShort(host)}${near === undefined ? '' : `; did you mean ${printable(near)}?`}`,
    );
  }
  const encodedLength = new TextEncoder().encode(path).length;
  let pagesOfHost = 0;
  for (let page = 0; page < graph.pages; page++) {
    if (hosts.ofPage[page] !== hostId) continue;
    pagesOfHost++;
    if (paths === undefined) {
      if (path === '/') return page; // The page is the host.
      continue;
    }
    // Compares lengths first: decoding every path would cost far more than the scan.
    if (paths.offsets[page + 1] - paths.offsets[page] === encodedLength && paths.at(page) === path) return page;
  }
  return fail(`host ${printableShort(host)} has no page ${printableShort(path)} among its ${grouped(pagesOfHost)}`);
}

/** "6 stored seed pages reach 20,746 of 31,331 pages on 466 hosts". */
export function seedsSentence(graph: GraphPages, { seedPages, origin, count, hosts }: SettledSeeds): string {
  const sentences = {
    named: counted(seedPages.length, 'seed page'),
    stored: counted(seedPages.length, 'stored seed page'),
    'host roots': `${counted(seedPages.length, 'root page')} of hosts`,
    'largest out-degree': 'The page with the most links',
  };
  const verb = origin === 'largest out-degree' || seedPages.length === 1 ? 'reaches' : 'reach';
  return `${sentences[origin]} ${verb} ${grouped(count)} of ${counted(graph.pages, 'page')} on ${counted(hosts, 'host')}`;
}

/** The warning that comes first if hosts were generated; empty otherwise. */
export function syntheticHostsWarning(graph: GraphPages): string {
  if (!graph.hosts.synthetic) return '';
  return (
    `Hosts are synthetic: ${printable(graph.name)} has no URLs, so its ${counted(graph.hosts.count, 'host')} were generated at random.\n` +
    'Results that depend on hosts (politeness, partition, virtual time) say nothing about real ones.\n\n'
  );
}
