import { createHash } from 'node:crypto';
import { assert, grown } from '../../../base/index.ts';
import { recordedKinds, type RunEvents, type SuperstepRow } from './events.ts';
import type { OrderedTarget, Settled } from './total-order.ts';

const outcomeBytes = 28;
const superstepBytes = 12;

/**
 * The replay hash of a run: SHA-256, in hexadecimal, over little-endian fields. For each outcome in the order
 * (finishedAtUs, processor, sequence): processor, page id, kind (its position in `recordedKinds`) as u32, started and
 * finished as float64 microseconds; then for each superstep the barrier time (float64) and the pairs sent by all
 * processors (u32). Nothing else enters it: two runs with one hash are the same crawl. 12 bytes per superstep.
 */
export class ReplayHash implements OrderedTarget {
  readonly #hash = createHash('sha256');
  readonly #chunk = new DataView(new ArrayBuffer(outcomeBytes * 4096));
  #used = 0;
  /** Barrier and pairs of each superstep: they come after all outcomes. */
  #barriersUs = new Float64Array(64);
  #pairs = new Uint32Array(64);
  #supersteps = 0;
  #superstep = -1;

  settled({ outcomes: { size, pages, processors, kinds, times }, rows }: Settled): void {
    for (let i = 0; i < size; i++) this.outcome(processors[i], pages[i], kinds[i], times[2 * i], times[2 * i + 1]);
    for (const row of rows) this.row(row);
  }

  outcome(processor: number, page: number, kind: number, startedUs: number, finishedUs: number): void {
    this.#flushBefore(outcomeBytes);
    const chunk = this.#chunk;
    chunk.setUint32(this.#used, processor, true);
    chunk.setUint32(this.#used + 4, page, true);
    chunk.setUint32(this.#used + 8, kind, true);
    chunk.setFloat64(this.#used + 12, startedUs, true);
    chunk.setFloat64(this.#used + 20, finishedUs, true);
    this.#used += outcomeBytes;
  }

  row({ superstep, barrierUs, pairsSent }: Pick<SuperstepRow, 'superstep' | 'barrierUs' | 'pairsSent'>): void {
    if (superstep !== this.#superstep) {
      this.#superstep = superstep;
      this.#barriersUs = grown(this.#barriersUs, this.#supersteps + 1);
      this.#pairs = grown(this.#pairs, this.#supersteps + 1);
      this.#barriersUs[this.#supersteps++] = barrierUs;
    }
    this.#pairs[this.#supersteps - 1] += pairsSent;
  }

  /** At the end of the run, once. */
  digest(): string {
    for (let i = 0; i < this.#supersteps; i++) {
      this.#flushBefore(superstepBytes);
      this.#chunk.setFloat64(this.#used, this.#barriersUs[i], true);
      this.#chunk.setUint32(this.#used + 8, this.#pairs[i], true);
      this.#used += superstepBytes;
    }
    this.#flushBefore(this.#chunk.byteLength + 1);
    return this.#hash.digest('hex');
  }

  #flushBefore(bytes: number): void {
    if (this.#used + bytes <= this.#chunk.byteLength) return;
    this.#hash.update(new Uint8Array(this.#chunk.buffer, 0, this.#used));
    this.#used = 0;
  }
}

/** The replay hash of recorded events. */
export function replayHash({ order, processors, times, failures, rows }: RunEvents): string {
  const hash = new ReplayHash();
  let failed = 0;
  for (let fetched = 0; fetched < order.length || failed < failures.length; ) {
    if (failed < failures.length && failures[failed].position === fetched + failed) {
      const { processor, page, kind, startedUs, finishedUs } = failures[failed++];
      const code = (recordedKinds as readonly string[]).indexOf(kind);
      assert(code > 0, () => `unknown outcome kind ${kind}`);
      hash.outcome(processor, page, code, startedUs, finishedUs);
    } else {
      hash.outcome(processors[fetched], order[fetched], 0, times[2 * fetched], times[2 * fetched + 1]);
      fetched++;
    }
  }
  for (const row of rows) hash.row(row);
  return hash.digest();
}
