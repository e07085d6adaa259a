import { existsSync } from 'node:fs';
import { fitNetwork, type FittedNetwork } from '../../core/engine/index.ts';
import { networkPresetNames, type ExperimentInput, type Settings } from '../../core/settings/index.ts';
import { readConfig } from './config.ts';
import { experimentOf, type ConfigFlags, type RawFlags } from './flags.ts';
import { crawlFolder, type CrawlFolder } from './named-graph.ts';

/** Like readConfig; for the graph of a crawl, and without a file, the settings are the crawl's. */
export async function readConfigFor(
  name: string, flags: ConfigFlags,
): Promise<Awaited<ReturnType<typeof readConfig>> & { readonly crawled: CrawlFolder | undefined }> {
  const crawled = crawlFolder(name);
  const isOfCrawl = crawled !== undefined && flags.config === undefined;
  return { ...await readConfig(isOfCrawl ? { ...flags, config: crawled.run } : flags, isOfCrawl), crawled };
}

/**
 * The experiment that flags and a file ask for, as experimentOf, and the network fitted for it, if they ask for one.
 */
export async function fittedExperiment(
  flags: RawFlags, config: ExperimentInput, settings: Settings, crawled: string | undefined,
): Promise<{ readonly experiment: ExperimentInput; readonly fitted: FittedNetwork | undefined }> {
  const { network, ...others } = flags;
  const fitted = await fittedNetwork(typeof network === 'string' ? network : undefined, crawled, config);
  if (fitted === undefined) return { experiment: experimentOf(flags, config, settings), fitted };
  // A log does not have the delay of addresses.
  const addressDelayMs = config.network?.addressDelayMs;
  const ofFit = { ...(addressDelayMs !== undefined && { addressDelayMs }), ...fitted.network };
  return { experiment: experimentOf(others, { ...config, network: ofFit }, settings), fitted };
}

/**
 * The network fitted to a finished crawl, if `--network` names one, if the settings of a file do, or if the graph is
 * that of a crawl and `--network` is not given.
 * @throws InputError as fitNetwork.
 */
async function fittedNetwork(
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
