import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const compilers = ['c++', 'g++', 'clang++'] as const;
const flags = ['-O3', '-std=c++17'] as const;
const exec = promisify(execFile);

/** A peer in C++, compiled into a temporary folder. */
export interface CppProgram {
  /** Compiler and flags, for which any figure holds. */
  readonly compiler: string;
  /** A place for the program's files; removed with it. */
  readonly folder: string;
  /**
   * Runs it in another process, in `folder`, and returns the JSON of its last line. Aborted, it is killed and this
   * rejects.
   */
  readonly run: (args: readonly string[], signal?: AbortSignal) => Promise<unknown>;
  readonly remove: () => Promise<void>;
}

/** Compiles a source of this folder with the first compiler that is there; a string says why that cannot be. */
export async function compileCpp(source: string, more: readonly string[] = []): Promise<CppProgram | string> {
  // The path is the same from `src/` and from `dist/`: the source is compiled where it lies.
  const path = fileURLToPath(new URL(`../../../../src/questions/bench/peers/${source}`, import.meta.url));
  if (!existsSync(path)) return 'its source is not part of the package: run from a checkout';
  const compiler = compilers.find((name) => spawnSync(name, ['--version']).status === 0);
  if (compiler === undefined) return `no C++ compiler: none of ${compilers.join(', ')} runs`;
  const [version] = spawnSync(compiler, ['--version'], { encoding: 'utf8' }).stdout.split('\n');

  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-bench-'));
  const program = join(folder, 'program');
  try {
    await exec(compiler, [...flags, '-o', program, path, ...more]);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    const { message, stderr = '' } = error as Error & { stderr?: string };
    // What our sources say themselves needs no more words.
    const directive = /error: #error (.*)/.exec(stderr)?.[1];
    return directive ?? `${compiler} cannot compile it: ${/error: (.*)/.exec(stderr)?.[1] ?? message.split('\n')[0]}`;
  }
  return { compiler: `${version}, ${flags.join(' ')}`, ...programOf(program, folder) };
}

/** A program in a temporary folder, with which it is removed. */
export function programOf(program: string, folder: string): Omit<CppProgram, 'compiler'> {
  return {
    folder,
    async run(args, signal) {
      const { stdout } = await exec(program, args, { cwd: folder, signal, killSignal: 'SIGKILL' });
      return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as unknown;
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}
