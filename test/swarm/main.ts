import { parseArgs } from 'node:util';
import { drawCase, type Caps } from './case.ts';
import { commandOf, shrink, tryCase, whatFailed } from './swarm.ts';

const usage = `usage: npm run sim -- [--seed N [--pages N] [--processors N] [--robots N]] | [--from N] [--seeds N]

  --seed N    one seed, with its settings and what became of it; caps make its case smaller
  --seeds N   that many seeds (100 by default), from --from on (1 by default)

  npm run sim -- --seed 7
  npm run sim -- --seeds 2000`;

/** Runs seeds until one fails. @returns the exit code. */
async function runSeeds(from: number, seeds: number): Promise<number> {
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
      const caps = await shrink(seed);
      if (Object.keys(caps).length > 0) console.log(`  smaller: ${commandOf(seed, caps)}`);
      return 1;
    }
    if (seed % 25 === 0) progress(`${seed - from + 1} of ${seeds} seeds`);
  }
  progress('');
  const ms = performance.now() - startedMs;
  console.log(`${seeds} seeds from ${from} pass, ${(ms / seeds).toFixed(1)} ms each: ${Object.entries(counts).map(([name, n]) => `${n} ${name}`).join(', ')}`);
  return 0;
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

async function runSeed(seed: number, caps: Caps): Promise<number> {
  const { graph, input, troubles: { draws: _, ...troubles } } = drawCase(seed, caps);
  console.log(JSON.stringify({ seed, pages: graph.pages, arcs: graph.arcs, hosts: graph.hosts.count, input, troubles }, null, 2));
  try {
    console.log(`passes: ${JSON.stringify(await tryCase(seed, caps))}`);
    return 0;
  } catch (error) {
    console.log(`fails: ${whatFailed(error)}\n${error instanceof Error ? error.stack ?? '' : ''}`);
    return 1;
  }
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string' }, from: { type: 'string', default: '1' }, seeds: { type: 'string', default: '100' },
    pages: { type: 'string' }, processors: { type: 'string' }, robots: { type: 'string' },
  },
});
const number = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
const { seed, from, seeds, ...most } = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, number(text)]));
if (Object.values({ seed, from, seeds, ...most }).some((value) => value !== undefined && !(Number.isSafeInteger(value) && value >= 0))) {
  console.error(usage);
  process.exitCode = 2;
} else {
  process.exitCode = seed === undefined ? await runSeeds(from!, seeds!) : await runSeed(seed, most);
}
