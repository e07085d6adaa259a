import { parseArgs } from 'node:util';
import type { BenchReport } from '../../src/bench/index.ts';
import { openGraph } from '../../src/dataset/index.ts';
import { benchExchange, printExchange } from './exchange.ts';
import { benchLoad } from './load.ts';
import { printReport } from './print-report.ts';
import { benchRank } from './rank.ts';
import { benchSimulate } from './simulate.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    gapbs: { type: 'string' },
    'gapbs-f64': { type: 'string' },
    threads: { type: 'string', default: '1' },
    brief: { type: 'boolean', default: false },
  },
});

const benches: Record<string, (graph: string, rounds: number) => Promise<BenchReport>> = {
  simulate: async (graph, rounds) => benchSimulate(await openGraph(graph), rounds),
  load: async (graph, rounds) => benchLoad(await openGraph(graph), rounds),
  rank: async (graph, rounds) => {
    const gapbs = { ...(values.gapbs && { f32: values.gapbs }), ...(values['gapbs-f64'] && { f64: values['gapbs-f64'] }) };
    return benchRank(await openGraph(graph), rounds, { gapbs, threads: Number(values.threads), brief: values.brief });
  },
};

const [what = '', graph = 'docs-web', rounds = '9'] = positionals;
if (what === 'exchange') {
  const cases = await benchExchange(await openGraph(graph));
  if (values.json) console.log(JSON.stringify(cases, null, 2));
  else printExchange(cases);
} else if (!(what in benches) || !(Number(rounds) >= 1)) {
  console.error(`usage: npm run bench -- WHAT [GRAPH] [ROUNDS] [--json], WHAT one of: ${Object.keys(benches).join(', ')}, exchange
rank also: [--gapbs PATH] GAPBS's pr as shipped, [--gapbs-f64 PATH] built with double for ScoreT and kDamp, [--threads T],
[--brief] without the plain versions and the steps`);
  process.exitCode = 2;
} else {
  const report = await benches[what](graph, Number(rounds));
  if (values.json) console.log(JSON.stringify(report, null, 2));
  else printReport(report);
}
