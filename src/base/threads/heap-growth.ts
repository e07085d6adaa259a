import { setFlagsFromString } from 'node:v8';

/** The share of itself by which the heap may grow before all of it is collected. */
const GROWTH_PERCENT = 100;

/**
 * Makes full collections of the heap rarer, for the rest of the process and on all its threads. V8 counts the bodies
 * that were received as growth of the heap: by default, a crawl of long pages collects all of it four times per second.
 * Memory: up to twice the memory in use.
 */
export function collectLessOften(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
