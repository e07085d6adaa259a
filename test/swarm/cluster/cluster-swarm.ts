import { drawEnd, tryEnd } from './end-case.ts';
import { drawLive, tryLive } from './live-case.ts';
import { drawSimulation, trySimulation } from './simulation-case.ts';
import type { ClusterCaps } from './supervision.ts';
import type { Supervised } from './supervised.ts';

export interface ClusterTried extends Supervised {
  readonly kind: 'simulation' | 'live' | 'end';
  readonly pages?: number;
  readonly repeats?: number;
}

/** A live crawl meets more that can go wrong. */
function kindOf(seed: number): ClusterTried['kind'] {
  return seed % 8 === 0 ? 'end' : seed % 4 === 0 ? 'simulation' : 'live';
}

/** Runs the case of a seed: a live crawl on several nodes, its end, or a simulation. Rejects with what was wrong. */
export async function tryCluster(seed: number, caps: ClusterCaps = {}): Promise<ClusterTried> {
  const kind = kindOf(seed);
  return { kind, ...await { simulation: trySimulation, live: tryLive, end: tryEnd }[kind](seed, caps) };
}

/** The case of a seed, to be printed. */
export function describeCluster(seed: number, caps: ClusterCaps): unknown {
  const kind = kindOf(seed);
  if (kind === 'end') return { seed, ...drawEnd(seed, caps) };
  const drawn = kind === 'simulation' ? drawSimulation(seed, caps) : drawLive(seed, caps);
  const { graph: { pages, arcs, hosts }, ...rest } = drawn;
  return { seed, pages, arcs, hosts: hosts.count, ...rest };
}

/** The smallest caps tried under which the case of a seed still fails. */
export async function shrinkCluster(seed: number): Promise<ClusterCaps> {
  const fails = async (caps: ClusterCaps): Promise<boolean> => tryCluster(seed, caps).then(() => false, () => true);
  let smallest: ClusterCaps = {};
  for (const name of ['faults', 'nodes', 'pages'] as const) {
    for (let most = name === 'faults' ? 0 : 1; most < 40; most++) {
      if (!await fails({ ...smallest, [name]: most })) continue;
      smallest = { ...smallest, [name]: most };
      break;
    }
  }
  return smallest;
}

/** The command that runs the case again. */
export function clusterCommand(seed: number, caps: ClusterCaps): string {
  const capped = Object.entries(caps).map(([name, most]) => (
    ` --${name === 'faults' ? 'faults-at-most' : name} ${String(most)}`
  ));
  return `npm run sim -- cluster --seed ${seed}${capped.join('')}`;
}
