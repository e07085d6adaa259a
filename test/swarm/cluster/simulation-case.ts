import { simulate } from '../../../src/core/engine/index.ts';
import { SharedSimulation } from '../../../src/machines/cluster/index.ts';
import type { ExperimentInput } from '../../../src/core/settings/index.ts';
import { drawCase } from '../case.ts';
import { Cluster, type Program, type Supervised } from './supervised.ts';
import { drawSupervision, type ClusterCaps } from './supervision.ts';
import { Draws } from './virtual-time.ts';

/** A simulation on several nodes, any of the swarm: its settings and those of its surroundings. */
export function drawSimulation(seed: number, caps: ClusterCaps) {
  const { graph, input, ranks, scores } = drawCase(seed, { pages: caps.pages ?? 30 });
  const draws = new Draws(seed);
  const processors = draws.int('processors', 2, 5);
  // Threads and files take a time of their own.
  const queue = { ...input.queue, memoryBytes: 0 };
  // A long patience is thousands of supersteps of waiting, each with its messages.
  const hostPatienceMs = Math.min(input.hostPatienceMs ?? 5000, 5000);
  const settings: ExperimentInput = { ...input, processors, statistics: 'off', queue, hostPatienceMs };
  const nodes = Math.min(caps.nodes ?? Infinity, draws.int('nodes', 1, Math.min(4, processors)));
  const supervision = drawSupervision(draws, { nodes, faults: caps.faults, hasEpochs: false });
  return { graph, settings, ranks, scores, supervision };
}

/**
 * Nodes that are killed and started again, stopped, cut off, or there twice, over a server that loses what it likes,
 * all come to the replay hash of one process.
 */
export async function trySimulation(seed: number, caps: ClusterCaps): Promise<Supervised> {
  const { graph, settings, ranks, scores, supervision } = drawSimulation(seed, caps);
  const { nodes } = supervision;
  const alone = await simulate(graph, settings, { ranks, scores });
  const program: Program = async ({ machine, server, calm }) => {
    const shared = new SharedSimulation({
      node: machine.slot, nodes, connect: async () => Promise.resolve(server.streamsOf(machine)),
    });
    const { run } = await simulate(graph, settings, { ranks, scores, shared });
    // What is lost once a node has left for good is not made good.
    calm();
    await shared.ended(run.replayHash);
    shared.close();
    return run.replayHash;
  };
  const supervised = await new Cluster(seed, supervision, program).run();
  const other = supervised.results.findIndex((hash) => hash !== alone.run.replayHash);
  if (other >= 0) throw new Error(`node ${other} has another replay hash than one process`);
  return supervised;
}
