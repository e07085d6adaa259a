import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { alternate, type BenchReport, type Side } from '../../../src/questions/bench/index.ts';
import { finished, start } from '../../cli/command.ts';
import { RedisServer } from '../../cluster/redis-server.ts';

/** Seeds of each of two policies. */
const seeds = 12;

/**
 * A study as a whole command, from its start to its end: by one thread of its own, by one worker of one thread, by two
 * of them. The workers and the server are there before; on a machine with as many cores as workers, one core serves
 * the study, the server and a worker.
 *
 * @param progress - hears of each study that has ended.
 */
export async function benchWorkers(
  graph: string, rounds: number, progress: (text: string) => void = () => undefined,
): Promise<BenchReport> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-workers-'));
  const workers: ChildProcess[] = [];
  await using server = await RedisServer.start();
  try {
    const file = join(folder, 'study.yaml');
    const list = Array.from({ length: seeds }, (_, i) => i + 1).join(', ');
    const named = existsSync(graph) ? resolve(graph) : graph;
    writeFileSync(file, `graph: ${JSON.stringify(named)}\naxes:\n  policy: [breadth-first, opic]\n  seed: [${list}]\n`);
    const graphs = ['--graphs', join(folder, 'graphs')];
    let studies = 0;
    const startedAtMs = performance.now();
    const side = (name: string, ...words: string[]): Side => ({
      name,
      run: async () => {
        const cache = join(folder, `cache-${++studies}`);
        const { code, stdout, stderr } = await finished(start(['study', file, '--cache', cache, ...words], folder));
        if (code !== 0 || !stdout.includes(`0 runs of ${2 * seeds} from the cache.`)) throw new Error(stderr);
        // Three sides, and a round that is not counted.
        const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(0);
        progress(`${studies} of ${3 * (rounds + 1)} studies, ${seconds} s: ${name}`);
        return studies;
      },
    });
    const sides = [side('this process, one thread', '--threads', '1')];
    for (const count of [1, 2]) {
      // A database of its own for each number of workers: those of the other have nothing to do.
      const url = `${server.url}/${count}`;
      for (let i = 0; i < count; i++) workers.push(await startedWorker(url, folder, graphs));
      sides.push(side(count === 1 ? 'one worker' : `${count} workers`, '--workers', url, ...graphs));
    }
    return await alternate(sides, rounds);
  } finally {
    for (const worker of workers) worker.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startedWorker(url: string, folder: string, graphs: readonly string[]): Promise<ChildProcess> {
  const worker = start(['worker', url, '--threads', '1', ...graphs], folder);
  let text = '';
  while (!text.includes('takes runs')) {
    const [bytes] = await once(worker.stderr!, 'data') as [Buffer];
    text += bytes.toString();
  }
  worker.stderr!.resume();
  return worker;
}
