import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alternate, type BenchReport, type Side } from '../../../src/questions/bench/index.ts';
import { builtScripts } from '../../built-scripts.ts';

const command = fileURLToPath(new URL('../../../dist/bundle/main.js', import.meta.url));

/**
 * The index of folders of HTML, and of crawls of them, beside parsing the files and no more, all as whole processes on
 * all cores. Files are read from the system's cache after the first round.
 *
 * @param crawls - whatever `orbweaver index` takes.
 */
export async function benchIndexing(
  folders: readonly string[], rounds: number, crawls: readonly string[] = [],
): Promise<BenchReport> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-indexing-'));
  try {
    const scriptOf = await builtScripts(folder, new URL('./parse-side.ts', import.meta.url));
    const paths = folders.flatMap((one) => readdirSync(one, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.x?html?$/i.test(path)).map((path) => resolve(one, path)));
    const task = join(folder, 'task.json');
    writeFileSync(task, JSON.stringify({ paths, threads: availableParallelism() }));
    const index = join(folder, 'a.index');
    const indexing = (name: string, sources: readonly string[]): Side => ({
      name,
      run: async () => {
        for (const ending of ['', '-wal', '-shm']) rmSync(index + ending, { force: true });
        return ended([command, 'index', ...sources, '--out', index]);
      },
    });
    return await alternate([
      {
        name: `parsing ${paths.length} files`,
        run: () => ended([fileURLToPath(scriptOf('parse-side')), task]),
      },
      indexing('indexing them', folders),
      ...crawls.map((crawl) => indexing(`indexing ${crawl}`, [crawl])),
    ], rounds);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a process. */
async function ended(words: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'close') as [number];
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}`);
  return code;
}
