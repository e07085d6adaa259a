import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { IdIndex, InputError } from '../../base/index.ts';
import type { RunJson } from './record.ts';
import { superstepColumns, type RunEvents, type SuperstepRow } from './events.ts';

/**
 * What `run.json` in a folder of `simulate --out` holds.
 *
 * @param folder - path of the folder.
 * @returns settings and figures of the run.
 * @throws InputError where there is no such file, or it is none of ours.
 */
export async function readRunJson<E>(folder: string): Promise<RunJson<E>> {
  const path = join(folder, 'run.json');
  let run: unknown;
  try {
    run = JSON.parse((await bytesOf(path)).toString('utf8'));
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${path}: is no JSON (${(error as Error).message})`);
  }
  const parsed = needed.safeParse(run);
  if (parsed.success) return run as RunJson<E>;
  const [issue] = parsed.error.issues;
  throw new InputError(`${path}: is no record of a run: ${issue.path.join('.') || 'the whole'}: ${issue.message}`);
}

/** That without which nothing can be told of a run; all else may be of another version. */
const needed = z.looseObject({
  version: z.string(),
  replayHash: z.string(),
  experiment: z.looseObject({ seed: z.int() }),
  dataset: z.looseObject({ name: z.string(), sha256: z.string() }),
  summary: z.looseObject({
    ended: z.string(), pagesFetched: z.int().min(0), quality: z.looseObject({ pagerankArea: z.number() }),
  }),
});

/**
 * What happened in the run whose record lies in `folder`, as far as the record tells: which processor fetched a page,
 * and what failed, it does not keep in a form that is read here.
 *
 * @param folder - path of the folder.
 * @param run - what `readRunJson` gave of the same folder.
 * @returns the caller's own arrays.
 * @throws InputError where a file is missing, cut or of another version, or a page was fetched twice.
 */
export async function readRunEvents(
  folder: string, run: RunJson,
): Promise<Pick<RunEvents, 'order' | 'times' | 'rows'>> {
  const { pagesFetched } = run.summary;
  const numbers = async (name: string, bytes: number): Promise<DataView> => {
    const found = await bytesOf(join(folder, name));
    if (found.length !== bytes)
      throw new InputError(
        `${join(folder, name)}: has ${found.length} bytes, not the ${bytes} of ${pagesFetched} pages`,
      );
    return new DataView(found.buffer, found.byteOffset, found.length);
  };
  const order = await numbers('order.u32', 4 * pagesFetched);
  const times = await numbers('times.f64', 16 * pagesFetched);
  const fetched = new IdIndex();
  for (let i = 0; i < pagesFetched; i++) {
    const page = order.getUint32(4 * i, true);
    if (fetched.add(page) < i) throw new InputError(`${join(folder, 'order.u32')}: names page ${page} twice`);
  }
  return {
    order: fetched.ids(),
    times: Float64Array.from({ length: 2 * pagesFetched }, (_, i) => times.getFloat64(8 * i, true)),
    rows: rowsOf((await bytesOf(join(folder, 'supersteps.csv'))).toString('utf8'), join(folder, 'supersteps.csv')),
  };
}

function rowsOf(text: string, path: string): SuperstepRow[] {
  const [header, ...lines] = text.trimEnd().split('\n');
  const columns = header.split(',');
  const missing = superstepColumns.find((column) => !columns.includes(column));
  if (missing !== undefined)
    throw new InputError(`${path}: has no column ${missing}; it was written by another version`);
  return lines.map((line, i) => {
    const values = line.split(',').map(Number);
    if (values.length !== columns.length || values.some(Number.isNaN))
      throw new InputError(`${path}:${i + 2}: is no row of ${columns.length} numbers`);
    return Object.fromEntries(columns.map((column, j) => [column, values[j]])) as unknown as SuperstepRow;
  });
}

async function bytesOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(
      `${path}: ${code === 'ENOENT' ? 'is not there' : `cannot be read (${code ?? String(error)})`}`,
    );
  }
}
