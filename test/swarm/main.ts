import { parseArgs } from 'node:util';
import { drawCase } from './case.ts';
import { clusterCommand, describeCluster, shrinkCluster, tryCluster } from './cluster/cluster-swarm.ts';
import { clusterFaults } from './cluster/faults.ts';
import { faults as crawlFaults, type Fault } from './faults.ts';
import { hunt } from './hunt.ts';
import { commandOf, shrink, tryCase, whatFailed } from './swarm.ts';

const usage = `usage: npm run sim -- [--seed N [--pages N] [--processors N] [--robots N]] | [--from N] [--seeds N] | --faults [--only TEXT] [--from N]
       npm run sim -- cluster [--seed N [--pages N] [--nodes N] [--faults-at-most N]] | [--from N] [--seeds N] | --faults [--only TEXT]

  cluster     crawls on several nodes in virtual time, with lost records, stopped processes and zombies; otherwise simulations of one process

  --seed N    one seed, with its settings and what became of it; caps make its case smaller
  --seeds N   that many seeds (100 by default), from --from on (1 by default)
  --faults    seeds faults into a copy of the product, one by one, and says which seed finds each; --only those whose name has TEXT

  npm run sim -- --seed 7
  npm run sim -- --seeds 2000
  npm run sim -- cluster --seeds 10000
  npm run sim -- --faults`;

type Bounds = Readonly<Record<string, number | undefined>>;

/** One of the swarms. */
interface Swarm {
  /** Counts of what happened, and how often each end came. */
  readonly tried: (seed: number, caps: Bounds) => Promise<Readonly<Record<string, number>>>;
  readonly shown: (seed: number, caps: Bounds) => unknown;
  readonly shrunk: (seed: number) => Promise<Bounds>;
  readonly command: (seed: number, caps: Bounds) => string;
  readonly faults: readonly Fault[];
}

const crawls: Swarm = {
  tried: async (seed, caps) => {
    const { ended, ...counts } = await tryCase(seed, caps);
    return { [ended]: 1, ...counts };
  },
  shown: (seed, caps) => {
    const { graph: { pages, arcs, hosts }, input } = drawCase(seed, caps);
    return { seed, pages, arcs, hosts: hosts.count, input };
  },
  shrunk: async (seed) => ({ ...await shrink(seed) }), command: (seed, caps) => commandOf(seed, caps),
  faults: crawlFaults,
};

const clusters: Swarm = {
  tried: async (seed, caps) => {
    const { kind, pages = 0, repeats = 0, processes, faults, ms } = await tryCluster(seed, caps);
    return { [kind]: 1, processes, pages, repeats, [`seconds of a ${kind}`]: Math.round(ms / 1000), ...faults };
  },
  shown: describeCluster, shrunk: async (seed) => ({ ...await shrinkCluster(seed) }), command: clusterCommand,
  faults: clusterFaults,
};

/** Runs seeds until one fails. @returns the exit code. */
async function runSeeds(swarm: Swarm, from: number, seeds: number, shrinks: boolean): Promise<number> {
  const startedMs = performance.now();
  const counts: Record<string, number> = {};
  for (let seed = from; seed < from + seeds; seed++) {
    try {
      for (const [name, count] of Object.entries(await swarm.tried(seed, {})))
        counts[name] = (counts[name] ?? 0) + count;
    } catch (error) {
      progress('');
      console.log(`seed ${seed} fails: ${whatFailed(error)}\n  ${swarm.command(seed, {})}`);
      const caps = shrinks ? await swarm.shrunk(seed) : {};
      if (Object.keys(caps).length > 0) console.log(`  smaller: ${swarm.command(seed, caps)}`);
      return 1;
    }
    if (seed % 25 === 0) progress(`${seed - from + 1} of ${seeds} seeds`);
  }
  progress('');
  const ms = performance.now() - startedMs;
  const reported = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  console.log(`${seeds} seeds from ${from} pass, ${(ms / seeds).toFixed(1)} ms each: ${reported.join(', ')}`);
  return 0;
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

async function runSeed(swarm: Swarm, seed: number, caps: Bounds): Promise<number> {
  console.log(JSON.stringify(swarm.shown(seed, caps), null, 2));
  try {
    console.log(`passes: ${JSON.stringify(await swarm.tried(seed, caps))}`);
    return 0;
  } catch (error) {
    console.log(`fails: ${whatFailed(error)}\n${error instanceof Error ? error.stack ?? '' : ''}`);
    return 1;
  }
}

const {
  positionals, values: { faults, only, 'no-shrink': keeps, 'faults-at-most': maxFaults, ...numbers },
} = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' }, from: { type: 'string', default: '1' }, seeds: { type: 'string' },
    pages: { type: 'string' }, processors: { type: 'string' }, robots: { type: 'string' }, nodes: { type: 'string' },
    'faults-at-most': { type: 'string' }, faults: { type: 'boolean', default: false }, only: { type: 'string' },
    'no-shrink': { type: 'boolean', default: false },
  },
});
const given = Object.entries({ ...numbers, ...(maxFaults !== undefined && { faults: maxFaults }) })
  .map(([name, text]) => [name, Number(text)] as const);
const areWrong = positionals.some((word, i) => i > 0 || word !== 'cluster') ||
  given.some(([, value]) => !Number.isSafeInteger(value) || value < 0);
if (areWrong) {
  console.error(usage);
  process.exitCode = 2;
} else {
  const swarm = positionals.length === 0 ? crawls : clusters;
  const { seed, from = 1, seeds, ...caps } = Object.fromEntries(given) as Record<string, number | undefined>;
  if (faults) {
    const missed = await hunt(swarm.faults, {
      which: positionals, from, seeds: seeds ?? 3000, mayHang: swarm === crawls,
    }, only);
    if (missed > 0) console.log(`${missed} not found`);
    process.exitCode = missed === 0 ? 0 : 1;
  } else {
    process.exitCode = seed === undefined
      ? await runSeeds(swarm, from, seeds ?? 100, !keeps) : await runSeed(swarm, seed, caps);
  }
}
