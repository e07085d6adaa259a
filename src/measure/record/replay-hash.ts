import { createHash } from 'node:crypto';
import { assert } from '../../base/index.ts';
import type { RunEvents } from './events.ts';

/**
 * SHA-256, in hexadecimal, over little-endian fields: for each outcome in the order (finishedAtUs, processor, sequence)
 * processor, page id, kind (u32 each), started and finished (float64 microseconds each); then for each superstep the
 * barrier time (float64) and the pairs sent by all processors (u32). Nothing else enters it: two runs with one hash are
 * the same crawl.
 *
 * @param kinds outcome kinds; a kind's position is its code, and position 0 is a page fetched.
 */
export function replayHash(events: RunEvents, kinds: readonly string[]): string {
  const hash = createHash('sha256');
  const outcomeBytes = 28;
  const chunk = new DataView(new ArrayBuffer(outcomeBytes * 4096));
  let used = 0;
  const flush = (): void => {
    hash.update(new Uint8Array(chunk.buffer, 0, used));
    used = 0;
  };
  const outcome = (processor: number, page: number, kind: number, startedUs: number, finishedUs: number): void => {
    if (used + outcomeBytes > chunk.byteLength) flush();
    chunk.setUint32(used, processor, true);
    chunk.setUint32(used + 4, page, true);
    chunk.setUint32(used + 8, kind, true);
    chunk.setFloat64(used + 12, startedUs, true);
    chunk.setFloat64(used + 20, finishedUs, true);
    used += outcomeBytes;
  };

  const { order, processors, times, failures, rows } = events;
  let failed = 0;
  for (let fetched = 0; fetched < order.length || failed < failures.length; ) {
    if (failed < failures.length && failures[failed].position === fetched + failed) {
      const { processor, page, kind, startedUs, finishedUs } = failures[failed++];
      const code = kinds.indexOf(kind);
      assert(code > 0, () => `unknown outcome kind ${kind}`);
      outcome(processor, page, code, startedUs, finishedUs);
    } else {
      outcome(processors[fetched], order[fetched], 0, times[2 * fetched], times[2 * fetched + 1]);
      fetched++;
    }
  }
  for (let first = 0; first < rows.length; ) {
    let pairs = 0;
    let next = first;
    for (; next < rows.length && rows[next].superstep === rows[first].superstep; next++) pairs += rows[next].pairsSent;
    if (used + 12 > chunk.byteLength) flush();
    chunk.setFloat64(used, rows[first].barrierUs, true);
    chunk.setUint32(used + 8, pairs, true);
    used += 12;
    first = next;
  }
  flush();
  return hash.digest('hex');
}
