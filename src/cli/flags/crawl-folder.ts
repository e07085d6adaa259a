import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fitNetwork, type FittedNetwork } from '../../engine/index.ts';
import { networkPresetNames, type ExperimentInput } from '../../settings/index.ts';

/** The files of a finished crawl that a simulation of it takes. */
export interface CrawlFolder {
  readonly graph: string;
  readonly run: string;
}

/** Undefined if `name` is not the folder of a crawl that has ended: `-` and names of the catalogue are none. */
export function crawlFolder(name: string): CrawlFolder | undefined {
  const [graph, run, log] = ['graph.owg', 'run.json', 'crawl.log'].map((file) => join(name, file));
  return [graph, run, log].every((file) => existsSync(file)) ? { graph, run } : undefined;
}

/**
 * The network fitted to a finished crawl, if `--network` names one, if the settings of a file do, or if the graph is
 * that of a crawl and `--network` is not given.
 * @throws InputError as fitNetwork.
 */
export async function fittedNetwork(
  flag: string | undefined, crawled: string | undefined, { network }: ExperimentInput,
): Promise<FittedNetwork | undefined> {
  if (flag !== undefined) return isCrawl(flag) ? fitNetwork(flag) : undefined;
  if (network?.fit !== undefined) return { ...await fitNetwork(network.fit.file), network };
  return crawled === undefined ? undefined : fitNetwork(crawled);
}

/** Whether `--network` means a crawl, not a preset: a mistaken name of a preset is better answered with their names. */
function isCrawl(flag: string): boolean {
  return !networkPresetNames.some((name) => name === flag) && (existsSync(flag) || /[./\\]/.test(flag));
}
