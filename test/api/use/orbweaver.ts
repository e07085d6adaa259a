import { mkdirSync, writeFileSync } from 'node:fs';
import {
  AssertionError, buildGraph, compareOrders, copying, copyingDefaults, defaultSeeds, fromGraphology, InputError,
  measureQuality, openGraph, opicRank, opicResidual, pageRank, pageRankResidual, policyNames, prepare, reach,
  readRunEvents, readRunJson, readStudy, recordFiles, reportHtml, RunControl, runStudy, simulate, toGraphology,
  trueRanks, tune, WorldError, writeOwg, type ExperimentInput, type Outcome, type RunSink, type SimulateOptions,
  type WebGraph,
} from 'orbweaver';

// Uses the door as a stranger would: type-checked and run where the package alone is installed.

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`does not hold: ${what}`);
}

const pair: WebGraph = buildGraph({
  name: 'pair', pages: 2, sources: Uint32Array.of(0, 1), targets: Uint32Array.of(1, 0),
});
await writeOwg(pair, 'pair.owg');
check((await openGraph('pair.owg')).arcs === 2, 'a graph that was stored is opened');
check(fromGraphology(toGraphology(pair), 'copy').arcs === 2, 'a graph goes to graphology and back');
const [row] = copying({ pages: 50, arcs: 100, seed: 1, ...copyingDefaults }).rows();
check(row instanceof Uint32Array, 'a synthetic graph has rows');

const graph = await openGraph('docs-web');
const prepared = prepare(graph);
const ranks = trueRanks(prepared);
check(pageRankResidual(graph, ranks, 0.85) < 1e-9, 'ranks are PageRank');
check(pageRank(pair).l1ErrorBound <= 1e-9, 'PageRank is certified');
check(opicResidual(pair, opicRank(pair).ranks) < 0.1, 'OPIC is near its limit');

let [fetched, ended] = [0, ''];
const counter: RunSink = {
  outcome: (_processor: number, { kind }: Outcome) => { if (kind === 'fetched') fetched++; },
  ended: (end) => { ended = end; },
};
const settings: ExperimentInput = { policy: 'opic', processors: 2, maxPages: 500 };
const control = new RunControl();
const options: SimulateOptions = { sinks: [counter], control, ranks };
const result = await simulate(prepared, settings, options);
const again = await simulate(graph, settings);
check(ended === 'page limit' && fetched >= 500, 'a sink hears of outcomes');
check(control.inspect()?.processors.length === 2, 'a control looks into the run');
check(result.run.replayHash === again.run.replayHash, 'a run replays');
check(compareOrders(result.events.order, again.events.order).divergence === null, 'the orders are equal');
const { reachable } = reach(prepared, defaultSeeds(graph).seeds);
const { order, times } = result.events;
const { pagerankArea } = measureQuality({ ranks, reachable, horizonPages: 500, order, times });
check(pagerankArea === result.run.summary.quality.pagerankArea, 'the figures can be made again');
mkdirSync('recorded');
for (const [name, content] of recordFiles(result)) writeFileSync(`recorded/${name}`, content);
const stored = await readRunJson('recorded');
check(stored.replayHash === result.run.replayHash, 'a record is written and read');
const events = await readRunEvents('recorded', stored);
check(compareOrders(events.order, order).divergence === null, 'its order is the order of the run');
check(reportHtml([{ label: 'opic', result }], { title: 'one run' }).startsWith('<!doctype html>'), 'a report is HTML');

const [tuned] = await tune(pair, {}, [1], { threads: 1 });
check(tuned instanceof Object && tuned.processors === 1, 'R_x is searched for');
const study = await readStudy('tiny');
const studied = await runStudy(await openGraph(study.graph), study, { cache: 'runs', workers: 1 });
check(studied.outcomes.length === studied.runs, 'a study is run');
check(policyNames.includes('opic'), 'policies have names');

try {
  await simulate(graph, { queue: { block: 0 } });
  check(false, 'bad settings are refused');
} catch (error) {
  check(error instanceof InputError && error.field === 'queue.block', 'an error names the setting');
}
const codes = [new AssertionError('').code, new InputError('').code, new WorldError('').code];
check(codes.join() === 'ORBWEAVER_INTERNAL,ORBWEAVER_INPUT,ORBWEAVER_WORLD', 'errors have codes');
