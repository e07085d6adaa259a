import { faultKinds, type Supervision } from './supervised.ts';
import type { Draws } from './virtual-time.ts';

/** Bounds under those that a case is drawn within, to make a small case of a seed. */
export interface ClusterCaps {
  readonly pages?: number | undefined;
  readonly nodes?: number | undefined;
  readonly faults?: number | undefined;
}

/** Surroundings of a case: some kinds of faults, and how often they happen. */
export function drawSupervision(
  draws: Draws,
  { nodes, faults = Infinity, hasEpochs }: {
    readonly nodes: number; readonly faults?: number | undefined; readonly hasEpochs: boolean;
  },
): Supervision {
  const leaseMs = draws.of('lease', [300, 1000, 5000]);
  // A simulation waits for nothing but records.
  const spacingMs = hasEpochs ? [200, 1000, 3000] : [10, 30, 100];
  return {
    nodes, kinds: faultKinds.filter((kind) => draws.chance(`has ${kind}`, 0.5)),
    maxFaults: Math.min(faults, draws.of('faults', [0, 3, 8, 20])),
    meanMsBetweenFaults: draws.of('between faults', spacingMs),
    meanRestartMs: draws.of('restart of a process', [20, 200, 3000]),
    maxStopMs: draws.of('stop of a process', [20, leaseMs, 8 * leaseMs]), meanAwayMs: 2000,
    drift: draws.of('drift', [0, 0.001, 0.05]), meanDiskMs: draws.of('speed of a disk', [1, 300]),
    maxMs: 3.6e6,
    server: {
      meanDelayMs: draws.of('mean delay', [0.2, 2, 20]), chanceOfLateAnswer: draws.of('late answers', [0, 0.02]),
      leaseMs, hasEpochs,
    },
  };
}
