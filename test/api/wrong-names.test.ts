import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { crawlLive, resumeCrawl } from '../../src/crawl.ts';
import {
  fitNetwork, InputError, openGraph, readStudy, simulate, tune, type WebGraph,
} from '../../src/index.ts';
import { definePolicy } from '../../src/policy.ts';
import { createPagedQueue, createQueue, openPagedQueue } from '../../src/queue.ts';
import { FrontierServer } from '../../src/urlfrontier.ts';
import { orbweaver } from '../cli/command.ts';
import { temporaryFolder } from '../temporary-folder.ts';

// Goal: whoever mistypes a name learns at each door of the library which one is meant, as on the command line, and
// nothing where no name is near.

const { folder, file } = temporaryFolder();
let graph: WebGraph;
beforeAll(async () => { graph = await openGraph('star'); });

const simulated = (input: object) => () => simulate(graph, input);
const crawled = (request: object) => () => crawlLive(join(folder, 'never'), {
  experiment: {}, live: { contact: 'test@localhost' }, seeds: ['http://a.test/'], ...request,
});
const live = (input: object) => crawled({ live: { contact: 'test@localhost', ...input } });
const defined = (fields: object) => () => definePolicy({
  name: 'mine', title: 'mine', make: () => ({ key: () => 0, score: () => 0 }), ...fields,
});
const option = (fields: object) => defined({ options: { step: { description: 'd', default: 1, ...fields } } });
const queued = (fields: object) => () => createQueue({ kind: 'cbt', block: 4, seed: 1, ...fields });
let studies = 0;
const study = (text: string) => () => readStudy(file(`${studies++}.yaml`, `graph: star\n${text}`));

type Row = readonly [call: () => unknown, meant: string | undefined, field?: string];
const doors: Readonly<Record<string, readonly Row[]>> = {
  simulate: [
    [simulated({ policy: 'opik' }), 'opic', 'policy'], [simulated({ policy: 'zzz' }), undefined, 'policy'],
    [simulated({ maxPage: 3 }), 'maxPages', 'maxPage'], [simulated({ 'max-pages': 3 }), 'maxPages', 'max-pages'],
    [simulated({ delay: 3 }), 'politenessMs', 'delay'], [simulated({ threads: 3 }), 'robots', 'threads'],
    [simulated({ latencyMs: 3 }), 'network.latencyMs', 'latencyMs'], [simulated({ netwrok: {} }), 'network', 'netwrok'],
    [simulated({ network: { latencyMS: 3 } }), 'latencyMs', 'network.latencyMS'],
    [simulated({ network: { preset: 'broadbnd' } }), 'broadband', 'network.preset'],
    [simulated({ queue: { kind: 'quikheap' } }), 'quickheap', 'queue.kind'],
    [simulated({ queue: { blok: 4 } }), 'block', 'queue.blok'],
    [simulated({ queue: { slicing: 'exat' } }), 'exact', 'queue.slicing'],
    [simulated({ partition: 'host-hsh' }), 'host-hash', 'partition'],
    [simulated({ partition: 'hots' }), undefined, 'partition'], [simulated({ exchange: 'blk' }), 'bulk', 'exchange'],
    [simulated({ superstepLimit: 'aut' }), 'auto', 'superstepLimit'],
    [simulated({ policyOptions: { opicWindo: 4 } }), 'opicWindow', 'policyOptions.opicWindo'],
    [simulated({ policyOptions: { xyz: 4 } }), undefined, 'policyOptions.xyz'],
    [simulated({ policy: 'weighted', policyOptions: { weights: { opik: 1 } } }), 'opic', 'policyOptions.weights.opik'],
    [simulated({ qqqqqqqqqqqqqqqqqqqq: 1 }), undefined, 'qqqqqqqqqqqqqqqqqqqq'],
  ],
  tune: [[() => tune(graph, { policy: 'opik' }, [1]), 'opic', 'policy']],
  crawlLive: [
    [crawled({ experimnt: {} }), 'experiment', 'experimnt'], [crawled({ seed: [] }), 'seeds', 'seed'],
    [crawled({ experiment: { polcy: 'opic' } }), 'policy', 'polcy'],
    [crawled({ experiment: { policy: 'opc' } }), 'opic', 'policy'],
    [crawled({ experiment: { contact: 'x' } }), 'live.contact', 'contact'],
    [crawled({ experiment: { network: {} } }), undefined, 'network'],
    [live({ maxDept: 3 }), 'maxDepth', 'live.maxDept'], [live({ maxPages: 3 }), 'experiment.maxPages', 'live.maxPages'],
    [live({ robotsTxt: 'obay' }), 'obey', 'live.robotsTxt'],
    [live({ scope: [{ domian: 'x.test' }] }), 'domain', 'live.scope.0.domian'],
  ],
  openGraph: [
    [() => openGraph('docs-wbe'), 'docs-web'], [() => openGraph('sstar'), 'star'],
    [() => openGraph('in-204'), 'in-2004'],
    [() => openGraph('./nothing/at/all.csv'), undefined],
  ],
  fitNetwork: [
    [() => fitNetwork('broadbnd'), 'broadband'], [() => fitNetwork(join(folder, 'nothing')), undefined],
  ],
  readStudy: [
    [() => readStudy('polices'), 'policies'], [() => readStudy(join(folder, 'nothing.yaml')), undefined],
    [study('axe: {}'), 'axes'], [study('axes: { polcy: [opic] }'), 'policy'],
    [study('axes: { policy: [opik] }'), 'opic'],
    [study('axes: { seed: [1] }\nexperiment: { maxPage: 3 }'), 'maxPages'],
  ],
  definePolicy: [
    [defined({ titel: 'x' }), 'title', 'titel'], [defined({ need: [] }), 'needs', 'need'],
    [defined({ needs: ['amount'] }), 'amounts', 'needs'], [defined({ needs: ['zzz'] }), undefined, 'needs'],
    [defined({ author: 'me' }), undefined, 'author'], [option({ type: 'intger' }), 'integer', 'options.step'],
    [option({ type: 'number', minimun: 1 }), 'minimum', 'options.step'],
    [option({ enum: ['a'], defalt: 'a' }), 'default', 'options.step'],
    [option({ type: 'number', multipleOf: 2 }), undefined, 'options.step'],
  ],
  queues: [
    [queued({ kind: 'quikheap' }), 'quickheap', 'kind'], [queued({ kind: 'binaryheap' }), 'binary-heap', 'kind'],
    [queued({ kind: 'zzz' }), undefined, 'kind'], [queued({ kind: 'quikheap', slices: 2 }), 'quickheap', 'kind'],
    [queued({ kind: 'quikheap', memoryBytes: 1e9, path: join(folder, 'q') }), 'quickheap', 'kind'],
    [() => createPagedQueue({ kind: 'cbtt', path: join(folder, 'q') } as never), 'cbt', 'kind'],
    [() => openPagedQueue({ kind: 'cbtt', path: join(folder, 'q') } as never), 'cbt', 'kind'],
  ],
  'a frontier': [
    [() => FrontierServer.listen({ store: join(folder, 'f'), policy: 'opik' }), 'opic', 'policy'],
    [
      () => FrontierServer.listen({ store: join(folder, 'f'), options: { opicWindo: 1 } }), 'opicWindow',
      'policyOptions.opicWindo',
    ],
  ],
};

async function refusal(call: () => unknown): Promise<InputError> {
  try {
    await call();
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe.each(Object.entries(doors))('%s', (_, rows) => {
  const cases = rows.map(([call, meant, field], i) => [i, meant, call, field] as const);
  test.each(cases)('%i: %s', async (_i, meant, call, field) => {
    const error = await refusal(call);
    expect(/did you mean (\S+?)\?(?:;|$)/m.exec(error.message)?.[1]).toBe(meant);
    expect(error.field).toBe(field);
  });
});

test('several wrong names have a suggestion each', async () => {
  const { message } = await refusal(simulated({ maxPage: 1, robot: 2, policy: 'opik' }));
  expect(message.match(/did you mean \S+\?/g)!.map((text) => text.slice(13, -1)).sort())
    .toEqual(['maxPages', 'opic', 'robots']);
});

test('a resumed crawl names the limit that was meant', async () => {
  const path = join(folder, 'resumed');
  await crawlLive(path, {
    experiment: {}, live: { contact: 'test@localhost' }, seeds: ['http://a.test/'],
  }, { signal: AbortSignal.abort() });
  const { message } = await refusal(() => resumeCrawl(path, { maxPage: 3 } as object));
  expect(message).toMatch(/did you mean maxPages\?$/);
});

test.each([
  ['--policy', 'opik', { policy: 'opik' }], ['--queue', 'quikheap', { queue: { kind: 'quikheap' } }],
  ['--network', 'broadbnd', { network: { preset: 'broadbnd' } }], ['--partition', 'hots', { partition: 'hots' }],
])('the command line has the same suggestion for %s %s', async (flag, name, input) => {
  const question = (text: string): string => /; did you mean .*\?$/m.exec(text)?.[0] ?? '';
  const { stderr } = await orbweaver(['simulate', 'star', flag, name], folder);
  expect(question(stderr)).toBe(question((await refusal(simulated(input))).message));
});
