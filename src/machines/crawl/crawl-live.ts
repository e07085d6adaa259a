import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import {
  checkedSettings, checkUserPolicies, simulatedOnly, withCurrentNames, withEarlierDefaults, type LiveCrawlInput,
  type LiveCrawlSettings,
} from '../../core/settings/index.ts';
import { parseLiveCrawl, shippedPolicies } from '../../core/policy/index.ts';
import { processorByName } from '../../core/engine/index.ts';
import {
  checkSettings, hasStoredCrawl, liveSchema, openLmdbStore, Scope, UrlFilter, urlMaker, type CrawlStore, type LiveInput,
  type LiveSettings,
} from '../../core/live/index.ts';
import { HOSTS_GIVEN_UP_FILE, recordFiles, recordPartial } from '../../core/measure/index.ts';
import { checkFields, checkText, InputError, wrongArgument } from '../../base/index.ts';
import { newFolder, writeInto } from './folder.ts';
import { liveCrawlOptionFields, type LiveCrawlOptions, type LiveResult, type StoredCrawl } from './live-crawl.ts';
import { checkNode, type StoredNode } from './nodes/node-options.ts';
import { latestUs } from './session/opened-crawl.ts';
import { runSession } from './session/session.ts';
import { nextLimits, storeLimits, type Limits } from './session/stored-end.ts';

/** The task of a live crawl. */
export interface LiveCrawlRequest {
  /** Order, processors and limits; settings that only simulations have are rejected. */
  readonly experiment: LiveCrawlInput;
  /** Settings of live crawls alone: whom to contact, what may be fetched, and from which addresses. */
  readonly live: LiveInput;
  /** URLs of the pages to start from. */
  readonly seeds: readonly string[];
}

const storedSchema = ({ settings } = shippedPolicies) => z.strictObject({
  experiment: z.preprocess((stored) => withoutSimulation(withEarlierDefaults(stored)), settings.liveCrawl),
  live: z.preprocess(withCurrentNames, liveSchema),
  seeds: z.array(z.string()),
  cluster: z.strictObject({ node: z.int().min(0), nodes: z.int().min(1), id: z.string() }).optional(),
});

/** Stores of version 0.1.0 also contain settings of simulations, which have no effect on a live crawl. */
function withoutSimulation(stored: unknown, path = ''): unknown {
  if (stored === null || typeof stored !== 'object' || Array.isArray(stored)) return stored;
  const fields = Object.entries(stored).filter(([name]) => !simulatedOnly.includes(path + name));
  return Object.fromEntries(fields.map(([name, value]) => [name, withoutSimulation(value, `${path}${name}.`)]));
}

/**
 * Crawls the web from some pages, into `folder`, which must be new or empty (README.md lists its files).
 *
 * @param folder - path of the folder.
 * @param input - settings and URLs to start from.
 * @param options - sinks, control, and what settings cannot express.
 * @returns the record of the crawl, its figures, and the graph of what it knows.
 * @throws InputError for settings, seeds or a folder that cannot be used; WorldError if the disk fails: the crawl
 * can be resumed then.
 */
export async function crawlLive(
  folder: string, input: LiveCrawlRequest, options: LiveCrawlOptions = {},
): Promise<LiveResult> {
  checkText('folder', folder);
  checkFields('the request', input, { experiment: true, live: true, seeds: true });
  checkFields('options', options, liveCrawlOptionFields);
  const { settings } = shippedPolicies.with(options.policies);
  const experiment = settings.parseLiveCrawl(input.experiment, (key, at) =>
    at.length === 0 && key in liveSchema.shape ? `did you mean live.${key}?` : undefined);
  const live = checkedSettings('live', liveSchema, input.live, (key, at) =>
    at.length === 0 && key in settings.liveCrawl.shape ? `did you mean experiment.${key}?` : undefined);
  // Invalid settings are rejected before anything is on disk.
  checkSettings(live);
  const seeds = canonicalSeeds(input.seeds, live);
  checkLive(experiment, options);
  const { node } = options;
  if (node !== undefined) checkNode(node, { experiment, live });
  await newFolder(folder);
  const stored = {
    experiment, live, seeds,
    ...(node !== undefined && { cluster: { node: node.node, nodes: node.nodes, id: randomUUID() } }),
  };
  const store = await openLmdbStore(join(folder, 'store'), stored);
  try {
    return await run(folder, store, stored, options);
  } finally {
    await store.close();
  }
}

/** Whether `folder` contains a crawl that can be resumed. @throws InputError if another process has it open. */
export function isResumable(folder: string): Promise<boolean> {
  return hasStoredCrawl(join(folder, 'store'));
}

/**
 * Resumes a crawl that ended or was killed at any moment. Limits may change; everything else stays as it was. Where a
 * crawl has come to its end and no limit lets it go on, nothing changes (`hadEnded`).
 *
 * @param folder - path of the crawl's folder.
 * @param limits - new limits; those left out stay as they were in the last session.
 * @param options - as for `crawlLive`; policies and scores must be the same as before.
 * @returns the record of the whole crawl, as for `crawlLive`.
 * @throws as crawlLive; InputError if the folder does not contain a crawl.
 */
export async function resumeCrawl(
  folder: string, limits: Limits = {}, options: LiveCrawlOptions = {},
): Promise<LiveResult> {
  checkText('folder', folder);
  checkFields('limits', limits, { maxPages: true, maxSeconds: true });
  checkFields('options', options, liveCrawlOptionFields);
  const store = await openLmdbStore(join(folder, 'store'));
  try {
    const policies = shippedPolicies.with(options.policies);
    const { experiment: storedExperiment } = z.object({ experiment: z.unknown() }).safeParse(store.settings).data ?? {};
    checkUserPolicies(policies.settings.policies, storedExperiment);
    const stored = storedSchema(policies).safeParse(store.settings);
    if (!stored.success)
      throw new InputError(`${join(folder, 'store')}: contains settings that this version does not understand`);
    const next = nextLimits(store, stored.data.experiment, limits);
    const experiment = parseLiveCrawl({ ...stored.data.experiment, ...next }, policies);
    checkLive(experiment, options);
    checkLimits(limits, nextLimits(store, stored.data.experiment, {}), store);
    checkPart(folder, stored.data.cluster, options);
    if (options.node !== undefined) checkNode(options.node, { ...stored.data, experiment });
    await storeLimits(store, next);
    return await run(folder, store, { ...stored.data, experiment }, options);
  } finally {
    await store.close();
  }
}

async function run(
  folder: string, store: CrawlStore, stored: StoredCrawl, options: LiveCrawlOptions,
): Promise<LiveResult> {
  const { node } = options;
  const result = await (
    node === undefined
      ? runSession(folder, store, stored, options)
      // Loaded with the first crawl on several machines: what speaks to Redis takes longer than most commands take.
      : (await import('./nodes/node-session.ts')).runNode(folder, store, stored, options, node)
  );
  await writeInto(folder, recordFiles(result));
  // An earlier session may have left one, whose hosts have answered since.
  if (result.hostsGivenUp === undefined) await rm(join(folder, HOSTS_GIVEN_UP_FILE), { force: true });
  await rm(join(folder, recordPartial), { recursive: true });
  if (result.failure !== undefined) throw result.failure;
  return result;
}

const seedFaults = { invalid: 'is not a URL', notHttp: 'is neither http nor https', long: 'is too long' } as const;

/** Canonical URLs of the pages to start from, none twice. @throws InputError for one that cannot be crawled. */
function canonicalSeeds(seeds: readonly string[], settings: LiveSettings): string[] {
  const field = 'seeds';
  if (!(seeds instanceof Array)) throw wrongArgument(field, 'a list of URLs', seeds);
  if (seeds.length === 0) throw new InputError('a crawl needs a URL to start from', { field });
  const filter = new UrlFilter(settings);
  const scope = new Scope(settings);
  const urlOf = urlMaker(settings);
  const canonical = new Set<string>();
  for (const seed of seeds) {
    const url = urlOf(seed);
    if (typeof url === 'string')
      throw new InputError(
        `${JSON.stringify(seed.slice(0, 200))}: ${seedFaults[url]}; use addresses like https://example.org/`,
        { field },
      );
    const refusal = filter.refuses(url) ?? (scope.hopsOf(url.href) === Infinity ? 'scope' : undefined);
    if (refusal !== undefined)
      throw new InputError(`${url.href}: is excluded by the filters of this crawl (${refusal})`, { field });
    if (canonical.has(url.href)) throw new InputError(`${url.href}: is named twice`, { field });
    canonical.add(url.href);
  }
  return [...canonical];
}

/** @throws InputError for a limit that the crawl has already passed: its record would show less than is stored. */
function checkLimits({ maxPages, maxSeconds }: Limits, last: Limits, store: CrawlStore): void {
  if (maxPages === undefined && maxSeconds === undefined) return;
  let fetched = 0;
  let spentUs = latestUs(store);
  for (const { kind, finishedAtUs } of store.visits()) {
    if (kind === 'fetched') fetched++;
    spentUs = Math.max(spentUs, finishedAtUs);
  }
  if (maxPages !== undefined && maxPages < fetched) {
    throw new InputError(
      `max pages ${maxPages}: the crawl has already fetched ${fetched}; set at least that, or more to continue`,
      { field: 'maxPages' },
    );
  }
  // Downloads that were open at its limit have taken longer.
  if (maxSeconds !== undefined && maxSeconds !== last.maxSeconds && 1e6 * maxSeconds < spentUs) {
    const spent = Math.ceil(spentUs / 1e5) / 10;
    throw new InputError(
      `max seconds ${maxSeconds}: the crawl has already taken ${spent} s; set at least that, or more to continue`,
      { field: 'maxSeconds' },
    );
  }
}

/** @throws InputError where a folder is resumed as another part of a crawl than it is. */
function checkPart(folder: string, stored: StoredNode | undefined, { node }: LiveCrawlOptions): void {
  if (stored?.node === node?.node && stored?.nodes === node?.nodes) return;
  const partOf = (part: Pick<StoredNode, 'node' | 'nodes'> | undefined): string =>
    part === undefined ? 'a crawl on one machine' : `node ${part.node} of a crawl on ${part.nodes}`;
  throw new InputError(
    `${folder}: is the folder of ${partOf(stored)}, and cannot go on as the one of ${partOf(node)}`, { field: 'node' },
  );
}

/** @throws InputError for settings that a simulation accepts and a live crawl does not. */
function checkLive(experiment: LiveCrawlSettings, { scores, policies }: LiveCrawlOptions): void {
  processorByName(experiment);
  const used = shippedPolicies.with(policies).settings.policiesUsed(experiment);
  const needy = used.find(({ needs }) => needs.includes('scores') || needs.includes('ranks'));
  if (needy !== undefined && scores === undefined) {
    throw new InputError(`policy ${needy.name}: needs scores by URL`, { field: 'scores' });
  }
}
