import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { InputError } from '../../../../base/index.ts';
import { openRuns, type RunCard } from '../../../watch/index.ts';
import type { ListedRun } from '../api.ts';
import { idOfFolder } from './recorded-runs.ts';

/** How long a new process may take until it can be watched: it reads its modules, no graph. */
const OPEN_MS = 30_000;
const POLL_MS = 50;
/** The most characters printed by a failed run, and the most failed runs. */
const MAX_PRINTED = 4096;
const MAX_FAILED = 100;
/** The exit code of a run that was ended early, and stored what it had. */
const INTERRUPTED = 130;

/** A command to run, besides the path of Orbweaver itself. */
export interface RunCommand {
  readonly argv: readonly string[];
  /** As one would type it. */
  readonly command: string;
  /** The folder of its record. */
  readonly folder: string;
  readonly kind: RunCard['kind'];
  readonly name: string;
  /** Written before it is started: a study that was typed. */
  readonly file?: { readonly path: string; readonly text: string } | undefined;
}

/** Starts runs as processes of their own, which outlive this one. */
export class RunStarter {
  readonly #program: readonly string[];
  /** Runs that this process started and that failed, the latest last; `isKilled`: a signal ended them. */
  readonly #failed: { readonly run: ListedRun; readonly isKilled: boolean }[] = [];

  /** @param program - the paths of Node and of Orbweaver. */
  constructor(program: readonly string[]) {
    this.#program = program;
  }

  /** Those that said why. */
  get failed(): readonly ListedRun[] {
    return this.#failed.filter(({ isKilled }) => !isKilled).map(({ run }) => run);
  }

  /** Those that a signal ended: a record, if there is one, says more. */
  get killed(): readonly ListedRun[] {
    return this.#failed.filter(({ isKilled }) => isKilled).map(({ run }) => run);
  }

  /**
   * Resolves to the run's id once it can be watched.
   * @throws InputError with what the command printed, if it ended before.
   */
  async start(run: RunCommand): Promise<string> {
    if (run.file !== undefined) await written(run.file);
    const printed = await mkdtemp(join(tmpdir(), 'orbweaver-start-'));
    const file = join(printed, 'stderr');
    const errors = openSync(file, 'w', 0o600);
    const [node, ...first] = this.#program;
    const child = spawn(node, [...first, ...run.argv], { detached: true, stdio: ['ignore', 'ignore', errors] });
    closeSync(errors);
    const ended = endOf(child).then(async ({ code, isKilled, how }) => {
      const text = faultIn((await readFile(file, 'utf8').catch(() => '')).slice(-MAX_PRINTED));
      await rm(printed, { recursive: true, force: true });
      return { code, isKilled, text: text || how };
    });
    const opened = await Promise.race([isOpen(child.pid), ended]);
    child.unref();
    if (opened === undefined) throw new InputError(`the run cannot be watched after ${OPEN_MS / 1000} s: ${run.command}`);
    if (opened !== true && opened.code !== 0)
      throw new InputError(opened.text);
    void ended.then((end) => { if (end.code !== 0 && end.code !== INTERRUPTED) this.#remember(run, end); });
    return idOfFolder(run.folder);
  }

  #remember({ kind, name, command, folder }: RunCommand, { isKilled, text: problem }: Failure): void {
    if (this.#failed.length === MAX_FAILED) this.#failed.shift();
    const run: ListedRun = {
      id: idOfFolder(folder), kind, name, command, problem, state: 'failed', folder: resolve(folder),
      startedAt: new Date().toISOString(), figures: null, answer: null, forkOf: null, hasReport: false,
    };
    this.#failed.push({ run, isKilled });
  }
}

/** @throws InputError where it cannot be written. */
async function written({ path, text }: NonNullable<RunCommand['file']>): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  } catch (error) {
    throw new InputError(`${path}: cannot be written: ${(error as Error).message}`);
  }
}

/** What a command printed besides what it says of every watched run. */
function faultIn(text: string): string {
  return text.split('\n').filter((line) => !line.startsWith('watch: ')).join('\n').trim();
}

interface Failure {
  readonly isKilled: boolean;
  /** What it printed, or how it ended. */
  readonly text: string;
}

interface End {
  /** 1 for a process that a signal ended, or that could not be started. */
  readonly code: number;
  readonly isKilled: boolean;
  /** Said where it printed nothing itself. */
  readonly how: string;
}

function endOf(child: ChildProcess): Promise<End> {
  return new Promise((resolve) => {
    child.once('error', ({ message }) => {
      resolve({ code: 1, isKilled: false, how: `the run could not be started: ${message}` });
    });
    child.once('exit', (code, signal) => {
      const how = signal === null ? `the run ended with exit code ${code}` : `${signal} ended the run`;
      resolve({ code: code ?? 1, isKilled: signal !== null, how });
    });
  });
}

async function isOpen(pid: number | undefined): Promise<true | undefined> {
  const end = performance.now() + OPEN_MS;
  while (performance.now() < end) {
    if ((await openRuns()).some(({ card }) => card.pid === pid)) return true;
    await delay(POLL_MS);
  }
  return undefined;
}
