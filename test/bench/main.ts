import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { BenchReport } from '../../src/questions/bench/index.ts';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { writeOwg } from '../../src/graphs/formats/index.ts';
import type { WebGraph } from '../../src/graphs/graph/index.ts';
import build from '../build.ts';
import { builtScripts } from '../built-scripts.ts';
import { printCrawl, type CrawlBenchOptions, type CrawlReport } from './crawl/crawl.ts';
import { benchDefaults, defaultsCsv, shareOfCells, type DefaultsCell } from '../answers/defaults.ts';
import { ProgressLine } from '../../src/cli/text/progress.ts';
import { benchCluster, clusterDefaults, clusterText } from './commands/cluster.ts';
import { benchDashboard, printDashboard } from './commands/dashboard.ts';
import { benchEffectiveness, effectivenessText } from './commands/effectiveness.ts';
import { benchExchange, printExchange } from './exchange.ts';
import { benchForeign } from './commands/foreign.ts';
import { benchFrontier } from './commands/frontier.ts';
import { benchLimits, limitCaseText } from '../answers/limits.ts';
import { planBeside, planBesideText, wholeGrid } from '../answers/plans.ts';
import { benchGrowing } from './growing/growing.ts';
import { benchLinear, writeLinear } from './linear.ts';
import { benchLoad } from './load.ts';
import { printReport } from './print-report.ts';
import { benchIndexing } from './search/indexing.ts';
import { benchSearch } from './search/search.ts';
import { benchTables } from './search/tables.ts';
import { benchWorkers } from './commands/workers.ts';
import { benchProcesses, printProcesses } from './commands/processes.ts';
import { composed } from './rank/compose.ts';
import { benchRank } from './rank/rank.ts';
import { benchBuilds, benchProcessors, benchSimulate, processorsText } from './simulate.ts';
import { benchStatistics } from './growing/statistics.ts';

/** The bench of the live crawl, by what is built of it. */
async function benchCrawlAsBuilt(options: CrawlBenchOptions): Promise<CrawlReport> {
  build();
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
  try {
    const scriptOf = await builtScripts(
      folder, ...['process', 'server'].map((name) => new URL(`./crawl/${name}.ts`, import.meta.url)),
    );
    const [script, server] = ['process', 'server'].map((name) => fileURLToPath(scriptOf(name)));
    const child = fork(script, [JSON.stringify({ ...options, server })], { execArgv: [] });
    const gone = once(child, 'exit').then(() => { throw new Error('the bench ended without a report'); });
    const [report] = await Promise.race([once(child, 'message'), gone]) as [CrawlReport];
    gone.catch(() => undefined);
    return report;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    gapbs: { type: 'string' },
    'gapbs-f64': { type: 'string' },
    prpack: { type: 'string' },
    'url-frontier': { type: 'string' },
    arcs: { type: 'string', default: '5e7' },
    swapped: { type: 'string', default: '0.05' },
    threads: { type: 'string', default: '1' },
    brief: { type: 'boolean', default: false },
    out: { type: 'string' },
    pages: { type: 'string', default: '3000' },
    hosts: { type: 'string', default: '64' },
    connections: { type: 'string', default: '32' },
    crawlee: { type: 'string' },
    folders: { type: 'string' },
    only: { type: 'string' },
    live: { type: 'boolean', default: false },
    against: { type: 'string' },
    'superstep-limit': { type: 'string' },
    python: { type: 'string', default: 'python3' },
    crawls: { type: 'string' },
  },
});

const benches: Record<string, (graph: string, rounds: number) => Promise<BenchReport>> = {
  simulate: async (graph, rounds) =>
    values.against === undefined
      ? benchSimulate(await openGraph(graph), rounds) : benchBuilds(graph, rounds, values.against),
  growing: benchGrowing,
  statistics: benchStatistics,
  frontier: (urls, rounds) =>
    benchFrontier(Number(urls), rounds, values['url-frontier'] ?? process.env['URL_FRONTIER']),
  workers: (graph, rounds) => benchWorkers(graph, rounds, (text) => { console.error(text); }),
  indexing: (folders, rounds) => benchIndexing(folders.split(','), rounds, values.crawls?.split(',')),
  search: (path) => benchSearch(path, { maxQueries: 1000, python: values.python }),
  tables: (documents, rounds) => benchTables(Number(documents), rounds, (text) => { console.error(text); }),
  foreign: (pages, rounds) => benchForeign(Number(pages), rounds),
  load: async (graph, rounds) => benchLoad(await openGraph(graph), rounds),
  rank: async (graph, rounds) => {
    const gapbs = {
      ...(values.gapbs && { f32: values.gapbs }), ...(values['gapbs-f64'] && { f64: values['gapbs-f64'] }),
    };
    const { prpack, threads, brief } = values;
    return benchRank(await openGraph(graph), rounds, { gapbs, prpack, threads: Number(threads), brief });
  },
};

/** What is named where benches of graphs name one. */
const subjects: Readonly<Record<string, string>> = {
  linear: '1e5,1e6,1e7', frontier: '20000', cluster: String(clusterDefaults.seconds), foreign: '1e6',
  tables: '250000',
};
const roundsOf: Readonly<Record<string, string>> = {
  linear: '3', effectiveness: '3', workers: '5', foreign: '3', tables: '5', indexing: '3',
  cluster: String(clusterDefaults.rounds),
};
const [what = '', graph = subjects[what] ?? 'docs-web', rounds = roundsOf[what] ?? '9'] = positionals;
const others = ['processes', 'processors', 'linear', 'exchange', 'crawl', 'defaults', 'limits', 'plan', 'compose',
  'dashboard', 'cluster', 'effectiveness'];
if (!((what in benches || others.includes(what)) && Number(rounds) >= (what === 'effectiveness' ? 0 : 1))) {
  console.error(`usage: npm run bench -- WHAT [GRAPH] [ROUNDS] [--json], WHAT one of: ${[...Object.keys(benches), ...others].join(', ')}
simulate also: [--against FOLDER], a built checkout of another commit: the same simulation by both builds, in turn
rank also: [--gapbs PATH] GAPBS's pr as shipped, [--gapbs-f64 PATH] built with double for ScoreT and kDamp, [--prpack PATH] a
program of yours that runs PRPACK's sccgs as test/bench/rank/prpack.ts describes, [--threads T], [--brief] without the
plain versions and the steps
npm run bench -- growing GRAPH[:PAGES]|aN|cN [ROUNDS]: distances and components while arcs arrive, pruned and as printed, beside
C++: the first pages (500) in the order of a crawl; SPAWC's cubic graph of N pages; the complete graph of N pages
npm run bench -- compose GRAPH,... --out FILE.owg [--arcs N] [--swapped SHARE]: copies of real graphs in turn, 5e7 links or
more in all, of which a share (.05) exchange their targets: composed, not crawled
npm run bench -- processes [GRAPH] [ROUNDS] [--python PATH] with scipy and igraph, [--against FOLDER]: whole commands beside
'node -e 0', another build, scipy and igraph
npm run bench -- workers [GRAPH] [ROUNDS]: a study by this process, and by one and two workers over redis-server
npm run bench -- cluster [SECONDS] [ROUNDS] [--json]: what a superstep costs on 1, 2 and 3 nodes, over redis-server: so many
seconds of supersteps (0.4) for each number of processors and pairs, in each round (5); some 4 minutes
npm run bench -- foreign [PAGES] [ROUNDS] [--json]: pages (1e6) of other machines, in memory and in the store
npm run bench -- indexing DIR,... [ROUNDS] [--crawls PATH,...] [--json]: the index of folders of HTML, and of crawls of them
or their archives, beside parsing the files alone
npm run bench -- search NAME.index [--python PATH] [--json]: what a search takes, and plain BM25 beside tantivy's (its Python
package), for 1,000 known items
npm run bench -- tables [DOCUMENTS] [ROUNDS] [--json]: queries of an index of generated documents (250000) beside one table of
words, and beside Compass's 3,000 tables
npm run bench -- linear [ARCS,...] [ROUNDS] [--out FILE.html] [--json]: generated graphs of so many arcs, 1e5,1e6,1e7 by default
crawl also: [--pages N] of each side, [--hosts H] that the graph is dealt out to, [--folders DIR,...] of HTML instead of a
graph, a host each, [--connections C], [--only TEXT] in the name of a side, [--crawlee FOLDER] where @crawlee/http and
@crawlee/cheerio are installed
npm run bench -- frontier [URLS] [ROUNDS] [--json]: PutURLs and GetURLs of serve frontier beside a bare gRPC server, and
beside the reference service, [--url-frontier DIR] or URL_FRONTIER=DIR: a checkout of it that Maven has built
npm run bench -- processors [GRAPH] [ROUNDS] [--json]: simulations by 8, 256 and 1,024 processors, in turn: time and memory
npm run bench -- defaults [GRAPH[:SECONDS],...] [--out FILE.csv]: the defaults of R_x and pending jobs beside fixed values
npm run bench -- dashboard [GRAPH] [ROUNDS] [--live] [--superstep-limit N] [--json]: what the dashboard costs a browser,
and a simulation, or a live crawl of the graph, served on loopback; needs Chromium
npm run bench -- effectiveness NAME.index [ROUNDS] [--json]: BM25F tuned on half of 2,000 queries of each kind drawn from an
index, in so many rounds over its parameters (3; 0: as it is), and Compass, BM25F and BM25 judged by the other half
npm run bench -- plan [GRAPH,...]: a plan for 80 % of the rank beside a search of all 384 settings`);
  process.exitCode = 2;
} else if (what === 'processes') {
  const { python, against } = values;
  const report = benchProcesses({ graph, opened: await openGraph(graph), rounds: Number(rounds), python, against });
  if (values.json) console.log(JSON.stringify(report, null, 2));
  else printProcesses(report);
} else if (what === 'dashboard') {
  const report = await benchDashboard({
    graph, isLive: values.live, rounds: Number(rounds), superstepLimit: values['superstep-limit'],
    supersteps: 10_000, processors: 64, seconds: 10, pins: true,
  });
  if (values.json) console.log(JSON.stringify(report, null, 2));
  else printDashboard(report);
} else if (what === 'limits') {
  console.log('What is named; then by kind the share of the time, and (what twice as much brings)');
  await benchLimits((one) => { console.log(limitCaseText(one)); });
} else if (what === 'plan') {
  for (const name of graph.split(','))
    console.log(planBesideText(await planBeside(await openGraph(name), '80% of rank', wholeGrid)));
} else if (what === 'defaults') {
  const jobs = graph.split(',').map((job) => {
    const [name, seconds] = job.split(':');
    return { graph: name, maxSeconds: job.includes(':') ? Number(seconds) : undefined };
  });
  const percent = (cells: readonly DefaultsCell[], ratio: number): string =>
    `${(100 * shareOfCells(cells, ratio)).toFixed(1)} % of cells have ${ratio} of the best or more at every quarter`;
  const cells = await benchDefaults(jobs, ({ graph, policy, processors, robots, ratios }) => {
    console.error(`${graph} ${policy} P ${processors} r ${robots}: ${ratios.map((one) => one.toFixed(3)).join(' ')}`);
  });
  if (values.out !== undefined) writeFileSync(values.out, defaultsCsv(cells));
  console.log(`${cells.length} cells: ${percent(cells, 0.95)}, ${percent(cells, 0.85)}`);
} else if (what === 'crawl') {
  const [pages, hosts, connections] = [values.pages, values.hosts, values.connections].map(Number);
  const report = await benchCrawlAsBuilt({
    graph, rounds: Number(rounds), pages, hosts, connections, only: values.only, crawlee: values.crawlee,
    folders: values.folders?.split(','),
  });
  if (values.json) console.log(JSON.stringify(report, null, 2));
  else printCrawl(report);
} else if (what === 'effectiveness') {
  const report = await benchEffectiveness(graph, 2000, Number(rounds), (text) => { console.error(text); });
  console.log(values.json ? JSON.stringify(report, null, 2) : effectivenessText(report));
} else if (what === 'compose') {
  const graphs: WebGraph[] = [];
  for (const name of graph.split(',')) graphs.push(await openGraph(name));
  const whole = composed(graphs, Number(values.arcs), Number(values.swapped));
  if (values.out !== undefined) await writeOwg(whole, values.out);
  console.log(`${whole.name}: ${whole.pages} pages, ${whole.arcs} links`);
} else if (what === 'processors') {
  const report = await benchProcessors(graph, Number(rounds));
  console.log(values.json ? JSON.stringify(report, null, 2) : processorsText(report));
} else if (what === 'cluster' && !(Number(graph) > 0)) {
  console.error(`${graph}: must be a number of seconds greater than 0`);
  process.exitCode = 2;
} else if (what === 'cluster') {
  const report = await benchCluster(
    { ...clusterDefaults, seconds: Number(graph), rounds: Number(rounds) }, new ProgressLine(process.stderr),
  );
  console.log(values.json ? JSON.stringify(report, null, 2) : clusterText(report));
} else if (what === 'exchange') {
  const cases = await benchExchange(await openGraph(graph));
  if (values.json) console.log(JSON.stringify(cases, null, 2));
  else printExchange(cases);
} else if (what === 'linear' && !graph.split(',').every((arcs) => Number(arcs) >= 100 && Number(arcs) <= 1e9)) {
  console.error(`${graph}: must be numbers of arcs from 100 to 1e9, with commas between them`);
  process.exitCode = 2;
} else if (what === 'linear') {
  const cases = await benchLinear(graph.split(',').map(Number), Number(rounds), (row) => {
    if (!values.json) {
      console.log(
        `${row.arcs} arcs, ${row.pagesFetched} pages: ${row.simulationMs.toFixed(0)} ms, ${((1e6 * row.simulationMs) / row.arcs).toFixed(1)} ns an arc, ` +
          `${row.ratio.median.toFixed(2)} x the bare crawl (${row.ratio.min.toFixed(2)} to ${row.ratio.max.toFixed(2)})`,
      );
    }
  });
  if (values.json) console.log(JSON.stringify(cases, null, 2));
  if (values.out !== undefined) await writeLinear(cases, Number(rounds), values.out);
} else {
  const report = await benches[what](graph, Number(rounds));
  if (values.json) console.log(JSON.stringify(report, null, 2));
  else printReport(report);
}
