import { InputError, WorldError } from '../../../base/index.ts';
import type { JoinedSimulation } from '../../../machines/cluster/index.ts';
import type { NodeOptions } from '../../../machines/crawl/index.ts';
import { kebabCase } from '../../flags/flags.ts';
import { remark, remarkInterrupted } from '../../text/output.ts';
import { printable } from '../../text/printable.ts';

/** The place where the nodes of a crawl meet, and the number of this node. */
export interface ClusterFlags {
  readonly cluster?: string | undefined;
  readonly node?: number | undefined;
  readonly nodes?: number | undefined;
}

/** While nodes wait, they say so this often. */
const remarkEverySeconds = 10;
const defaultLeaseSeconds = 15;

/**
 * Takes part in a simulation on several nodes, if flags ask for it. The result of `work` is printed when all nodes have
 * ended.
 * @param alone flags of a run that only one machine can have.
 * @throws InputError for flags that do not fit together; as `joinSimulation`, and as `work`.
 */
export async function inCluster<T>(
  flags: ClusterFlags, alone: Readonly<Record<string, unknown>>, signal: AbortSignal,
  work: (simulation: JoinedSimulation | undefined) => Promise<T>,
): Promise<T | undefined> {
  const place = placeOf(flags, alone);
  if (place === undefined) return work(undefined);
  // Loaded with the first cluster: it takes longer than most commands take.
  const { joinSimulation } = await import('../../../machines/cluster/index.ts');
  const simulation = await joinSimulation(place.cluster, { ...place, signal, ...remarks() });
  return untilInterrupted(signal, async () => work(simulation), async () => simulation.close());
}

/**
 * Takes part in a crawl on several nodes, if flags ask for it.
 * @param alone flags of a crawl that only one machine can have.
 * @throws InputError for flags that do not fit together; as `meetAtRedis`, and as `work`.
 */
export async function onNode<T>(
  flags: ClusterFlags & { readonly leaseSeconds?: number | undefined }, alone: Readonly<Record<string, unknown>>,
  signal: AbortSignal, work: (node: NodeOptions | undefined) => Promise<T>,
): Promise<T | undefined> {
  const place = placeOf(flags, alone);
  if (place === undefined) {
    if (flags.leaseSeconds !== undefined) throw new InputError('--lease-seconds is for nodes: --cluster is missing');
    return work(undefined);
  }
  const { cluster, node, nodes } = place;
  const { meetAtRedis } = await import('../../../machines/cluster/index.ts');
  const { onIdle, onConnection } = remarks();
  const meeting = await meetAtRedis(cluster, {
    node, nodes, leaseMs: 1000 * (flags.leaseSeconds ?? defaultLeaseSeconds), onConnection,
  });
  const onAgreed = (superstep: number, epoch: number): void => {
    remark(`all ${nodes} nodes are there: superstep ${superstep}`, 'joined', { superstep, epoch });
  };
  const onBehind = (superstepMs: number, behindMs: number): void => {
    remark(
      `--superstep-ms is too short: the nodes need ${superstepMs.toFixed(1)} ms to exchange the records of one. The crawl ` +
      `sees answers ${(behindMs / 1000).toFixed(1)} s late, and later each time; begin it again with a longer one`,
      'behind', { superstepMs, behindMs },
    );
  };
  return untilInterrupted(
    signal, async () => work({ node, nodes, meeting, onIdle, onAgreed, onBehind }), async () => meeting.close(),
  );
}

/** @throws InputError for flags that do not fit together. */
function placeOf(
  { cluster, node, nodes }: ClusterFlags, alone: Readonly<Record<string, unknown>>,
): { readonly cluster: string; readonly node: number; readonly nodes: number } | undefined {
  const place = { cluster, node, nodes };
  const missing = (['cluster', 'node', 'nodes'] as const).find((name) => place[name] === undefined);
  if (Object.values(place).every((value) => value === undefined)) return undefined;
  if (missing !== undefined || cluster === undefined || node === undefined || nodes === undefined)
    throw new InputError(`--${missing} is missing: --cluster <URL>, --node <n> and --nodes <N> belong together`);
  const other = Object.keys(alone).find((flag) => alone[flag] !== undefined);
  if (other !== undefined) throw new InputError(`--${kebabCase(other)} and --cluster cannot be combined`);
  return { cluster, node, nodes };
}

/** Remarks of a node on the others and on Redis. */
function remarks() {
  let idleSeconds = 0;
  return {
    onIdle: (others: readonly number[]): void => {
      if (others.length === 0 || ++idleSeconds % remarkEverySeconds !== 0) return;
      remark(`waiting for node ${others.join(', ')}`, 'waiting', { nodes: others });
    },
    onConnection: (reason: string | undefined): void => {
      remark(reason === undefined ? 'Redis is there again' : `the connection to Redis is lost: ${printable(reason)}`);
    },
  };
}

/** A node that is interrupted says so, and has no result. */
async function untilInterrupted<T>(
  signal: AbortSignal, work: () => Promise<T>, close: () => Promise<void>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!signal.aborted || !(error instanceof WorldError)) throw error;
    remarkInterrupted(error.message, 'interrupted');
    return undefined;
  } finally {
    await close();
  }
}
