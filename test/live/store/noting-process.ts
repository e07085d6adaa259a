import { writeSync } from 'node:fs';
import { openLmdbStore } from '../../../src/core/live/store/lmdb-store.ts';
import type { NewPage, Note } from '../../../src/core/live/store/crawl-store.ts';

/** Notes before a checkpoint. */
export const CHECKPOINT_NOTES = 7;
/** Notes that wait for their promises at once. */
const IN_FLIGHT = 5;

/** Page `id`, the same in whichever process. */
export function pageOf(id: number): NewPage {
  return { url: `https://h${id % 13}.example/${'p'.repeat(id % 50)}/${id}`, depth: id % 9, redirects: id % 3 };
}

/** Most pages have a text, some a long one. */
export function textOf(k: number): Uint8Array | undefined {
  return k % 4 === 0 ? undefined : new Uint8Array(k % 10 === 0 ? 9000 : k % 90).fill(k);
}

/** Note `k` visits page k. What is to be reported of it: pages noted before it, and itself. */
export function noteOf(k: number): Note {
  const firstPage = pagesBefore(k);
  const pages = Array.from({ length: pagesBefore(k + 1) - firstPage }, (_, i) => pageOf(firstPage + i));
  return {
    firstPage,
    pages,
    visit: {
      page: k, kind: 'fetched', bytes: 1000 + k, waitUs: 0, finishedAtUs: 10 * k,
      links: Uint32Array.from({ length: (k * 7) % 60 }, (_, i) => i), byRedirect: k % 7 === 0, digest: '',
      warc: { file: 0, end: k },
    },
    text: textOf(k),
    robots:
      k % 5 === 0
        ? {
            origin: `https://h${k}.example`,
            status: 200,
            fetchedAtMs: k,
            expiresAtMs: k + 1,
            body: new Uint8Array(k % 100).fill(k),
          }
        : undefined,
  };
}

/** Two new pages a note, and one more in every third. */
export function pagesBefore(k: number): number {
  return 2 * k + Math.floor((k + 2) / 3);
}

export function checkpointOf(k: number): Uint8Array {
  return new Uint8Array(20_000).fill(k).fill(Math.floor(k / 256), 0, 100);
}

/** Goes on noting where the store ends, until it is killed; each note that is acknowledged is reported by a line. */
async function noteForever(folder: string): Promise<void> {
  const store = await openLmdbStore(folder);
  for (let k = [...store.visits()].length; ; k += IN_FLIGHT) {
    await Promise.all(Array.from({ length: IN_FLIGHT }, async (_, i) => {
      const noted = store.note(noteOf(k + i));
      const written = (k + i) % CHECKPOINT_NOTES === 0
        ? store.checkpoint({ superstep: k + i, barrierUs: 0, state: checkpointOf(k + i) }) : undefined;
      await noted;
      writeSync(1, `note ${k + i}\n`);
      await written;
      if (written) writeSync(1, `checkpoint ${k + i}\n`);
    }));
  }
}

const [word, folder] = process.argv.slice(2);
if (word === 'note') {
  // Only on request: a process takes longer to start than to be killed.
  process.stdin.once('data', () => void noteForever(folder));
}
