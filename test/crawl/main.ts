import { parseArgs } from 'node:util';
import { policyNames } from '../../src/experiment/index.ts';
import { newFolder } from '../cli/command.ts';
import { crawlDocs, packagesAbsent } from './docs.ts';
import { fullDisks } from './full-disk.ts';
import { killedCrawl } from './killing.ts';
import { OrderBench } from './orders.ts';

const usage = `usage: npm run live -- orders [--pages N] [--policy NAME] | kills [--kills N] [--pages N] [--seed N]
                          | docs [--root DIR] [--out DIR] | disks [--moments N] [--command NAME]

  orders   live crawls of docs-web on loopback held against simulations, page by page, for every policy with 1 and 2 processors
  kills    a crawl of a synthetic graph on loopback, killed (SIGKILL) and resumed N times; needs dist/ (npm run build)
  docs     three of Debian's documentation packages (below / or --root, into which dpkg-deb -x may have put them) served and crawled, held against
           a link checker, and against a simulation of what was crawled; needs dist/
  disks    every command that writes, on a disk that is full at N moments, spread over what it writes: by ulimit -f and,
           where this process may mount one, on a disk of 3 MB; then again with room; needs dist/

  npm run live -- orders --pages 20746
  npm run live -- kills --kills 200 --pages 5000
  npm run live -- docs --root /tmp/packages --out runs/docs
  npm run live -- disks --moments 20`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string' }, policy: { type: 'string' }, kills: { type: 'string' }, seed: { type: 'string' }, root: { type: 'string' }, out: { type: 'string' },
    moments: { type: 'string' }, command: { type: 'string' },
  },
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
  await killedCrawl(options, ({ kills: done, killsUnderWay, undisturbed, final, repeats, unexplained, underWayMost, robots, breaches, archive }) => {
    const isSame = undisturbed.join('\n') === final.join('\n');
    console.log(`${done} kills, ${killsUnderWay} of them with requests under way; ${final.length} pages, ${isSame ? 'those' : 'NOT THOSE'} of the undisturbed crawl (${undisturbed.length})`);
    console.log(`${repeats} fetches repeated, ${unexplained.length} of pages not under way at a kill; at most ${underWayMost} under way at one, of ${robots} robots`);
    console.log(`${breaches.length} breaches of politeness; archive: ${archive.records} records read, ${archive.faults.length} faults, ${archive.missing.length} pages without one`);
    if (!isSame || unexplained.length + breaches.length + archive.faults.length + archive.missing.length > 0 || underWayMost > robots) code = 1;
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

async function disks(): Promise<number> {
  const counts = new Map<string, { full: number; roomy: number; wrong: number }>();
  const { command } = values;
  const options = { moments: Number(values.moments ?? 20), mounts: true, ...(command !== undefined && { commands: [command] }) };
  const onDisks = await fullDisks(options, ({ command, room, code, problems }) => {
    const how = 'limit' in room ? 'ulimit -f' : 'disk of 3 MB';
    const count = counts.get(`${command}, ${how}`) ?? { full: 0, roomy: 0, wrong: 0 };
    counts.set(`${command}, ${how}`, count);
    count[code === 0 ? 'roomy' : 'full']++;
    if (problems.length === 0) return;
    count.wrong++;
    console.log(`${command}, ${how}, room for ${'limit' in room ? room.limit : room.free} bytes: ${problems.join('; ')}`);
  });
  for (const [name, { full, roomy, wrong }] of counts) console.log(`${name}: ${full} moments full, ${roomy} with room enough; ${wrong} WRONG`);
  if (onDisks === undefined) console.log('no disk of 3 MB was tried: this process may not mount one');
  return [...counts.values()].some(({ wrong }) => wrong > 0) ? 1 : 0;
}

const commands: Record<string, (() => Promise<number>) | undefined> = { orders, kills, docs, disks };
const command = commands[positionals[0] ?? ''];
if (command === undefined) console.log(usage);
process.exitCode = command === undefined ? 2 : await command();
