import type { PackedRead } from '../../../src/core/live/pages/page.ts';
import type { RawPage } from '../../../src/core/live/pages/page.ts';
import { poolWorker } from '../../../src/base/threads/index.ts';

/** A reader of pages that does what they say. */
export default poolWorker(async (pages: readonly RawPage[]) => {
  const reads: PackedRead[] = [];
  for (const page of pages) reads.push(await readOne(page));
  return reads;
});

function readOne(page: RawPage): PackedRead | Promise<never> {
  const text = Buffer.from(page.body).toString();
  if (text === 'exit') process.exit(3);
  if (text === 'throw') throw new RangeError('too long');
  if (text === 'later') {
    return new Promise(() => setTimeout(() => {
      throw new Error('nobody waits');
    }, 1));
  }
  while (text === 'hang');
  return {
    fault: undefined, links: text, leftOut: {}, canonical: undefined, noindex: false, isCut: false, digest: '',
    text: undefined,
  };
}
