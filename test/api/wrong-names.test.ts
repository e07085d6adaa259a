import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { crawledPages, crawlLive, resumeCrawl } from '../../src/crawl.ts';
import {
  buildGraph, compareOrders, copying, copyingDefaults, defaultSeeds, fitNetwork, fromGraphology, InputError,
  measureQuality, openGraph, opicRank, opicResidual, pageRank, pageRankResidual, prepare, reach, readRunEvents,
  readRunJson, readStudy, recordFiles, reportHtml, runStudy, simulate, toGraphology, trueRanks, tune, writeOwg,
  type WebGraph,
} from '../../src/index.ts';
import { definePolicy, loadPolicy } from '../../src/policy.ts';
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

const asked = { experiment: {}, live: { contact: 'test@localhost' }, seeds: ['http://a.test/'] };

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
  'options of a run': [
    [() => simulate(graph, {}, { sink: [] } as object), 'sinks', 'sink'],
    [() => simulate(graph, {}, { makeQueues: 1 } as object), undefined, 'makeQueues'],
    [() => tune(graph, {}, [1], { epsilo: 0.1 } as object), 'epsilon', 'epsilo'],
    [async () => runStudy(graph, await readStudy('tiny'), { cach: folder } as never), 'cache', 'cach'],
    [() => crawlLive(join(folder, 'never'), asked, { onpage: () => undefined } as object), 'onPage', 'onpage'],
    [() => resumeCrawl(join(folder, 'never'), {}, { onpage: () => undefined } as object), 'onPage', 'onpage'],
  ],
  'options of graphs, ranks and measures': [
    [() => openGraph('star', { fetchOnly: true } as object), 'fetchedOnly', 'fetchOnly'],
    [() => pageRank(graph, { dampng: 0.5 } as object), 'damping', 'dampng'],
    [() => opicRank(graph, { tolerence: 1e-3 } as object), 'tolerance', 'tolerence'],
    [
      () => copying({ ...copyingDefaults, pages: 9, arcs: 9, seed: 1, danglin: 1 } as never), 'dangling', 'danglin',
    ],
    [() => reportHtml([], { titel: 'x' } as never), 'title', 'titel'],
  ],
  'options of queues': [
    [queued({ blok: 4 }), 'block', 'blok'],
    [() => createPagedQueue({ kind: 'cbt', pat: 'x' } as never), 'path', 'pat'],
    [() => openPagedQueue({ pat: 'x' } as never), 'path', 'pat'],
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

const noGraph = /^graph: must be a web graph: await openGraph\("docs-web"\) \(given: "docs-web"\)$/;
const noText = (place: string): RegExp => new RegExp(`^${place}: must be a text \\(given: `);
const noObject = (place: string): RegExp => new RegExp(`^${place}: must be an object`);
const name = 'docs-web' as never;
const nothing = undefined as never;
const shapes: Readonly<Record<string, readonly [call: () => unknown, message: RegExp]>> = {
  'simulate a name': [() => simulate(name, {}), noGraph],
  'simulate a promise': [() => simulate(openGraph('star') as never, {}), /^graph: .*given: a promise; await it\)$/],
  'simulate nothing': [() => simulate(nothing, {}), /^graph: must be a web graph, such as openGraph returns/],
  'simulate by nothing': [() => simulate(graph, nothing), /^experiment: is missing$/],
  'simulate by a policy': [() => simulate(graph, 'opic' as never), /^experiment: must be an object \(given: "opic"\)$/],
  'simulate with a list': [() => simulate(graph, {}, [] as never), noObject('options')],
  'tune a name': [() => tune(name, {}, [1]), noGraph],
  'tune for a number': [() => tune(graph, {}, 4 as never), /^processors: must be a list of numbers \(given: 4\)$/],
  'prepare a name': [() => prepare(name), noGraph],
  'reach of a name': [() => reach(name, [0]), noGraph],
  'reach of no seeds': [() => reach(graph, nothing), /^seeds: must be page ids/],
  'ranks of a name': [() => trueRanks(name), noGraph],
  'PageRank of a name': [() => pageRank(name), noGraph],
  'residual of a name': [() => pageRankResidual(name, new Float64Array(1), 0.85), noGraph],
  'OPIC of a name': [() => opicRank(name), noGraph],
  'residual of OPIC of a name': [() => opicResidual(name, new Float64Array(1)), noGraph],
  'seeds of a name': [() => defaultSeeds(name), noGraph],
  'a name as graphology': [() => toGraphology(name), noGraph],
  'no graphology': [() => fromGraphology(graph as never, 'x'), /^from: must be a graph of graphology/],
  'store a name': [() => writeOwg(name, join(folder, 'x.owg')), noGraph],
  'store nowhere': [() => writeOwg(graph, nothing), noText('path')],
  'copying nothing': [() => copying(nothing), noObject('options')],
  'build nothing': [() => buildGraph(nothing), noObject('parts')],
  'open nothing': [() => openGraph(nothing), noText('the graph')],
  'open a graph': [() => openGraph(graph as never), /^the graph: must be a text \(given: another object\)$/],
  'fit nothing': [() => fitNetwork(nothing), noText('path')],
  'orders as lists': [() => compareOrders([1] as never, [1] as never), /^first: must be a Uint32Array .*given: a list/],
  'quality of nothing': [() => measureQuality(nothing), /^input: must be an object with the typed arrays ranks, reachable/],
  'read no folder': [() => readRunJson(nothing), noText('folder')],
  'events of no run': [() => readRunEvents(folder, nothing), /^run: must be what readRunJson returns/],
  'files of no result': [() => recordFiles(nothing), /^result: must be what simulate returns/],
  'report of no list': [() => reportHtml(nothing, { title: 'x' }), /^runs: must be a list/],
  'read no study': [() => readStudy(nothing), noText('the study')],
  'run a study by its name': [
    () => runStudy(graph, 'tiny' as never, { cache: folder }),
    /^study: must be what readStudy returns \(given: "tiny"\)$/,
  ],
  'run a study without options': [async () => runStudy(graph, await readStudy('tiny'), nothing), noObject('options')],
  'run a study of a name': [async () => runStudy(name, await readStudy('tiny'), { cache: folder }), noGraph],
  'crawl nowhere': [() => crawlLive(nothing, nothing), noText('folder')],
  'crawl nothing': [() => crawlLive(join(folder, 'never'), nothing), noObject('the request')],
  'resume nowhere': [() => resumeCrawl(nothing), noText('folder')],
  'pages of no folder': [() => crawledPages(nothing).next(), noText('folder')],
  'a queue of nothing': [() => createQueue(nothing), noObject('options')],
  'a queue of a name': [() => createQueue('cbt' as never), noObject('options')],
  'a file of nothing': [() => createPagedQueue(nothing), noObject('options')],
  'no file': [() => openPagedQueue({} as never), noText('path')],
  'no policy': [() => definePolicy(nothing), /^policy undefined: a name consists of/],
  'a policy of no file': [() => loadPolicy(nothing), noText('file')],
};

test.each(Object.entries(shapes))('arguments of the wrong shape: %s', async (_, [call, message]) => {
  expect((await refusal(call)).message).toMatch(message);
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

describe('values of another kind', () => {
  const mine = definePolicy({ name: 'mine', title: 'mine', make: () => ({ key: () => 0, score: () => 0 }) });
  const ran = (options: object, input: unknown = {}) => () => simulate(graph, input as object, options);
  const crawl = (options: object, request: object = {}) => () =>
    crawlLive(join(folder, 'never'), { ...asked, ...request }, options);

  test.each<readonly [call: () => unknown, message: RegExp]>([
    [ran({ policies: mine }), /^options\.policies: must be a list of policies/],
    [ran({ policies: [null] }), /^options\.policies: must be a list of policies/],
    [ran({ sinks: 3 }), /^options\.sinks: must be a list of sinks/],
    [ran({ control: {} }), /^options\.control: must be a RunControl/],
    [ran({ onStatistics: 'x' }), /^options\.onStatistics: must be a function/],
    [ran(Promise.resolve({})), /^options: must be .* \(given: a promise; await it\)$/],
    [ran({}, Promise.resolve({ policy: 'opic' })), /^experiment: must be an object of settings \(given: a promise/],
    [crawl({ signal: new AbortController() }), /^options\.signal: must be an AbortController's signal/],
    [crawl({ onPage: 3 }), /^options\.onPage: must be a function/],
    [crawl({ graceMs: 'a' }), /^options\.graceMs: must be a number of milliseconds/],
    [crawl({ lookup: 3 }), /^options\.lookup: must be a function/],
    [crawl({ retryFailed: 'yes' }), /^options\.retryFailed: must be true or false/],
    [crawl({}, { seeds: 'http://a.test/' }), /^seeds: must be a list of URLs/],
  ])('%s', async (call, message) => {
    const error: unknown = await Promise.resolve().then(call).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InputError);
    expect((error as Error).message).toMatch(message);
  });
});
