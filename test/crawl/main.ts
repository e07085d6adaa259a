import { parseArgs } from 'node:util';
import { policyNames } from '../../src/experiment/index.ts';
import { newFolder } from '../cli/command.ts';
import { crawlDocs, packagesAbsent } from './docs.ts';
import { killedCrawl } from './killing.ts';
import { OrderBench } from './orders.ts';

const usage = `usage: npm run live -- orders [--pages N] [--policy NAME] | kills [--kills N] [--pages N] [--seed N]
                          | docs [--root DIR] [--out DIR]

  orders   live crawls of docs-web on loopback held against simulations, page by page, for every policy with 1 and 2 processors
  kills    a crawl of a synthetic graph on loopback, ended (SIGKILL, SIGINT, SIGTERM, time limit) and resumed N times; needs dist/ (npm run build)
  docs     three of Debian's documentation packages (below / or --root, into which dpkg-deb -x may have put them) served and crawled, held against
           a link checker, and against a simulation of what was crawled; needs dist/

  npm run live -- orders --pages 20746
  npm run live -- kills --kills 200 --pages 5000
  npm run live -- docs --root /tmp/packages --out runs/docs`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pages: { type: 'string' }, policy: { type: 'string' }, kills: { type: 'string' }, seed: { type: 'string' }, root: { type: 'string' }, out: { type: 'string' } },
});

/** @returns the exit code. */
async function orders(): Promise<number> {
  const bench = await OrderBench.open(Number(values.pages ?? 20_746));
  let code = 0;
  try {
    for (const policy of policyNames.filter((name) => values.policy === undefined || name === values.policy)) {
      for (const processors of [1, 2]) {
        const { simulated, live } = await bench.compare(policy, processors);
        const differs = simulated.findIndex((pages, id) => pages.join('\n') !== live[id].join('\n'));
        if (differs >= 0) code = 1;
        const pages = live.reduce((sum, one) => sum + one.length, 0);
        console.log(`${policy}, P = ${processors}: ${pages} pages, ${differs < 0 ? 'the same order' : `ANOTHER ORDER on processor ${differs}`}`);
      }
    }
  } finally {
    await bench.close();
  }
  return code;
}

async function kills(): Promise<number> {
  let code = 0;
  const options = { pages: Number(values.pages ?? 5000), kills: Number(values.kills ?? 200), seed: Number(values.seed ?? 1) };
  await killedCrawl(options, (killing) => {
    const { ends, killsUnderWay, undisturbed, final, repeats, unexplained, underWayMost, robots, breaches, restsAcrossEnds, recordFaults, archive } = killing;
    const isSame = undisturbed.join('\n') === final.join('\n');
    const counts = (['SIGKILL', 'SIGINT', 'SIGTERM', 'time limit'] as const).map((way) => `${ends.filter((end) => end === way).length} ${way}`);
    console.log(`${ends.length - 1} ends (${counts.join(', ')}), ${killsUnderWay} kills with requests under way; an end asked for took at most ${Math.round(killing.longestEndMs)} ms`);
    console.log(`${final.length} pages, ${isSame ? 'those' : 'NOT THOSE'} of the undisturbed crawl (${undisturbed.length})`);
    console.log(`${repeats} fetches repeated, ${unexplained.length} of pages not under way at an end; at most ${underWayMost} under way at one, of ${robots} robots`);
    console.log(`${breaches.length} breaches of politeness, Crawl-delay, Retry-After or back-off; ${restsAcrossEnds} rests had an end within them`);
    console.log(`${recordFaults.length} faults in records; archive: ${archive.records} records read, ${archive.faults.length} faults, ${archive.missing.length} pages without one`);
    for (const fault of recordFaults) console.log(fault);
    for (const { what, host, earlier, later } of breaches.slice(0, 10)) console.log(`${what} ${host}: ${later.path} ${later.startedAtUs - earlier.endedAtUs} us after ${earlier.path} (${earlier.status})`);
    const faults = unexplained.length + breaches.length + recordFaults.length + archive.faults.length + archive.missing.length;
    if (!isSame || faults > 0 || underWayMost > robots) code = 1;
  });
  if (code !== 0) console.log(`replay: npm run live -- kills --kills ${options.kills} --pages ${options.pages} --seed ${options.seed}`);
  return code;
}

async function docs(): Promise<number> {
  const { root = '/', out = newFolder() } = values;
  const absent = packagesAbsent(root);
  if (absent.length > 0) {
    console.log(`skipped: not below ${root}: ${absent.join(', ')} (apt-get download PACKAGE, dpkg-deb -x PACKAGE_*.deb DIR, then --root DIR)`);
    return 0;
  }
  const isSame = await crawlDocs(root, out, console.log);
  console.log(`in ${out}`);
  return isSame ? 0 : 1;
}

const commands: Record<string, (() => Promise<number>) | undefined> = { orders, kills, docs };
const command = commands[positionals[0] ?? ''];
if (command === undefined) console.log(usage);
process.exitCode = command === undefined ? 2 : await command();
