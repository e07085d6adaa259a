import type { RunSink } from '../../../core/events/index.ts';

/** How long the lag of the clock must grow to be more than a pause that is being made up for, in supersteps. */
const superstepsPerLook = 32;
const looks = 3;

/**
 * Notices that a superstep is too short for the nodes to exchange its records. Each then begins late and waits for
 * nothing. The clock of the crawl falls further behind the clock of the wire: answers of hosts are observed later each
 * time, in the end never. After a pause of a node the lag shrinks again.
 *
 * @param superstepUs the longest that a superstep lasts.
 * @param wireUs the clock that outcomes are stamped with, microseconds since the crawl began.
 * @param onBehind called when that has begun, with the milliseconds that a superstep takes, and by which the clock is
 * behind.
 */
export function fallingBehind(
  superstepUs: number, wireUs: () => number, onBehind: (superstepMs: number, behindMs: number) => void,
): RunSink {
  let late = 0;
  let grown = 0;
  let last = { wireUs: 0, lagUs: 0 };
  return {
    superstep: ({ barrierUs }) => {
      const nowUs = wireUs();
      const now = { wireUs: nowUs, lagUs: nowUs - barrierUs };
      late = now.lagUs < superstepUs ? 0 : late + 1;
      if (late <= 1) {
        grown = 0;
        last = now;
        return;
      }
      if ((late - 1) % superstepsPerLook !== 0) return;
      grown = now.lagUs > last.lagUs ? grown + 1 : 0;
      if (grown === looks) onBehind((now.wireUs - last.wireUs) / superstepsPerLook / 1000, now.lagUs / 1000);
      last = now;
    },
  };
}
