import { grown } from '../../../base/index.ts';
import type { PageNames } from '../../../core/events/index.ts';
import type { OutcomeKind } from '../../../core/world/index.ts';

/** So many failures of a host one after the other are worth a line of the feed. */
const FAILURES_IN_A_ROW = 10;
/** The feed names at most so many hosts. */
const MAX_HOSTS = 20;

/**
 * The hosts of a run whose downloads fail again and again, each reported once it has failed ten times in a row.
 *
 * Cost  while no host fails, nothing: the host of a page is not even looked up. A byte per host.
 */
export class FailingHosts {
  readonly #tell: (text: string, processor: number) => void;
  /** Failures of each host since its last answer, up to FAILURES_IN_A_ROW. */
  #inARow = new Uint8Array(64);
  /** Hosts with such failures. */
  #count = 0;
  #reported = 0;

  /** @param tell - receives a line for the feed. */
  constructor(tell: (text: string, processor: number) => void) {
    this.#tell = tell;
  }

  /** A download of the page failed, and may succeed another time. */
  failed(page: number, processor: number, kind: OutcomeKind, names: PageNames): void {
    const host = names.hostOf(page);
    this.#inARow = grown(this.#inARow, host + 1);
    if (this.#inARow[host] === 0) this.#count++;
    if (this.#inARow[host] === FAILURES_IN_A_ROW || ++this.#inARow[host] < FAILURES_IN_A_ROW) return;
    this.#reported++;
    if (this.#reported > MAX_HOSTS + 1) return;
    this.#tell(
      this.#reported > MAX_HOSTS ? `more than ${MAX_HOSTS} hosts fail: others are not listed`
        : `${names.hostName(host)}: ${FAILURES_IN_A_ROW} downloads in a row failed, the last one: ${kind}`,
      processor,
    );
  }

  /** The page's host has answered. */
  answered(page: number, names: PageNames): void {
    if (this.#count === 0) return;
    const host = names.hostOf(page);
    if (host >= this.#inARow.length || this.#inARow[host] === 0) return;
    this.#inARow[host] = 0;
    this.#count--;
  }
}
