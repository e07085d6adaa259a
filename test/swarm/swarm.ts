import { parseExperiment } from '../../src/core/policy/index.ts';
import { partitionHosts, settleSeeds, simulate } from '../../src/core/engine/index.ts';
import { queueKinds } from '../../src/core/settings/crawl-settings.ts';
import { check } from './check.ts';
import { drawCase, type Caps, type Case } from './case.ts';
import { hold } from './model.ts';
import { replay } from './replay.ts';
import { Watch } from './watched.ts';

/** Facts of a case that was tried. */
export interface Tried {
  readonly ended: string;
  readonly pages: number;
  readonly crashes: number;
  readonly failures: number;
  readonly supersteps: number;
}

/** Runs the case of a seed and checks it. Rejects with what was wrong. */
export async function tryCase(seed: number, caps: Caps = {}): Promise<Tried> {
  const given = drawCase(seed, caps);
  const { graph, input, ranks, scores } = given;
  const watch = new Watch();
  const result = await simulate(graph, input, {
    ranks, scores, makeQueue: watch.makeQueue, makeWorld: watch.makeWorld,
  });
  const experiment = parseExperiment(input);
  check(given, watch, result);
  replay(given, watch.lives, result, partitionHosts(graph, experiment, settleSeeds(graph, experiment).reachable));
  await checkAgain(given, result.run.replayHash);
  const { events, run: { summary } } = result;
  return {
    ended: summary.ended, pages: summary.pagesFetched, supersteps: summary.supersteps,
    crashes: events.crashes.length, failures: events.failures.length,
  };
}

/** The same crawl, with nobody watching: in another queue of other slices, where these are exact. */
async function checkAgain({ seed, graph, input, ranks, scores }: Case, replayHash: string): Promise<void> {
  const queue = input.queue!;
  const other = queue.slicing === 'approximate' ? queue : {
    kind: queueKinds[(queueKinds.indexOf(queue.kind!) + 1 + (seed % 2)) % queueKinds.length],
    block: (queue.block! % 7) + 1,
    slices: (queue.slices! % 3) + 1,
  };
  const { run } = await simulate(graph, { ...input, queue: other }, { ranks, scores });
  hold(run.replayHash === replayHash, () => `run again, with queue ${JSON.stringify(other)}, it is another crawl`);
}

/** What went wrong, in one line: by a check of the swarm, or by the product's own. */
export function whatFailed(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.name === 'Broken' ? 'swarm' : `product, ${error.name}`}: ${error.message}`;
}

/** The smallest caps tried under which the case of a seed still fails. */
export async function shrink(seed: number, caps: Caps = {}): Promise<Caps> {
  const fails = async (smaller: Caps): Promise<boolean> => tryCase(seed, smaller).then(() => false, () => true);
  let smallest = caps;
  for (const name of ['pages', 'processors', 'robots'] as const) {
    for (let most = 1; most < Math.min(caps[name] ?? Infinity, 40); most++) {
      if (!(await fails({ ...smallest, [name]: most }))) continue;
      smallest = { ...smallest, [name]: most };
      break;
    }
  }
  return smallest;
}

/** The command that runs the case again. */
export function commandOf(seed: number, caps: Caps): string {
  const capped = Object.entries(caps).map(([name, most]) => ` --${name} ${String(most)}`);
  return `npm run sim -- --seed ${seed}${capped.join('')}`;
}
