import { InputError } from '../../../../base/index.ts';
import { readOwgPages, readOwgRows } from '../../../../graphs/formats/index.ts';
import { ProcessorLinks, type GraphPages, type PreparedGraph } from '../../../../graphs/graph/index.ts';
import { fallingRanks, type DatasetFacts } from '../../../measure/index.ts';
import type { SimulationSettings } from '../../../settings/index.ts';
import { partitioned, processorsOfPages, type PartitionSettings } from '../owners.ts';
import type { SettledSeeds } from '../settled.ts';
import type { CrawledGraph, LoadedGraph } from './crawled-graph.ts';
import type { PreparedFile } from './prepared-file.ts';

/** A stored graph with the links of one node's pages; the prepared file has the results that need all links. */
export class PartialGraph implements CrawledGraph {
  readonly pages: GraphPages;
  readonly facts: DatasetFacts;
  readonly #path: string;
  readonly #file: PreparedFile;
  readonly #reachable: Uint8Array;

  private constructor(path: string, file: PreparedFile, pages: GraphPages, reachable: Uint8Array) {
    this.pages = pages;
    this.facts = { name: pages.name, ...file.header.graph };
    this.#path = path;
    this.#file = file;
    this.#reachable = reachable;
  }

  /** @throws InputError that names what is missing, damaged, or of another graph. Memory: 9 bytes a page, and names. */
  static async open(
    path: string, file: PreparedFile, options: Parameters<typeof readOwgPages>[1],
  ): Promise<PartialGraph> {
    const pages = await readOwgPages(path, options);
    const graph = new PartialGraph(path, file, pages, await file.reachable());
    const { facts } = graph;
    if (pages.pages !== facts.pages || pages.arcs !== facts.arcs || pages.hosts.count !== facts.hosts)
      throw graph.#isOfAnother(`${facts.pages} pages, ${facts.arcs} links and ${facts.hosts} hosts`);
    return graph;
  }

  get sha256(): string {
    return this.facts.sha256;
  }

  seeds({ seedPages }: Pick<SimulationSettings, 'seedPages'>): SettledSeeds {
    const { seeds: { origin, pages, reachedPages, reachedHosts } } = this.#file.header;
    const areThose = seedPages === undefined ? origin !== 'named'
      : seedPages.length === pages.length && seedPages.every((page, i) => page === pages[i]);
    if (!areThose) {
      throw new InputError(
        `${this.#file.path}: is for runs that begin at ${seedWords(origin === 'named' ? pages : undefined)}, ` +
        `not at ${seedWords(seedPages)}; make it for these: orbweaver simulate GRAPH --prepare`, { field: 'seedPages' },
      );
    }
    return {
      seedPages: [...pages], origin: seedPages === undefined ? origin : 'named', reachable: this.#reachable,
      count: reachedPages, hosts: reachedHosts,
    };
  }

  owners(settings: PartitionSettings, reachable: Uint8Array): Uint32Array {
    return partitioned(this.pages, settings, reachable);
  }

  async load(processorOfHost: Uint32Array, ids?: readonly number[]): Promise<LoadedGraph> {
    const processorOfPage = processorsOfPages(this.pages, processorOfHost);
    const isHere = new Uint8Array(processorOfHost.reduce((most, processor) => Math.max(most, processor + 1), 0));
    if (ids === undefined) isHere.fill(1);
    for (const id of ids ?? []) isHere[id] = 1;
    const counted = new ProcessorLinks(isHere.length);
    const count = (page: number, links: Uint32Array): void => {
      const from = processorOfPage[page];
      for (let i = 0; i < links.length; i++) counted.add(from, processorOfPage[links[i]], 1);
    };
    const { rows, sha256 } = await readOwgRows(this.#path, (page) => isHere[processorOfPage[page]] === 1, count);
    if (sha256 !== this.sha256) throw this.#isOfAnother(`SHA-256 ${this.sha256}, not ${sha256}`);
    return { graph: { ...this.pages, rows }, modularity: () => counted.modularity() };
  }

  ranks(): Promise<Float64Array> {
    return this.#file.ranks();
  }

  bestRanks(ranks: Float64Array, reachable: Uint8Array): Float64Array {
    return fallingRanks(ranks, reachable);
  }

  whole(what: string): PreparedGraph {
    throw new InputError(`${what}: needs the links of all pages, and here are those of one node`);
  }

  #isOfAnother(whose: string): InputError {
    return new InputError(
      `${this.#file.path}: is of another graph than ${this.#path}: of one with ${whose}; ` +
      'orbweaver simulate GRAPH --prepare makes it again',
    );
  }
}

/** Seed pages in a few words. @param pages undefined for the graph's own seed pages. */
function seedWords(pages: readonly number[] | undefined): string {
  if (pages === undefined) return 'the seed pages of the graph';
  const first = pages.slice(0, 5).join(', ');
  return pages.length === 1 ? `page ${first}` : `pages ${first}${pages.length > 5 ? `, ... (${pages.length})` : ''}`;
}
