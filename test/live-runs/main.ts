import { parseArgs } from 'node:util';
import { policyNames } from '../../src/core/policy/index.ts';
import { MAX_QUESTION_STEPS, robotsTxt } from '../../src/base/web/robots/robots-txt.ts';
import { newFolder } from '../cli/command.ts';
import { killedNodes } from '../cluster/kills/killed-nodes.ts';
import { killsTable } from '../cluster/kills/kills-table.ts';
import { manyKills, replayOf, type KilledCrawl } from '../cluster/kills/many-kills.ts';
import { predictNodes } from '../cluster/live/node-prediction.ts';
import { hostileFiles, hostilePaths } from '../web/robots/hostile-files.ts';
import { crawlDocs, packagesAbsent } from './docs.ts';
import { fullDisks } from './full-disk.ts';
import { hostileRobotsCrawl } from './robots/hostile-robots.ts';
import { killedCrawl } from './killing.ts';
import { OrderBench } from './orders.ts';
import { crawlDeadHosts, crawlOutages } from './outages.ts';
import { limitsOf, predict, predictionCases } from './predictions.ts';
import { readRobotsFiles } from './robots/robots-files.ts';

const usage = `usage: npm run live -- orders [--pages N] [--policy NAME] [--nodes N,N] | kills [--kills N] [--pages N] [--hosts N] [--seed N]
                          [--nodes N,N] [--scope]
                          | docs [--root DIR] [--out DIR] | hostile-robots [--seconds N] | robots --root DIR
                          | disks [--moments N] [--command NAME] | predictions [--pages N] [--nodes N]
                          | outages [--webs N] [--seed N]

  orders   live crawls of docs-web on loopback held against simulations, page by page, for every policy with 1 and 2 processors
  kills    a crawl of a synthetic graph on loopback, ended (SIGKILL, SIGINT, SIGTERM, time limit) and resumed N times; needs dist/ (npm run build).
           With --scope: within a scope with links beyond it, and without query parameters that each link has
           with --nodes 2,3,4: crawls on so many nodes, of N pages (600) each, until N things have happened: kill -9 of a node, or of Redis,
           FLUSHALL, SIGSTOP for longer than the lease, SIGTERM, a second process for a node; --hosts 1: webs of one host. orders --nodes 2,3: the order of so many nodes held
           against that of one machine, for every policy
  docs     three of Debian's documentation packages (below / or --root, into which dpkg-deb -x may have put them) served and crawled, held against
           a link checker, and against a simulation of what was crawled; needs dist/. DIR/live has the crawl with its texts, for
           orbweaver index DIR/live --out docs.index && orbweaver study searchers --graph DIR/live --index docs.index
  hostile-robots   the dearest questions about robots.txt that the tests know, timed; then a crawl of N seconds (20) of eight hosts
           that make them and sixteen good ones, beside one in which all are good
  robots   what questions about a folder of robots.txt files cost, and which of them depend on whether a Crawl-delay ends a run
           of User-agent lines
  disks    every command that writes, on a disk that is full at N moments, spread over what it writes: by ulimit -f and,
           where this process may mount one, on a disk of 3 MB; then again with room; needs dist/
  predictions   six crawls on loopback, of webs of N pages (2000), each predicted from a complete crawl of the same web under another
           policy and with half the robots: pages, time and order, as a table; 20 minutes; with --nodes: five crawls on N nodes of
           webs of N pages (1000) that are bound by delays, each beside a simulation of it

  outages  N webs (50) on loopback whose robots.txt, hosts, names or whole network are out at drawn times, for 1 s to 10 minutes of a clock
           300 times as fast: every page is to be fetched, and none denied; then webs with a fifth of the hosts dead; 10 minutes

  npm run live -- orders --pages 20746
  npm run live -- kills --kills 200 --pages 5000
  npm run live -- kills --kills 200 --nodes 2,3,4
  npm run live -- kills --kills 60 --nodes 2,3,4 --hosts 1
  npm run live -- docs --root /tmp/packages --out runs/docs
  npm run live -- disks --moments 20`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string' }, policy: { type: 'string' }, kills: { type: 'string' }, seed: { type: 'string' },
    root: { type: 'string' }, seconds: { type: 'string' }, out: { type: 'string' }, moments: { type: 'string' },
    command: { type: 'string' }, nodes: { type: 'string' }, hosts: { type: 'string' }, webs: { type: 'string' },
    scope: { type: 'boolean' },
  },
});

/** Of the webs that are crawled; undefined: as the generator draws them. */
const hosts = values.hosts === undefined ? undefined : Number(values.hosts);

/** @returns the exit code. */
async function ordersOfNodes(counts: readonly number[]): Promise<number> {
  let code = 0;
  for (const policy of policyNames.filter((name) => values.policy === undefined || name === values.policy)) {
    for (const nodes of counts) {
      const options = { nodes, pages: Number(values.pages ?? 600), kills: 0, seed: Number(values.seed ?? 1) };
      const { isSameOrder, final, faults } = await killedNodes({ ...options, isTimeless: true, policy });
      if (!isSameOrder || faults.length > 0) code = 1;
      console.log(`${policy}, N = ${nodes}: ${final.length} pages, ${isSameOrder ? 'the same order' : 'ANOTHER ORDER'}`);
      for (const fault of faults) console.log(fault);
    }
  }
  return code;
}

/** @returns the exit code: 1 if the median of five crawls is off by more than a tenth. */
async function predictionsOfNodes(nodes: number): Promise<number> {
  const ratios: number[] = [];
  for (const seed of [1, 2, 3, 4, 5]) {
    const one = await predictNodes({ nodes, pages: Number(values.pages ?? 1000), seed });
    const ratio = one.predictedSeconds / one.seconds;
    ratios.push(ratio);
    console.log(
      `N = ${nodes}, seed ${seed}: ${one.pages} pages in ${one.seconds.toFixed(1)} s; simulated ${one.predictedPages} in ` +
      `${one.predictedSeconds.toFixed(1)} s (${(100 * (ratio - 1)).toFixed(1)} %)`,
    );
  }
  const median = ratios.sort((a, b) => a - b)[2];
  console.log(`median ${(100 * (median - 1)).toFixed(1)} %`);
  return Math.abs(median - 1) > 0.1 ? 1 : 0;
}

/** @returns the exit code: 1 if anything does not hold, or less happened than was to happen. */
async function killsOfNodes(nodeCounts: readonly number[]): Promise<number> {
  const options = {
    nodeCounts, pages: Number(values.pages ?? 600), kills: Number(values.kills ?? 200), seed: Number(values.seed ?? 1),
    maxKillsPerCrawl: 12, hosts,
  };
  const crawls: KilledCrawl[] = [];
  const beganMs = performance.now();
  let happened = 0;
  const minutes = (ms: number): string => (ms / 60_000).toFixed(1);
  await manyKills(options, (crawl) => {
    crawls.push(crawl);
    const { nodes, seed, isTimeless, killed: { events, final }, faults } = crawl;
    const spentMs = performance.now() - beganMs;
    console.log(
      `seed ${seed}, N = ${nodes}, ${isTimeless ? 'without time' : 'with delays'}: ${events.length} events, ${final.length} pages, ` +
      `${faults.length === 0 ? 'all holds' : `${faults.length} FAULTS`}; ${happened} of ${options.kills} events in ${minutes(spentMs)} min, ` +
      `${minutes(spentMs * (options.kills / Math.max(1, happened) - 1))} min left`,
    );
    for (const fault of faults.slice(0, 20)) console.log(fault);
    if (faults.length > 0) console.log(`replay: ${replayOf(crawl, options)}`);
  }, (count, event) => {
    happened = count;
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${count} of ${options.kills}: ${event} `);
  });
  console.log(killsTable(crawls));
  return crawls.some(({ faults }) => faults.length > 0) ? 1 : 0;
}

/** @returns the exit code. */
async function orders(): Promise<number> {
  if (values.nodes !== undefined) return ordersOfNodes(values.nodes.split(',').map(Number));
  const bench = await OrderBench.open(Number(values.pages ?? 20_746));
  let code = 0;
  try {
    for (const policy of policyNames.filter((name) => values.policy === undefined || name === values.policy)) {
      for (const processors of [1, 2]) {
        const { simulated, live } = await bench.compare(policy, processors);
        const differs = simulated.findIndex((pages, id) => pages.join('\n') !== live[id].join('\n'));
        if (differs >= 0) code = 1;
        const pages = live.reduce((sum, one) => sum + one.length, 0);
        console.log(
          `${policy}, P = ${processors}: ${pages} pages, ${differs < 0 ? 'the same order' : `ANOTHER ORDER on processor ${differs}`}`,
        );
      }
    }
  } finally {
    await bench.close();
  }
  return code;
}

async function kills(): Promise<number> {
  if (values.nodes !== undefined) return killsOfNodes(values.nodes.split(',').map(Number));
  let code = 0;
  const options = {
    pages: Number(values.pages ?? 5000), kills: Number(values.kills ?? 200), seed: Number(values.seed ?? 1), hosts,
    scope: values.scope,
  };
  await killedCrawl(options, (killing) => {
    const {
      ends, killsUnderWay, undisturbed, final, repeats, unexplained, maxInFlight, robots, breaches, restsAcrossEnds,
      recordFaults, archive, otherReach, beyondScope, pagesOfWeb,
    } = killing;
    const isSame = undisturbed.join('\n') === final.join('\n');
    const counts = (['SIGKILL', 'SIGINT', 'SIGTERM', 'time limit'] as const).map(
      (way) => `${ends.filter((end) => end === way).length} ${way}`,
    );
    console.log(
      `${ends.length - 1} ends (${counts.join(', ')}), ${killsUnderWay} kills with requests under way; an end asked for took at most ${Math.round(killing.longestEndMs)} ms`,
    );
    console.log(
      `${final.length} pages, ${isSame ? 'those' : 'NOT THOSE'} of the undisturbed crawl (${undisturbed.length}); ` +
        `${otherReach.length} at another depth, or other hops beyond the scope`,
    );
    if (options.scope === true) console.log(`of ${pagesOfWeb} pages of the web, ${beyondScope} of those fetched are beyond the scope`);
    console.log(
      `${repeats} fetches repeated, ${unexplained.length} of pages not under way at an end; at most ${maxInFlight} under way at one, of ${robots} robots`,
    );
    console.log(
      `${breaches.length} breaches of politeness, Crawl-delay, Retry-After or back-off; ${restsAcrossEnds} rests had an end within them`,
    );
    console.log(
      `${recordFaults.length} faults in records; archive: ${archive.records} records read, ${archive.faults.length} faults, ${archive.missing.length} pages without one`,
    );
    for (const fault of recordFaults) console.log(fault);
    for (const { what, host, earlier, later } of breaches.slice(0, 10))
      console.log(
        `${what} ${host}: ${later.path} ${later.startedAtUs - earlier.endedAtUs} us after ${earlier.path} (${earlier.status})`,
      );
    const faults =
      otherReach.length + unexplained.length + breaches.length + recordFaults.length + archive.faults.length +
      archive.missing.length;
    if (!isSame || faults > 0 || maxInFlight > robots) code = 1;
  });
  if (code !== 0)
    console.log(
      `replay: npm run live -- kills --kills ${options.kills} --pages ${options.pages} --seed ${options.seed}` +
        (hosts === undefined ? '' : ` --hosts ${hosts}`) + (options.scope === true ? ' --scope' : ''),
    );
  return code;
}

async function docs(): Promise<number> {
  const { root = '/', out = newFolder() } = values;
  const absent = packagesAbsent(root);
  if (absent.length > 0) {
    console.log(
      `skipped: not below ${root}: ${absent.join(', ')} (apt-get download PACKAGE, dpkg-deb -x PACKAGE_*.deb DIR, then --root DIR)`,
    );
    return 0;
  }
  const isSame = await crawlDocs(root, out, console.log);
  console.log(`in ${out}`);
  return isSame ? 0 : 1;
}

async function predictions(): Promise<number> {
  if (values.nodes !== undefined) return predictionsOfNodes(Number(values.nodes));
  console.log('| web | network | pages | time | predicted | off by | pages in common | tau-b |\n|---|---|---|---|---|---|---|---|');
  let code = 0;
  for (const one of predictionCases) {
    const { pages, seconds, predictedSeconds, common, tauB } = await predict(one, Number(values.pages ?? 2000));
    const off = predictedSeconds / seconds - 1;
    const limits = limitsOf(one);
    const isGood = Math.abs(off) <= limits.time && common >= limits.common && tauB >= limits.tauB;
    if (!isGood) code = 1;
    const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
    const cells = [
      one.graph, one.network, pages, `${seconds.toFixed(1)} s`, `${predictedSeconds.toFixed(1)} s`, percent(off),
      percent(common), `${tauB.toFixed(3)}${isGood ? '' : ' (BEYOND THE LIMITS)'}`,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
  return code;
}

async function outages(): Promise<number> {
  const [webs, first] = [Number(values.webs ?? 50), Number(values.seed ?? 1)];
  let [code, count, longest, pages] = [0, 0, 0, 0];
  const report = (line: string, faults: readonly string[], seed: number): void => {
    console.log(`${line}: ${faults.length === 0 ? 'all holds' : faults.join('; ').toUpperCase()}`);
    if (faults.length === 0) return;
    code = 1;
    console.log(`replay: npm run live -- outages --webs 1 --seed ${seed}`);
  };
  for (let seed = first; seed < first + webs; seed++) {
    const web = await crawlOutages(seed);
    count += web.outages.length;
    pages += web.pages;
    longest = Math.max(longest, ...web.outages.map(({ seconds }) => seconds));
    report(
      `seed ${seed}: ${web.hosts} hosts, ${web.pages} pages, ${web.outages.length} outages, ${web.seconds.toFixed(0)} s`,
      web.faults, seed,
    );
  }
  console.log(`${webs} webs, ${pages} pages, ${count} outages of up to ${longest} s`);
  for (let seed = first; seed < first + Math.ceil(webs / 10); seed++) {
    const { seconds, secondsWithout, faults } = await crawlDeadHosts(seed);
    report(
      `seed ${seed}: a fifth of the hosts dead, ${seconds.toFixed(0)} s; without them ${secondsWithout.toFixed(0)} s`,
      faults, seed,
    );
  }
  return code;
}

async function disks(): Promise<number> {
  const counts = new Map<string, { full: number; roomy: number; wrong: number }>();
  const { command } = values;
  const options = {
    moments: Number(values.moments ?? 20), mounts: true, ...(command !== undefined && { commands: [command] }),
  };
  const onDisks = await fullDisks(options, ({ command, room, code, problems }) => {
    const how = 'limit' in room ? 'ulimit -f' : 'disk of 3 MB';
    const count = counts.get(`${command}, ${how}`) ?? { full: 0, roomy: 0, wrong: 0 };
    counts.set(`${command}, ${how}`, count);
    count[code === 0 ? 'roomy' : 'full']++;
    if (problems.length === 0) return;
    count.wrong++;
    console.log(
      `${command}, ${how}, room for ${'limit' in room ? room.limit : room.free} bytes: ${problems.join('; ')}`,
    );
  });
  for (const [name, { full, roomy, wrong }] of counts)
    console.log(`${name}: ${full} moments full, ${roomy} with room enough; ${wrong} WRONG`);
  if (onDisks === undefined) console.log('no disk of 3 MB was tried: this process may not mount one');
  return [...counts.values()].some(({ wrong }) => wrong > 0) ? 1 : 0;
}

/** CPU and not time, for other processes share the cores; the least of five. */
function questionMs(file: string, path: string): { readonly ms: number; readonly steps: number } {
  const rules = robotsTxt(Buffer.from(file), 'orbweaver');
  const url = new URL(path, 'http://bad.test');
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    rules.judge(url);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return { ms: Math.min(...times), steps: rules.judge(url).steps };
}

async function hostileRobots(): Promise<number> {
  const questions = Object.entries(hostileFiles())
    .flatMap(([name, file]) => hostilePaths.map((path) => ({ name, path, ...questionMs(file, path) })))
    .sort((a, b) => b.ms - a.ms);
  for (const { name, path, ms, steps } of questions.slice(0, 5)) {
    const share = (100 * steps / MAX_QUESTION_STEPS).toFixed(0);
    console.log(`${ms.toFixed(2)} ms of CPU, ${share} % of the steps: ${name}, of ${path.slice(0, 20)}...`);
  }
  const goodPages: number[] = [];
  for (const isHostile of [false, true]) {
    const maxSeconds = Number(values.seconds ?? 20);
    const experiment = { maxSeconds, politenessMs: 500, superstepMs: 1000, processors: 1, robots: 32, pending: 20_000 };
    const crawl = await hostileRobotsCrawl({ hostileHosts: 8, goodHosts: 16, pages: 400, experiment, isHostile });
    goodPages.push(crawl.goodPages);
    const ends = Array.from(crawl.ends, ([end, count]) => `${count} ${end}`).join(', ');
    console.log(
      `${isHostile ? 'eight hostile' : 'all good'}: ${crawl.goodPages} pages of the sixteen, ${crawl.cpuSeconds.toFixed(1)} s of CPU`,
    );
    console.log(`  the eight: ${ends}`);
  }
  const share = goodPages[1] / goodPages[0];
  console.log(`the sixteen have ${(100 * share).toFixed(1)} % of their pages`);
  return share >= 0.95 ? 0 : 1;
}

function robots(): Promise<number> {
  const { files, questions, dearest, delaying, unnamedDiffer, namedDiffer } = readRobotsFiles(values.root ?? '.');
  const { file, agent, share } = dearest;
  console.log(`${files} files, ${questions} questions`);
  console.log(`the dearest takes ${(100 * share).toFixed(1)} % of the steps that it may (${file}, as ${agent})`);
  const all = new Set([...unnamedDiffer, ...namedDiffer].map((one) => one.file));
  console.log(`${delaying} have a Crawl-delay; whether it ends a run of User-agent lines matters in ${all.size}:`);
  for (const [who, differ] of [['a crawler not named there', unnamedDiffer], ['one that is', namedDiffer]] as const) {
    console.log(`  for ${who}, in ${new Set(differ.map(({ file }) => file)).size}`);
    for (const { file, agent, deniedIfMerged, deniedIfSplit } of differ) {
      console.log(
        `    ${file}, ${agent}: ${deniedIfMerged} of its paths denied only if not, ${deniedIfSplit} only if so`,
      );
    }
  }
  return Promise.resolve(share < 1 ? 0 : 1);
}

const commands: Record<string, (() => Promise<number>) | undefined> = {
  orders, kills, docs, disks, predictions, outages, 'hostile-robots': hostileRobots, robots,
};
const command = commands[positionals[0] ?? ''];
if (command === undefined) console.log(usage);
process.exitCode = command === undefined ? 2 : await command();
