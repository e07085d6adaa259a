import type { ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRedis } from '../../../src/machines/cluster/index.ts';
import type { DrawStream } from '../../../src/base/index.ts';
import { finished, start as started, type Finished } from '../../cli/command.ts';
import type { RedisServer } from '../redis-server.ts';

/** A node of a simulation, as a process of its own. */
export class NodeProcess {
  readonly ended: Promise<Finished>;
  readonly #process: ChildProcess;

  constructor(args: readonly string[]) {
    this.#process = started(['simulate', ...args], tmpdir());
    this.ended = finished(this.#process);
  }

  kill(signal: 'SIGKILL' | 'SIGINT' = 'SIGKILL'): void {
    this.#process.kill(signal);
  }
}

export interface KilledRun {
  /** Replay hashes, one of each node. */
  readonly replayHashes: readonly string[];
  /** What was killed, and in which superstep. */
  readonly kills: readonly string[];
}

export interface Kills {
  readonly ofNodes: number;
  /** Kills of Redis; and times that all its keys are removed. */
  readonly ofRedis: number;
  readonly flushes: number;
  /** Supersteps of the run. */
  readonly supersteps: number;
}

/**
 * A simulation on several nodes, over a Redis server that is killed, and so are the nodes, at drawn supersteps. Each is
 * started again at once, as a supervisor does. Ends when all nodes have ended.
 */
export async function killedRun(
  server: RedisServer, nodes: number, args: readonly string[], kills: Kills, draws: DrawStream,
): Promise<KilledRun> {
  const start = (node: number): NodeProcess =>
    new NodeProcess([...args, '--json', '--cluster', server.url, '--node', String(node), '--nodes', String(nodes)]);
  const running = Array.from({ length: nodes }, (_, node) => start(node));
  const done: string[] = [];
  const kinds = [
    ...Array<'node'>(kills.ofNodes).fill('node'), ...Array<'redis'>(kills.ofRedis).fill('redis'),
    ...Array<'flush'>(kills.flushes).fill('flush'),
  ];
  // Early, so that the run does not end before; in drawn order.
  const due = kinds.map((kind, i) => ({ kind, superstep: 2 + draws.uint32(i, 0) % Math.floor(kills.supersteps / 2) }))
    .sort((a, b) => a.superstep - b.superstep);

  const over = new AbortController();
  const killing = (async () => {
    const redis = await openRedis(server.url);
    for (const [i, { kind, superstep }] of due.entries()) {
      while (!over.signal.aborted && await reached(redis) < superstep) await sleep(10);
      if (over.signal.aborted) break;
      const node = draws.uint32(i, 1) % nodes;
      done.push(`${kind === 'node' ? `node ${node}` : kind} in superstep ${superstep}`);
      if (kind === 'flush') await redis.flushall();
      else if (kind === 'redis') await server.restart();
      else running[node].kill();
    }
    redis.disconnect();
  })();

  const life = async (node: number): Promise<string> => {
    for (;;) {
      const { code, stdout, stderr } = await running[node].ended;
      if (code === 0) return (JSON.parse(stdout) as { replayHash: string }).replayHash;
      if (code !== null) throw new Error(`node ${node} ended with ${code}: ${stderr}`);
      running[node] = start(node);
    }
  };
  try {
    return { replayHashes: await Promise.all(running.map((_, node) => life(node))), kills: done };
  } finally {
    over.abort();
    await killing;
    for (const node of running) node.kill();
  }
}

/** The superstep that the first of the nodes is in. */
async function reached(redis: Awaited<ReturnType<typeof openRedis>>): Promise<number> {
  const keys = await redis.keys('orbweaver:*:last');
  const lasts = (await Promise.all(keys.map((key) => redis.hvals(key)))).flat();
  // Numbers of records: see src/machines/cluster/crews/nodes.ts.
  return Math.max(-1, ...lasts.map((last) => (Number(last.split('-')[1]) - 10) / 2));
}
