import { invocation, type Output } from '../invocation.ts';
import { clock, percent } from './figures.ts';
import { printable } from './printable.ts';

/** How far work of equal parts has come. @param sinceMs when it began. */
export function shareDone(
  amount: number, expected: number, sinceMs: number,
): { readonly share: number; readonly secondsLeft: number | null } {
  const share = Math.min(1, amount / expected);
  return { share, secondsLeft: share > 0 ? ((performance.now() - sinceMs) * (1 / share - 1)) / 1000 : null };
}

/** The share and the time left in words. */
export function shareAndTimeLeft(amount: number, expected: number, sinceMs: number): string {
  const { share, secondsLeft } = shareDone(amount, expected, sinceMs);
  return `${percent(share)}${secondsLeft === null ? '' : `, about ${clock(secondsLeft)} left`}`;
}

/** Does work that shows its progress; the line is cleared at the end. */
export async function withProgress<T>(work: (line: ProgressLine) => T | Promise<T>): Promise<T> {
  const line = new ProgressLine();
  try {
    return await work(line);
  } finally {
    line.clear();
  }
}

/** A log is not overwritten: a line each minute shows that work goes on, and short work has none. */
const LOGGED_EACH_MS = 60_000;

/**
 * One self-overwriting line on standard error during long work; where that is not a terminal, a line per minute, the
 * first after a minute.
 */
export class ProgressLine {
  readonly #stream: Output;
  #drawnAtMs = -Infinity;
  #loggedAtMs = performance.now();
  #drawn = false;

  constructor(stream: Output = invocation().stderr) {
    this.#stream = stream;
  }

  /** Shows `text`, at most ten times per second; it is called only when shown. */
  show(text: () => string): void {
    const nowMs = performance.now();
    if (!this.#stream.isTTY) {
      if (nowMs - this.#loggedAtMs < LOGGED_EACH_MS) return;
      this.#loggedAtMs = nowMs;
      this.#stream.write(`${printable(text())}\n`);
      return;
    }
    if (nowMs - this.#drawnAtMs < 100) return;
    this.#drawnAtMs = nowMs;
    this.#drawn = true;
    // Cut to the width: a line that wraps would not be overwritten.
    this.#stream.write(`\r\u001b[K${printable(text()).slice(0, Math.max(10, (this.#stream.columns || 80) - 1))}`);
  }

  clear(): void {
    if (this.#drawn) this.#stream.write('\r\u001b[K');
    this.#drawn = false;
    this.#drawnAtMs = -Infinity;
  }
}
