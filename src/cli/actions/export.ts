import { stat } from 'node:fs/promises';
import { InputError } from '../../base/index.ts';
import { openIndex } from '../../search/index.ts';
import { exportFormOf, exportIndex } from '../../search/out/index.ts';
import type { OutFlags } from '../flags/flags.ts';
import { checkWritable } from '../flags/out-file.ts';
import { interruptSignal } from '../interrupt.ts';
import { counted, decimal } from '../text/figures.ts';
import { print, remarkInterrupted } from '../text/output.ts';
import { printable, printableShort } from '../text/printable.ts';
import { shareAndTimeLeft, withProgress } from '../text/progress.ts';

export async function runExport(path: string, flags: OutFlags): Promise<void> {
  const out = String(flags.out);
  exportFormOf(out);
  const signal = interruptSignal();
  const index = await openIndex(path);
  const sinceMs = performance.now();
  const { documents, pages } = index;
  try {
    await checkWritable(out);
    if (await isSameFile(path, out)) throw new InputError(`--out ${printableShort(out)}: is the index itself`);
    await withProgress((line) => exportIndex(index, out, {
      signal, onDocument: (count) => { line.show(() => shareAndTimeLeft(count, documents, sinceMs)); },
    }));
  } catch (error) {
    if (!signal.aborted) throw error;
    remarkInterrupted(`interrupted; ${printable(out)} was not written`); return;
  } finally {
    index.close();
  }
  const { size: bytes } = await stat(out);
  print(
    flags.json,
    () => ({ index: path, file: out, documents, pages, bytes }),
    () => `${counted(documents, 'document')} of ${counted(pages, 'page')} in ${printable(out)}, ` +
      `${decimal(bytes / 1e6, 1)} MB`,
  );
}

async function isSameFile(path: string, other: string): Promise<boolean> {
  const [here, there] = await Promise.all([path, other].map((file) => stat(file).catch(() => undefined)));
  return here !== undefined && there !== undefined && here.ino === there.ino && here.dev === there.dev;
}
