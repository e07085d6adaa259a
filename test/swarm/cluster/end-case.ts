import type { Agreement, LiveEpoch, NodeWork } from '../../../src/machines/cluster/index.ts';
import { Disk } from './disk.ts';
import { runNode } from './live-node.ts';
import { Cluster, type Program, type Supervised, type Supervision } from './supervised.ts';
import { drawSupervision, type ClusterCaps } from './supervision.ts';
import { Draws } from './virtual-time.ts';

/** A live crawl whose loop ends at once on every node. What is left is its end, and all faults happen in that. */
export function drawEnd(seed: number, caps: ClusterCaps) {
  const draws = new Draws(seed);
  const nodes = Math.min(caps.nodes ?? Infinity, draws.int('nodes', 2, 4));
  const drawn = drawSupervision(draws, { nodes, faults: caps.faults, hasEpochs: true });
  const { leaseMs } = drawn.server;
  const supervision: Supervision = {
    ...drawn, maxFaults: Math.min(caps.faults ?? Infinity, draws.of('faults at the end', [5, 20, 60])),
    meanMsBetweenFaults: draws.of('between faults at the end', [10, 50, 300]), meanAwayMs: 2 * leaseMs,
    meanRestartMs: draws.of('restart at the end', [20, leaseMs, 5 * leaseMs]),
  };
  return { nodes, supervision, meanStepMs: draws.of('step', [1, 50]) };
}

/** Every node comes to its end, and knows that of all, though others were away for long when it had to ask them. */
export async function tryEnd(seed: number, caps: ClusterCaps): Promise<Supervised> {
  const { nodes, supervision, meanStepMs } = drawEnd(seed, caps);
  const disks = Array.from({ length: nodes }, () => new Disk());
  const program: Program = async (surroundings) => {
    const disk = disks[surroundings.machine.slot];
    const write = async (change: () => void): Promise<void> => {
      await surroundings.machine.sleep(surroundings.draws.between('step', meanStepMs));
      await disk.write(surroundings, change);
    };
    const store = (superstep: number): void => {
      disk.checkpoints.set(superstep, { superstep, barrierUs: 0, processors: [], record: [], rows: [] });
    };
    const work: NodeWork<string, string> = {
      run: async ({ checkpoint }: Agreement, epoch: LiveEpoch) => {
        if (checkpoint === undefined) await write(() => { store(0); });
        await epoch.loopEnded();
        await write(() => { store(1); });
        await write(() => { disk.ended = 'here'; });
        return 'ended';
      },
      ended: async () => Promise.resolve('ended'), result: async (ended) => Promise.resolve(ended),
      letGo: async () => Promise.resolve(),
    };
    return runNode(surroundings, disk, { nodes, delayMs: 0 }, () => work);
  };
  const supervised = await new Cluster(seed, supervision, program).run();
  const behind = disks.findIndex(({ ended, checkpoints }) => ended !== 'everywhere' || !checkpoints.has(1));
  if (behind >= 0) throw new Error(`node ${behind} left without its end, or without knowing that of all`);
  return supervised;
}
