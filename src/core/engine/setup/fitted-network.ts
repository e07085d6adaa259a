import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkText, didYouMean, InputError } from '../../../base/index.ts';
import { readTimedFetches, type TimedFetch } from '../../../graphs/formats/index.ts';
import { recordPartial } from '../../measure/index.ts';
import { networkPresetNames, type Experiment, type ExperimentInput } from '../../settings/index.ts';
import { checksumText, fitNetwork as fitTo, type NetworkFit, type Observation } from '../../simulation/index.ts';

/** A network fitted to a finished crawl. */
export interface FittedNetwork {
  /** The settings of an experiment on it, which name the fit by its checksum. */
  readonly network: NonNullable<ExperimentInput['network']>;
  /** Facts about single hosts and pages, which `simulate` needs too. */
  readonly fit: NetworkFit;
}

/**
 * Fits the simulated network to a finished crawl.
 *
 * @param path - the folder of a live crawl; its `crawl.log`, a `crawl.log` of Heritrix, or a table with columns for
 * URL, start, duration, bytes and status.
 * @returns settings of the network, and the fit, which `simulate` takes as `fit`.
 * @throws InputError if there is no such log, if the crawl has not ended, fetched nothing or met one host, or for
 * durations that are negative.
 */
export async function fitNetwork(path: string): Promise<FittedNetwork> {
  checkText('path', path);
  const observations = (await readTimedFetches(logOf(path))).flatMap(observed);
  try {
    const fit = fitTo(observations);
    return { fit, network: { ...fit.network, fit: { file: path, sha256: fitChecksum(fit) } } };
  } catch (error) {
    if (error instanceof InputError) throw new InputError(`${path}: ${error.message}`);
    throw error;
  }
}

function logOf(path: string): string {
  const kind = statSync(path, { throwIfNoEntry: false });
  if (kind === undefined) {
    throw new InputError(
      `${path}: there is no such folder or file, nor a network preset of that name${didYouMean(path, networkPresetNames)}`,
    );
  }
  if (!kind.isDirectory()) return path;
  const log = join(path, 'crawl.log');
  if (!existsSync(log)) throw new InputError(`${path}: contains no crawl.log; a network is fitted to a finished crawl`);
  if (existsSync(join(path, recordPartial)))
    throw new InputError(`${path}: its crawl still runs, or was killed; finish it first (orbweaver crawl --resume)`);
  return log;
}

/** None for a URL that is not valid. */
function observed(fetch: TimedFetch): Observation[] {
  if (!URL.canParse(fetch.url)) return [];
  const { host, pathname, search } = new URL(fetch.url);
  const { outcome: kind, isForRobotsTxt, startUs, durationUs, bytes, pauseUs = 0 } = fetch;
  const { connectedUs, firstByteUs, endUs, address } = fetch;
  const isWhole = firstByteUs !== undefined && endUs !== undefined;
  return [{
    host, path: pathname + search, kind, isForRobotsTxt, startUs, durationUs, bytes, pauseUs, address,
    connectUs: connectedUs,
    // A robot is not free before the page is read and stored: that, too, does not depend on its size.
    latencyUs: isWhole ? firstByteUs - (connectedUs ?? 0) + durationUs - endUs : undefined,
    transferUs: isWhole ? endUs - firstByteUs : undefined,
  }];
}

function fitChecksum(fit: NetworkFit): string {
  const hash = createHash('sha256');
  for (const text of checksumText(fit)) hash.update(text);
  return hash.digest('hex');
}

/**
 * The fit that an experiment names; undefined if it names none.
 * @throws InputError if it is missing, or another one.
 */
export function fitOf({ network: { fit: entry } }: Experiment, fit: NetworkFit | undefined): NetworkFit | undefined {
  if (entry === undefined) return undefined;
  const field = 'network.fit';
  if (fit === undefined)
    throw new InputError(`network: needs what was fitted to ${entry.file} (--network ${entry.file})`, { field });
  const sha256 = fitChecksum(fit);
  if (sha256 === entry.sha256) return fit;
  throw new InputError(
    `${entry.file}: gives another fit than the experiment names: its SHA-256 is ${sha256}, not ${entry.sha256}`,
    { field },
  );
}
