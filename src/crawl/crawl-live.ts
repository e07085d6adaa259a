import { join } from 'node:path';
import { z } from 'zod';
import {
  checkUserPolicies, fieldOf, simulatedOnly, type LiveCrawlInput, type LiveCrawlSettings,
} from '../settings/index.ts';
import { parseLiveCrawl, shippedPolicies } from '../policy/index.ts';
import { processorByName } from '../engine/index.ts';
import {
  checkSettings, liveSchema, openLmdbStore, type CrawlStore, type LiveInput, type LiveSettings,
} from '../live/index.ts';
import { recordFiles } from '../measure/index.ts';
import { InputError } from '../base/index.ts';
import { decodeCheckpoint } from './checkpoint/checkpoint.ts';
import { newFolder, writeInto } from './folder.ts';
import { canonicalSeeds } from './seeds.ts';
import type { LiveCrawlOptions, LiveResult, StoredCrawl } from './live-crawl.ts';
import { runSession } from './session.ts';

/** What a live crawl is asked to do. */
export interface LiveCrawlRequest {
  /** Order, processors and limits; what only a simulation has is refused. */
  readonly experiment: LiveCrawlInput;
  /** What only a live crawl has: whom to contact, what may be fetched, from where. */
  readonly live: LiveInput;
  /** URLs of the pages to start from. */
  readonly seeds: readonly string[];
}

const storedSchema = ({ settings } = shippedPolicies) => z.strictObject({
  experiment: z.preprocess((stored) => withoutSimulation(stored), settings.liveCrawl), live: liveSchema,
  seeds: z.array(z.string()),
});

/** Stores of version 0.1.0 hold settings of simulations too, which mean nothing to a live crawl. */
function withoutSimulation(stored: unknown, path = ''): unknown {
  if (stored === null || typeof stored !== 'object' || Array.isArray(stored)) return stored;
  const fields = Object.entries(stored).filter(([name]) => !simulatedOnly.includes(path + name));
  return Object.fromEntries(fields.map(([name, value]) => [name, withoutSimulation(value, `${path}${name}.`)]));
}

/**
 * Crawls the web from some pages, into `folder`, which must not hold anything yet (README.md tells what it holds then).
 *
 * @param folder - path of the folder.
 * @param input - settings and URLs to start from.
 * @param options - who listens, who steers, and what settings cannot say.
 * @returns the record of the crawl, its figures, and the graph of what it knows.
 * @throws InputError for settings, seeds or a folder that cannot be used; WorldError where the disk refuses: the crawl
 * can be resumed then.
 */
export async function crawlLive(
  folder: string, input: LiveCrawlRequest, options: LiveCrawlOptions = {},
): Promise<LiveResult> {
  const experiment = parseLiveCrawl(input.experiment, shippedPolicies.with(options.policies));
  const live = parseLive(input.live);
  // What cannot be is refused before anything is on disk.
  checkSettings(live);
  const seeds = canonicalSeeds(input.seeds, live);
  checkLive(experiment, options);
  await newFolder(folder);
  const stored = { experiment, live, seeds };
  const store = await openLmdbStore(join(folder, 'store'), stored);
  try {
    return await run(folder, store, stored, options);
  } finally {
    await store.close();
  }
}

/**
 * Goes on with a crawl that ended, or was ended, at any moment. Limits may be other ones than before; all else stays as
 * it was.
 *
 * @param folder - path of the crawl's folder.
 * @param limits - limits in the place of earlier ones; those left out stay.
 * @param options - as of `crawlLive`; policies and scores must be those of before.
 * @returns the record of the whole crawl, as of `crawlLive`.
 * @throws as crawlLive; InputError where the folder holds no crawl.
 */
export async function resumeCrawl(
  folder: string, limits: Pick<LiveCrawlInput, 'maxPages' | 'maxSeconds'> = {}, options: LiveCrawlOptions = {},
): Promise<LiveResult> {
  const store = await openLmdbStore(join(folder, 'store'));
  try {
    const policies = shippedPolicies.with(options.policies);
    const written = z.object({ experiment: z.unknown() }).safeParse(store.settings).data;
    checkUserPolicies(policies.settings.policies, written?.experiment);
    const stored = storedSchema(policies).safeParse(store.settings);
    if (!stored.success)
      throw new InputError(`${join(folder, 'store')}: holds settings that this version does not understand`);
    const experiment = parseLiveCrawl({ ...stored.data.experiment, ...limits }, policies);
    checkLive(experiment, options);
    checkLimits(limits, store, folder);
    return await run(folder, store, { ...stored.data, experiment }, options);
  } finally {
    await store.close();
  }
}

async function run(
  folder: string, store: CrawlStore, stored: StoredCrawl, options: LiveCrawlOptions,
): Promise<LiveResult> {
  const result = await runSession(folder, store, stored, options);
  await writeInto(folder, recordFiles(result));
  if (result.failure !== undefined) throw result.failure;
  return result;
}

/** @throws InputError for a limit that the crawl has passed already: its record would show less than is stored. */
function checkLimits(
  { maxPages, maxSeconds }: Pick<LiveCrawlInput, 'maxPages' | 'maxSeconds'>, store: CrawlStore, folder: string,
): void {
  if (maxPages === undefined && maxSeconds === undefined) return;
  const saved = store.lastCheckpoint();
  let fetched = 0;
  let spentUs = saved === undefined ? 0 : decodeCheckpoint(saved, join(folder, 'store')).barrierUs;
  for (const { kind, finishedAtUs } of store.visits()) {
    if (kind === 'fetched') fetched++;
    spentUs = Math.max(spentUs, finishedAtUs);
  }
  if (maxPages !== undefined && maxPages < fetched) {
    throw new InputError(
      `max pages ${maxPages}: the crawl has fetched ${fetched} already; give at least that, or more to go on`,
      { field: 'maxPages' },
    );
  }
  if (maxSeconds !== undefined && 1e6 * maxSeconds < spentUs) {
    const spent = Math.ceil(spentUs / 1e6);
    throw new InputError(
      `max seconds ${maxSeconds}: the crawl has taken ${spent} s already; give at least that, or more to go on`,
      { field: 'maxSeconds' },
    );
  }
}

/** @throws InputError for what a simulation can be asked for and a live crawl cannot. */
function checkLive(experiment: LiveCrawlSettings, { scores, policies }: LiveCrawlOptions): void {
  processorByName(experiment);
  const used = shippedPolicies.with(policies).settings.policiesUsed(experiment);
  const needy = used.find(({ needs }) => needs.includes('scores') || needs.includes('ranks'));
  if (needy !== undefined && scores === undefined) {
    throw new InputError(`policy ${needy.name}: needs scores by URL`, { field: 'scores' });
  }
}

function parseLive(input: LiveInput): LiveSettings {
  const parsed = liveSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  throw new InputError(issues.map(({ path, message }) => `live.${path.join('.')}: ${message}`).join('; '), {
    field: `live.${fieldOf(issues[0]) ?? ''}`,
  });
}
