import { stat } from 'node:fs/promises';
import { InputError } from '../../base/index.ts';
import { openIndex } from '../../search/index.ts';
import { exportFormOf, exportIndex } from '../../search/out/index.ts';
import { exitCodes } from '../exit.ts';
import type { RawFlags } from '../flags/flags.ts';
import { checkWritable } from '../flags/out-file.ts';
import { interruptSignal } from '../interrupt.ts';
import { invocation } from '../invocation.ts';
import { counted, decimal } from '../text/figures.ts';
import { print, remark } from '../text/output.ts';
import { printable, printableShort } from '../text/printable.ts';
import { ProgressLine, shareAndTimeLeft } from '../text/progress.ts';

interface Flags extends RawFlags {
  readonly out?: string;
  readonly json?: true;
}

/** What `orbweaver export` does. */
export async function runExport(path: string, flags: Flags): Promise<void> {
  const out = String(flags.out);
  exportFormOf(out);
  const signal = interruptSignal();
  const index = await openIndex(path);
  const line = new ProgressLine();
  const sinceMs = performance.now();
  const { documents, pages } = index;
  try {
    await checkWritable(out);
    if (await isSameFile(path, out)) throw new InputError(`--out ${printableShort(out)}: is the index itself`);
    await exportIndex(index, out, {
      signal,
      onDocument: (done) => { line.show(() => shareAndTimeLeft(done, documents, sinceMs)); },
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    remark(`interrupted; ${printable(out)} was not written`);
    invocation().exitCode = exitCodes.interrupted;
    return;
  } finally {
    line.clear();
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
  const [here, there] = await Promise.all([path, other].map((one) => stat(one).catch(() => undefined)));
  return here !== undefined && there !== undefined && here.ino === there.ino && here.dev === there.dev;
}
