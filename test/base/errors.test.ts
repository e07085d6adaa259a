import { expect, test } from 'vitest';
import { AssertionError, InputError, isOwnError, WorldError } from '../../src/base/index.ts';
import { networkError } from '../../src/graphs/catalogue/http-get.ts';
import { crawlLive } from '../../src/machines/crawl/index.ts';
import { RunControl, simulate, tune } from '../../src/core/engine/index.ts';
import { buildGraph } from '../../src/graphs/graph/index.ts';
import { definePolicy } from '../../src/core/policy/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

// Goal: a program can tell what went wrong, and which setting is to blame, without reading messages.

const graph = buildGraph({ name: 'pair', pages: 2, sources: Uint32Array.of(0, 1), targets: Uint32Array.of(1, 0) });
const { folder, file } = temporaryFolder();
const reasonOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(() => 'fulfilled', (error: unknown) => error);

test('each class has a code', () => {
  expect(new AssertionError('').code).toBe('ORBWEAVER_INTERNAL');
  expect(new InputError('').code).toBe('ORBWEAVER_INPUT');
  expect(new WorldError('').code).toBe('ORBWEAVER_WORLD');
  const cause = new Error('why');
  expect(new InputError('', { cause, field: 'robots' })).toMatchObject({ cause, field: 'robots' });
});

test.each([
  ['queue.block', { queue: { block: 0 } }],
  ['processors', { robots: 0.5, processors: 0 }],
  ['robotz', { robotz: 1 }],
  ['network.latencies', { network: { latencies: 1 } }],
  ['seedPages', { seedPages: [2] }],
  ['seedPages', { seedPages: [1, 1] }],
  ['scores', { policy: 'scores' }],
  ['policyOptions.weights', { policy: 'weighted' }],
  ['queue.memoryBytes', { queue: { memoryBytes: 1 } }],
] as readonly (readonly [string, object])[])('a simulation names the setting: %s', async (field, settings) => {
  const error = await reasonOf(simulate(graph, settings));
  expect(error).toBeInstanceOf(InputError);
  expect(error).toMatchObject({ code: 'ORBWEAVER_INPUT', field });
});

test.each([
  ['live.contact', { live: { contact: '' } }],
  ['live.allowNetworks', { live: { contact: 'me@localhost', allowNetworks: ['10.0.0.1/8'] } }],
  ['live.resolve', { live: { contact: 'me@localhost', resolve: [{ host: '*', address: 'here', port: 80 }] } }],
  ['maxPages', { experiment: { maxPages: 0 } }],
  ['partition', { experiment: { partition: 'lpt' } }],
  ['seeds', { seeds: ['ftp://example.org/'] }],
] as readonly (readonly [string, object])[])('a live crawl names the setting: %s', async (field, part) => {
  const usual = { experiment: {}, live: { contact: 'me@localhost' }, seeds: ['http://localhost/'] };
  const error = await reasonOf(crawlLive('/nowhere/at/all', { ...usual, ...part }));
  expect(error).toBeInstanceOf(InputError);
  expect(error).toMatchObject({ field });
});

test('so do a control, a search for R_x and the definition of a policy', async () => {
  const error = await reasonOf(tune(graph, {}, [1], { epsilon: 2 }));
  expect(error).toMatchObject({ field: 'epsilon' });
  const fieldOf = (act: () => unknown): unknown => {
    try {
      return act();
    } catch (thrown) {
      return (thrown as InputError).field;
    }
  };
  expect(fieldOf(() => { new RunControl().setRobots(0); })).toBe('robots');
  const make = () => ({ key: () => 0, score: () => 0 });
  expect(fieldOf(() => definePolicy({ name: 'Mine', title: 'mine', make }))).toBe('name');
  expect(fieldOf(() => definePolicy({ name: 'mine', title: '', make }))).toBe('title');
});

test('our codes are not taken for those of the system', async () => {
  for (const error of [new AssertionError('a'), new InputError('b'), new WorldError('c')]) {
    expect(isOwnError(error)).toBe(true);
    expect(networkError('https://example.org/', error)).toBe(error);
  }
  expect(isOwnError(Object.assign(new Error('d'), { code: 'ENOENT' }))).toBe(false);
  file('letters.txt', '');
  const request = { experiment: {}, live: { contact: 'me@localhost' }, seeds: ['http://localhost/'] };
  expect(await reasonOf(crawlLive(folder, request))).toMatchObject({
    message: expect.stringContaining('contains other files') as string,
  });
});
