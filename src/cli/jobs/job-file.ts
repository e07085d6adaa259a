import type { JobFile, JobWatch } from '../../views/watch/index.ts';
import type { OutFolder } from '../flags/out-folder.ts';

/**
 * Writes `job.json` of a watched job: when it begins, so that a killed one can be found, and when it ends.
 * @param watch undefined if nobody can watch it: then nothing is written.
 */
export async function writeJob(
  folder: OutFolder | undefined, watch: JobWatch | undefined, ended: JobFile['ended'],
): Promise<void> {
  if (watch !== undefined) await folder?.write('job.json', `${JSON.stringify(watch.file(ended))}\n`);
}
