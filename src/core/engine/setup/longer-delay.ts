import type { ExactCheckpoint } from './exact-checkpoint.ts';

/**
 * The checkpoint where hosts at rest wait for a longer delay, from the end of their last download on. A shorter delay
 * needs no change: it holds from the next download of each host on.
 */
export function withDelay(from: ExactCheckpoint, politenessUs: number): ExactCheckpoint {
  const processors = from.processors.map((state, id) => {
    const { exact } = state.frontier;
    if (exact === undefined) return state;
    const { nowUs } = exact.pending;
    const slots = new Map(exact.pending.slots.map((slot) => [slot.host, slot]));
    for (const [host, { endedAtUs, waitUs }] of from.worlds[id].hosts) {
      const readyAtUs = endedAtUs + Math.max(politenessUs, waitUs);
      const slot = slots.get(host) ??
        { host, entries: new Float64Array(0), readyAtUs, failures: 0, isResting: false, place: 'idle' as const };
      if (slot.place === 'open' || readyAtUs <= nowUs) continue;
      const place = slot.place === 'ready' ? 'waiting' : slot.place;
      slots.set(host, { ...slot, place, readyAtUs: Math.max(slot.readyAtUs, readyAtUs) });
    }
    const pending = { ...exact.pending, slots: [...slots.values()] };
    return { ...state, frontier: { ...state.frontier, exact: { ...exact, pending } } };
  });
  return { ...from, processors };
}
