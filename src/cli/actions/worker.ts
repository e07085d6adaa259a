import { availableParallelism } from 'node:os';
import * as z from 'zod';
import { shownRedis } from '../../machines/cluster/redis-url.ts';
import { runWorker } from '../../machines/cluster/studies/index.ts';
import { ownFlags, type RawFlags } from '../flags/flags.ts';
import { graphStoreOf } from '../jobs/workers.ts';
import { interruptSignal } from '../interrupt.ts';
import { counted } from '../text/figures.ts';
import { remark } from '../text/output.ts';
import { printable } from '../text/printable.ts';

const own = z.object({
  threads: z.int().min(1).max(1024).default(availableParallelism()),
  lostAfterSeconds: z.number().min(1).max(3600).default(30),
});

interface Flags extends RawFlags {
  readonly graphs?: string;
}

export async function runWorkerCommand(url: string, flags: Flags): Promise<void> {
  const { threads, lostAfterSeconds } = ownFlags(own, flags);
  const shown = shownRedis(url);
  const graphs = graphStoreOf(flags.graphs);
  const finished = await runWorker(url, {
    threads, lostAfterMs: 1000 * lostAfterSeconds, graphs, signal: interruptSignal(),
    onRemark: (text) => remark(`worker: ${printable(text)}`),
    onReady: (version) => remark(
      `worker: takes runs of version ${version} from ${printable(shown)}, ${threads} at once; ` +
      `graphs from ${printable(graphs.url ?? graphs.folder)}`,
    ),
  });
  remark(`worker: ended after ${counted(finished, 'run')}`);
}
