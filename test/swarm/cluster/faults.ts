import type { Fault } from '../faults.ts';

const log = 'cluster/log/log.ts';
const heldSlot = 'cluster/slots/held-slot.ts';
const memorySlots = 'cluster/slots/memory-slots.ts';
const letters = 'cluster/records/letters.ts';
const peerCrew = 'cluster/crews/peer-crew.ts';

/** Of the code of nodes: one line each, such as a hurry would leave behind. */
export const clusterFaults: readonly Fault[] = [
  {
    name: 'what the engine has lost is not written again', file: log, before: '      if (!isBefore(last, this.#last)) return;',
    after: '      if (!isBefore(last, this.#last) || this.#isClosed === false) return;',
  },
  {
    name: 'a later epoch is read on', file: log,
    before: '    if (id.epoch > this.#epoch) throw new EpochEnded(stream, id.epoch);', after: '',
  },
  {
    name: 'a zombie writes behind its successor', file: log,
    before: '      if (last !== undefined && last.epoch > this.#epoch) throw new EpochEnded(this.node, last.epoch);', after: '',
  },
  {
    name: 'records are written without a look at what is there', file: log,
    before: '      if (this.#appendedSeq < seq) await this.#compare(entry);', after: '',
  },
  {
    name: 'a slot is sure as long as it has not been refused', file: heldSlot,
    before: 'return now >= this.#sureFromMs && now - this.#renewedMs < slots.leaseMs / 2;',
    after: 'return now >= this.#sureFromMs && slots.leaseMs > 0;',
  },
  {
    name: 'a successor does not wait', file: heldSlot,
    before: 'isFirst ? takenMs : nowMs() + slots.leaseMs + delayMs;', after: 'isFirst ? takenMs : nowMs() + 0 * delayMs;',
  },
  {
    name: 'a successor waits for the lease alone', file: heldSlot,
    before: 'nowMs() + slots.leaseMs + delayMs;', after: 'nowMs() + slots.leaseMs / 2 + 0 * delayMs;',
  },
  {
    name: 'a renewal counts from its answer', file: heldSlot,
    before: 'this.#renewedMs = Math.max(this.#renewedMs, sentMs);', after: 'this.#renewedMs = Math.max(sentMs, nowMs());',
  },
  {
    name: 'a slot that was lost is renewed by whoever comes', file: memorySlots,
    before: 'if (holder === undefined ? this.#epoch > epoch : holder.token !== token) return false;',
    after: 'if (holder !== undefined && holder.token !== token) return false;',
  },
  {
    name: 'epochs begin anew once they are lost', file: memorySlots,
    before: 'this.#epoch = Math.max(this.#epoch, seenEpoch) + 1;', after: 'this.#epoch = this.#epoch + 1 + 0 * seenEpoch;',
  },
  {
    name: 'letters between nodes lose their last amount', file: letters,
    before: 'for (let i = 0; i < size; i++) amounts[i] = bytes.float64();',
    after: 'for (let i = 0; i < size; i++) amounts[i] = i + 1 === size && size > 1 ? 0 * bytes.float64() : bytes.float64();',
  },
  {
    name: 'outcomes at a barrier of other nodes are not heard', file: peerCrew,
    before: '    this.#report(settled.heard);\n', after: '',
  },
];
