import { DrawStream } from '../../../src/base/index.ts';
import { buildGraph, hostsFromNames, type WebGraph } from '../../../src/graphs/graph/index.ts';

/** A small web, and by how many nodes it is crawled. */
export interface DrawnWeb {
  readonly graph: WebGraph;
  readonly seedPages: readonly number[];
  readonly nodes: number;
  /** At least one for each node; often more than there are hosts. */
  readonly processors: number;
  /** Half of the crawls have a budget, which may leave a node idle. */
  readonly maxPages: number | undefined;
  readonly policy: (typeof policies)[number];
  /** For the name of a test. */
  readonly title: string;
}

/** Their keys, and what they need of a graph, differ. */
const policies = ['breadth-first', 'opic', 'random', 'batch-pagerank', 'larger-sites-first'] as const;

/** The case of this number: 1 to 3 hosts, 1 to 4 nodes; the first has one host on two nodes, the plainest case. */
export function drawnWeb(seed: number, number: number): DrawnWeb {
  const stream = new DrawStream(seed, 'few hosts');
  let draws = 0;
  const upTo = (most: number): number => 1 + stream.uint32(number, draws++) % most;
  const [hosts, nodes, pages] = number === 0 ? [1, 2, 10] : [upTo(3), upTo(4), upTo(20)];
  const processors = nodes + upTo(3) - 1;
  const page = (): number => upTo(pages) - 1;
  // A chain, which the first page reaches, and links anywhere.
  const sources = Array.from({ length: 3 * pages }, (_, arc) => (arc < pages - 1 ? arc : page()));
  const targets = Array.from({ length: 3 * pages }, (_, arc) => (arc < pages - 1 ? arc + 1 : page()));
  const names = Array.from({ length: pages }, (_, at) => `h${at < hosts ? at : upTo(hosts) - 1}-${number}.example`);
  const seedPages = [...new Set([0, ...Array.from({ length: upTo(3) - 1 }, page)])];
  const maxPages = upTo(2) === 1 ? undefined : upTo(pages);
  return {
    graph: buildGraph({
      name: `web ${number}`, pages, hosts: hostsFromNames(names), sources: Uint32Array.from(sources),
      targets: Uint32Array.from(targets),
    }),
    seedPages, nodes, processors, maxPages, policy: policies[number % policies.length],
    title: `web ${number}: ${pages} pages of ${new Set(names).size} hosts, ${nodes} nodes with ${processors} ` +
      `processors, ${maxPages === undefined ? 'all pages' : `at most ${maxPages} pages`}`,
  };
}
