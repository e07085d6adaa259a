import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import * as z from 'zod';
import { InputError } from '../../base/index.ts';
import { holderOf, holderText, isAlive } from '../../base/files/index.ts';
import type { RunCard } from './contract.ts';
import { jobKinds } from './job/contract.ts';

/** A run that can be joined. */
export interface OpenRun {
  readonly card: RunCard;
  /** The path of its socket. */
  readonly socket: string;
}

/** Bytes that the path of a socket may have: 104 on macOS, 108 on Linux, with the 0 at its end. */
const MAX_PATH_BYTES = 103;
/** A slash, an id, and '.sock'. */
const NAME_BYTES = 30;
/** The start in milliseconds, base 36; the process; the number of the run in its process. */
const idForm = /^[0-9a-z]{1,9}-(?<pid>[0-9]{1,10})-[0-9]+$/;

const fileSchema = z.object({
  card: z.object({
    id: z.string().regex(idForm), kind: z.enum(['simulation', 'live', ...jobKinds]), name: z.string(),
    command: z.string(), pid: z.int(), startedAt: z.string(), folder: z.string().nullable(),
  }),
  process: z.string(),
});

let runs = 0;

/** The card of a run of this process. */
export function newCard(about: Omit<RunCard, 'id' | 'pid'>): RunCard {
  return { id: `${Date.parse(about.startedAt).toString(36)}-${process.pid}-${runs++}`, pid: process.pid, ...about };
}

/** Folders that may have doors, the usual folder first. */
function doorFolders(env: NodeJS.ProcessEnv): string[] {
  const { XDG_RUNTIME_DIR: runtime = '' } = env;
  return [
    ...(isAbsolute(runtime) ? [join(runtime, 'orbweaver')] : []),
    join(tmpdir(), `orbweaver-${process.getuid?.() ?? ''}`),
  ].filter((folder) => Buffer.byteLength(folder) + NAME_BYTES <= MAX_PATH_BYTES);
}

/** The folder of a new door: `$XDG_RUNTIME_DIR/orbweaver`, otherwise in the temporary folder. */
export function doorFolder(env: NodeJS.ProcessEnv = process.env): string {
  const folder = doorFolders(env).at(0);
  if (folder === undefined)
    throw new InputError(`${tmpdir()}: is too long a name for a folder of sockets; set TMPDIR to a shorter one`);
  return folder;
}

/** Makes the folder of doors. @throws InputError if it cannot be made, or others may enter it. */
export async function makeDoorFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new InputError(`${folder}: cannot be made: ${message}`);
  }
  const fault = await faultOf(folder);
  if (fault !== undefined) throw new InputError(`${folder}: ${fault}; it must be your own, with mode 700`);
}

/** Why the folder is no place for doors; undefined if it is one. */
async function faultOf(folder: string): Promise<string | undefined> {
  const stat = await lstat(folder).catch(() => undefined);
  if (stat?.isDirectory() !== true) return 'is not a folder';
  // Windows has no such users, and its sockets are no files.
  if (stat.uid !== process.getuid?.()) return 'belongs to another user';
  const mode = stat.mode & 0o777;
  return (mode & 0o077) === 0 ? undefined : `is open to others (mode ${mode.toString(8)})`;
}

export function socketOf(folder: string, id: string): string {
  return join(folder, `${id}.sock`);
}

/** Writes a card, whole or not at all. */
export async function writeCard(folder: string, card: RunCard): Promise<void> {
  const path = join(folder, `${card.id}.json`);
  await writeFile(`${path}.partial`, JSON.stringify({ card, process: holderText() }), { mode: 0o600 });
  await rename(`${path}.partial`, path);
}

/** Removes all files of a run. */
export async function removeFiles(folder: string, id: string): Promise<void> {
  for (const end of ['json', 'json.partial', 'sock']) await rm(join(folder, `${id}.${end}`), { force: true });
}

/**
 * The runs of this user that can be joined, by their start. The files of those whose process is gone are removed. A
 * folder that others may enter is not looked into.
 */
export async function openRuns(env: NodeJS.ProcessEnv = process.env): Promise<OpenRun[]> {
  const lists = await Promise.all(doorFolders(env).map(openRunsIn));
  return lists.flat().sort(({ card: a }, { card: b }) =>
    a.startedAt.localeCompare(b.startedAt) || a.id.localeCompare(b.id, 'en', { numeric: true }));
}

async function openRunsIn(folder: string): Promise<OpenRun[]> {
  if ((await faultOf(folder)) !== undefined) return [];
  const ids = new Set((await readdir(folder)).map((name) => name.split('.')[0]).filter((id) => idForm.test(id)));
  const runs = await Promise.all([...ids].map(async (id): Promise<OpenRun | undefined> => {
    const [card, socket] = [await cardOf(folder, id), socketOf(folder, id)];
    if (card !== undefined && (card.isAlive || (await answers(socket)))) return { card: card.card, socket };
    // Without a card it may be a run that is about to write one.
    if (card !== undefined || !isProcess(id)) await removeFiles(folder, id);
    return undefined;
  }));
  return runs.filter((run) => run !== undefined);
}

/** @returns undefined if there is none. `isAlive`: whether its process surely is there. */
async function cardOf(folder: string, id: string): Promise<{ card: RunCard; isAlive: boolean } | undefined> {
  try {
    const { card, process } = fileSchema.parse(JSON.parse(await readFile(join(folder, `${id}.json`), 'utf8')));
    if (card.id !== id) return undefined;
    // Without a known start it may be another process with the same number.
    return { card, isAlive: isAlive(process) && holderOf(process)?.['start'] !== undefined };
  } catch {
    return undefined;
  }
}

/** Whether a process listens: the system answers for it, however busy it is. */
function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection(socket);
    connection.once('error', () => { resolve(false); });
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
  });
}

/** Whether the process that an id names is there. */
function isProcess(id: string): boolean {
  try {
    process.kill(Number(idForm.exec(id)?.groups?.['pid']), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
