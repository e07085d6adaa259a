import { InputError, WorldError } from '../../base/index.ts';
import type { JoinedSimulation } from '../../cluster/index.ts';
import { exitCodes } from '../exit.ts';
import { kebabCase } from '../flags/flags.ts';
import { invocation } from '../invocation.ts';
import { remark } from '../text/output.ts';
import { printable } from '../text/printable.ts';

/** Where the nodes of a crawl meet, and which of them this is. */
export interface ClusterFlags {
  readonly cluster?: string | undefined;
  readonly node?: number | undefined;
  readonly nodes?: number | undefined;
}

/** While nodes wait, they say so this often. */
const remarkEverySeconds = 10;

/**
 * Takes part in a simulation on several nodes, if flags ask for it. The result of `work` is printed when all nodes have
 * ended.
 * @param alone flags of a run that only one machine can have.
 * @throws InputError for flags that do not fit together; as `joinSimulation`, and as `work`.
 */
export async function inCluster<T>(
  { cluster, node, nodes }: ClusterFlags, alone: Readonly<Record<string, unknown>>, signal: AbortSignal,
  work: (simulation: JoinedSimulation | undefined) => Promise<T>,
): Promise<T | undefined> {
  const given = { cluster, node, nodes };
  const missing = (['cluster', 'node', 'nodes'] as const).find((name) => given[name] === undefined);
  if (Object.values(given).every((value) => value === undefined)) return work(undefined);
  if (missing !== undefined || cluster === undefined || node === undefined || nodes === undefined)
    throw new InputError(`--${missing} is missing: --cluster <URL>, --node <n> and --nodes <N> belong together`);
  const other = Object.keys(alone).find((flag) => alone[flag] !== undefined);
  if (other !== undefined) throw new InputError(`--${kebabCase(other)} and --cluster cannot be combined`);

  // Loaded with the first cluster: it takes longer than most commands take.
  const { joinSimulation } = await import('../../cluster/index.ts');
  let idleSeconds = 0;
  const simulation = await joinSimulation(cluster, {
    node, nodes, signal,
    onIdle: (others) => {
      if (others.length === 0 || ++idleSeconds % remarkEverySeconds !== 0) return;
      remark(`waiting for node ${others.join(', ')}`, 'waiting', { nodes: others });
    },
    onConnection: (lost) => {
      remark(lost === undefined ? 'Redis is there again' : `the connection to Redis is lost: ${printable(lost)}`);
    },
  });
  try {
    return await work(simulation);
  } catch (error) {
    if (!signal.aborted || !(error instanceof WorldError)) throw error;
    remark(error.message);
    invocation().exitCode = exitCodes.interrupted;
    return undefined;
  } finally {
    await simulation.close();
  }
}
