import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alternate, type BenchReport, type Side } from '../../../src/questions/bench/index.ts';
import { builtScripts } from '../../built-scripts.ts';
import type { ForeignFigures, ForeignTask } from './foreign-side.ts';

/**
 * What pages of other machines cost one of several machines that links to them: in memory, as all pages of a crawl on
 * one machine are, and in the store. Each run has a process of its own; reads memory as Linux tells it.
 */
export async function benchForeign(pages: number, rounds: number): Promise<BenchReport> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-foreign-'));
  try {
    const scriptOf = await builtScripts(folder, new URL('./foreign-side.ts', import.meta.url));
    const script = fileURLToPath(scriptOf('foreign-side'));
    const sides = [false, true].flatMap((isInStore): Side[] => {
      let figures: ForeignFigures | undefined;
      return [
        {
          name: isInStore ? 'in the store: memory per page' : 'in memory: memory per page', measuresIn: 'bytes',
          run: async () => (figures = await side(script, { pages, isInStore })).bytes,
        },
        { name: '  at most while graph.owg is written', measuresIn: 'bytes', run: () => figures?.graphBytes ?? NaN },
        { name: '  its first mention, stored', measuresIn: 'us', run: () => figures?.firstUs ?? NaN },
        { name: '  found again some time later', measuresIn: 'us', run: () => figures?.laterUs ?? NaN },
      ];
    });
    const { cases, ...report } = await alternate(sides, rounds);
    return { ...report, cases: cases.map(({ name, median, min, max, unit }) => ({ name, median, min, max, unit })) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function side(script: string, task: ForeignTask): Promise<ForeignFigures> {
  const child = fork(script, { execArgv: ['--expose-gc'] });
  const gone = once(child, 'exit').then(() => { throw new Error('the process ended without figures'); });
  gone.catch(() => undefined);
  child.send(task);
  const [figures] = await Promise.race([once(child, 'message'), gone]) as [ForeignFigures];
  return figures;
}
