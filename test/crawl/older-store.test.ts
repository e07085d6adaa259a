import { join } from 'node:path';
import { serialize } from 'node:v8';
import { expect, test } from 'vitest';
import { crawlLive, resumeCrawl } from '../../src/machines/crawl/index.ts';
import { liveSchema, openLmdbStore } from '../../src/core/live/index.ts';
import { loadPolicy, parseExperiment, type PolicyDefinition } from '../../src/core/policy/index.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';

// Goal: a store of version 0.1.0, which holds the settings of a simulation too, goes on; one that cannot, or not
// without its user's policy, is refused in one sentence.

const { folder, file } = temporaryFolder();

test('a store with settings of a simulated network is resumed without them', async () => {
  const experiment = parseExperiment({ processors: 2, network: { latencyMs: 5 } });
  const live = liveSchema.parse({ contact: 'test@localhost' });
  const store = await openLmdbStore(join(folder, 'store'), { experiment, live, seeds: ['http://a.example/'] });
  await store.close();
  const { run } = await resumeCrawl(folder, {}, { signal: AbortSignal.abort() });
  expect(run.summary).toMatchObject({ ended: 'interrupted', pagesFetched: 0 });
  expect(run.experiment).toMatchObject({ processors: 2, live: { contact: 'test@localhost' } });
  expect(Object.keys(run.experiment)).not.toContain('network');
});

test('a store of a version that charged a delay for denied pages goes on to do so', async () => {
  const live = liveSchema.parse({ contact: 'test@localhost' });
  const written = [['lacks', {}, 'delay'], ['has', { deniedCost: 'none' }, 'none']] as const;
  for (const [name, settings, deniedCost] of written) {
    const path = join(folder, `store that ${name} it`);
    const fields = Object.entries(parseExperiment({})).filter(([field]) => field !== 'deniedCost');
    const earlier = Object.fromEntries(fields);
    const store = await openLmdbStore(
      join(path, 'store'), { experiment: { ...earlier, ...settings }, live, seeds: ['http://a.example/'] },
    );
    await store.close();
    const { run } = await resumeCrawl(path, {}, { signal: AbortSignal.abort() });
    expect(run.experiment).toMatchObject({ deniedCost });
  }
});

test('a store with a setting that nobody knows is refused', async () => {
  const live = liveSchema.parse({ contact: 'test@localhost' });
  const path = join(folder, 'strange');
  const experiment = { ...parseExperiment({}), speed: 1 };
  const store = await openLmdbStore(join(path, 'store'), { experiment, live, seeds: ['http://a.example/'] });
  await store.close();
  await expect(resumeCrawl(path)).rejects.toThrow('contains settings that this version does not understand');
});

test('a store with a checkpoint of an older version is refused in one sentence', async () => {
  const path = join(folder, 'older');
  const experiment = parseExperiment({ network: {} });
  const live = liveSchema.parse({ contact: 'test@localhost' });
  const store = await openLmdbStore(join(path, 'store'), { experiment, live, seeds: ['http://a.example/'] });
  await store.note({ firstPage: 0, pages: [{ url: 'http://a.example/', depth: 0, redirects: 0 }] });
  const state = serialize({ form: 'orbweaver crawl checkpoint 1', processors: [], columns: [] });
  await store.checkpoint({ superstep: 0, barrierUs: 0, state });
  await store.close();
  expect(await inputErrorOf(resumeCrawl(path, {}, { signal: AbortSignal.abort() }))).toMatch(
    /older\/store: contains a checkpoint of an older version of Orbweaver; continue with that version, or start the crawl again$/,
  );
});

test('a crawl that was begun with a policy from a file goes on with that file alone', async () => {
  const path = join(folder, 'own');
  const policyOf = (key: string): string => `export default { name: 'mine', title: 't', make: ({ state }) => {
    const page = state.pages({ seen: Uint32Array });
    return { know: (local) => { page.seen[local] = local; }, key: ${key}, score: () => 1 };
  } };`;
  const mine = await loadPolicy(file('mine.js', policyOf('(local) => page.seen[local]')));
  const live = { contact: 'test@localhost' };
  const begun = await crawlLive(
    path, { experiment: { policy: 'mine' }, live, seeds: ['http://a.example/'] },
    { policies: [mine], signal: AbortSignal.abort() },
  );
  expect(begun.run.experiment.userPolicies).toEqual([expect.objectContaining({ name: 'mine', ...mine.origin })]);

  const resumed = (policies: PolicyDefinition[]) => resumeCrawl(path, {}, { policies, signal: AbortSignal.abort() });
  expect(await inputErrorOf(resumed([]))).toMatch(/^policy mine: is in .*mine\.js \(SHA-256 [0-9a-f]{64}\), which must be named again/);
  const other = await loadPolicy(file('other.js', policyOf('(local) => local')));
  expect(await inputErrorOf(resumed([other]))).toMatch(
    /^policy mine: .*other\.js is not the policy that the settings name: its SHA-256 is [0-9a-f]{64}, not [0-9a-f]{64}$/,
  );
  // The file may lie elsewhere by now.
  const moved = await loadPolicy(file('moved.js', policyOf('(local) => page.seen[local]')));
  const { run } = await resumed([moved]);
  expect(run.experiment.userPolicies).toEqual([expect.objectContaining({ name: 'mine', ...moved.origin })]);
});
