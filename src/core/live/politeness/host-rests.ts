import { LargeMap } from '../../../base/index.ts';
import type { HostRest } from '../store/crawl-store.ts';

/**
 * Hosts that must not be contacted for longer than politeness requires, because they asked for it or failed. What its
 * methods return must be noted in the store before anything depends on it, so that a rest survives the process.
 *
 * Memory   hosts that rest, or whose last download failed.
 */
export class HostRests {
  readonly #backoffUs: (failures: number) => number;
  readonly #known = new LargeMap<string, HostRest>();

  /**
   * @param noted what earlier sessions noted.
   * @param backoffUs how long a host rests after so many consecutive failures.
   */
  constructor(noted: Iterable<HostRest>, backoffUs: (failures: number) => number) {
    this.#backoffUs = backoffUs;
    for (const rest of noted) this.#known.set(rest.host, rest);
  }

  *left(nowMs: number): Iterable<{ readonly host: string; readonly restUs: number; readonly failures: number }> {
    for (const rest of this.#known.values())
      yield { host: rest.host, failures: rest.failures, restUs: restLeftUs(rest, nowMs) };
  }

  asked(host: string, waitUs: number, nowMs: number): HostRest {
    return this.#rest(host, this.#known.get(host)?.failures ?? 0, waitUs, nowMs);
  }

  /**
   * A download from the host failed, and it asks not to be contacted for `waitUs`; it rests for the longer of that and
   * the back-off.
   */
  failed(host: string, waitUs: number, nowMs: number): HostRest {
    const failures = (this.#known.get(host)?.failures ?? 0) + 1;
    return this.#rest(host, failures, Math.max(waitUs, this.#backoffUs(failures)), nowMs);
  }

  /** A download from the host did not fail; undefined if nothing is to be noted. */
  answered(host: string, nowMs: number): HostRest | undefined {
    const last = this.#known.get(host);
    if (last === undefined) return undefined;
    const rest = { ...last, failures: 0 };
    if (last.sinceMs + last.restMs <= nowMs) this.#known.delete(host);
    else this.#known.set(host, rest);
    return last.failures === 0 ? undefined : rest;
  }

  /** A rest that ends later than this one continues. */
  #rest(host: string, failures: number, restUs: number, nowMs: number): HostRest {
    const last = this.#known.get(host);
    const isLonger = last !== undefined && last.sinceMs + last.restMs > nowMs + restUs / 1000;
    const rest = isLonger ? { ...last, failures } : { host, failures, sinceMs: nowMs, restMs: restUs / 1000 };
    this.#known.set(host, rest);
    return rest;
  }
}

/**
 * The remainder of a rest, microseconds: never more than all of it, however the system's clock was set meanwhile. One
 * millisecond is added, because the system's time is in whole milliseconds.
 */
export function restLeftUs({ sinceMs, restMs }: HostRest, nowMs: number): number {
  return Math.round(1000 * Math.min(restMs, Math.max(0, sinceMs + restMs - nowMs + 1)));
}
