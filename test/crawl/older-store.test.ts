import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resumeCrawl } from '../../src/crawl/index.ts';
import { liveSchema, openLmdbStore } from '../../src/live/index.ts';
import { parseExperiment } from '../../src/policy/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

// Goal: a store of version 0.1.0, which holds the settings of a simulation too, goes on.

const { folder } = temporaryFolder();

test('a store with settings of a simulated network is resumed without them', async () => {
  const experiment = parseExperiment({ processors: 2, network: { latencyMs: 5 } });
  const live = liveSchema.parse({ contact: 'test@localhost' });
  const store = await openLmdbStore(join(folder, 'store'), { experiment, live, seeds: ['http://a.example/'] });
  await store.close();
  const { run } = await resumeCrawl(folder, {}, { signal: AbortSignal.abort() });
  expect(run.summary).toMatchObject({ ended: 'interrupted', pagesFetched: 0 });
  expect(run.experiment).toMatchObject({ processors: 2, pending: 384, live: { contact: 'test@localhost' } });
  expect(Object.keys(run.experiment)).not.toContain('network');
});

test('a store with a setting that nobody knows is refused', async () => {
  const live = liveSchema.parse({ contact: 'test@localhost' });
  const path = join(folder, 'strange');
  const experiment = { ...parseExperiment({}), speed: 1 };
  const store = await openLmdbStore(join(path, 'store'), { experiment, live, seeds: ['http://a.example/'] });
  await store.close();
  await expect(resumeCrawl(path)).rejects.toThrow('holds settings that this version does not understand');
});
