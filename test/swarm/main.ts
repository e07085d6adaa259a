import { parseArgs } from 'node:util';
import { drawCase, type Caps } from './case.ts';
import { hunt } from './hunt.ts';
import { commandOf, shrink, tryCase, whatFailed } from './swarm.ts';

const usage = `usage: npm run sim -- [--seed N [--pages N] [--processors N] [--robots N]] | [--from N] [--seeds N] | --faults [--only TEXT]

  --seed N    one seed, with its settings and what became of it; caps make its case smaller
  --seeds N   that many seeds (100 by default), from --from on (1 by default)
  --faults    seeds faults into a copy of the product, one by one, and says which seed finds each; --only those whose name has TEXT

  npm run sim -- --seed 7
  npm run sim -- --seeds 2000
  npm run sim -- --faults`;

/** Runs seeds until one fails. @returns the exit code. */
async function runSeeds(from: number, seeds: number, shrinks: boolean): Promise<number> {
  const startedMs = performance.now();
  const counts: Record<string, number> = {};
  const add = (name: string, count = 1): void => { counts[name] = (counts[name] ?? 0) + count; };
  for (let seed = from; seed < from + seeds; seed++) {
    try {
      const { ended, pages, crashes, failures, supersteps } = await tryCase(seed);
      add(ended);
      for (const [name, count] of Object.entries({ pages, crashes, failures, supersteps })) add(name, count);
    } catch (error) {
      progress('');
      console.log(`seed ${seed} fails: ${whatFailed(error)}\n  ${commandOf(seed, {})}`);
      const caps = shrinks ? await shrink(seed) : {};
      if (Object.keys(caps).length > 0) console.log(`  smaller: ${commandOf(seed, caps)}`);
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

async function runSeed(seed: number, caps: Caps): Promise<number> {
  const { graph: { pages, arcs, hosts }, input } = drawCase(seed, caps);
  console.log(JSON.stringify({ seed, pages, arcs, hosts: hosts.count, input }, null, 2));
  try {
    console.log(`passes: ${JSON.stringify(await tryCase(seed, caps))}`);
    return 0;
  } catch (error) {
    console.log(`fails: ${whatFailed(error)}\n${error instanceof Error ? error.stack ?? '' : ''}`);
    return 1;
  }
}

const {
  values: { faults, only, 'no-shrink': keeps, ...numbers },
} = parseArgs({
  options: {
    seed: { type: 'string' }, from: { type: 'string', default: '1' }, seeds: { type: 'string' },
    pages: { type: 'string' }, processors: { type: 'string' }, robots: { type: 'string' },
    faults: { type: 'boolean', default: false }, only: { type: 'string' },
    'no-shrink': { type: 'boolean', default: false },
  },
});
const given = Object.entries(numbers).map(([name, text]) => [name, Number(text)] as const);
if (given.some(([, value]) => !Number.isSafeInteger(value) || value < 0)) {
  console.error(usage);
  process.exitCode = 2;
} else {
  const { seed, from = 1, seeds, ...caps } = Object.fromEntries(given) as Record<string, number | undefined>;
  if (faults) {
    const missed = await hunt(seeds ?? 3000, only);
    if (missed > 0) console.log(`${missed} not found`);
    process.exitCode = missed === 0 ? 0 : 1;
  } else {
    process.exitCode = seed === undefined ? await runSeeds(from, seeds ?? 100, !keeps) : await runSeed(seed, caps);
  }
}
