import type { Fault } from '../faults.ts';

const log = 'machines/cluster/log/log.ts';
const heldSlot = 'machines/cluster/slots/held-slot.ts';
const memorySlots = 'machines/cluster/slots/memory-slots.ts';
const member = 'machines/cluster/live/member.ts';
const agree = 'machines/cluster/live/agree.ts';
const liveNode = 'machines/cluster/live/live-node.ts';

/** Of the code of nodes: one line each, such as a hurry would leave behind. */
export const clusterFaults: readonly Fault[] = [
  {
    name: 'what the engine has lost is not written again', file: log,
    before: '      if (!isBefore(last, this.#last)) return;',
    after: '      if (!isBefore(last, this.#last) || this.#isClosed === false) return;',
  },
  {
    name: 'a later epoch is read on', file: log,
    before: '    if (id.epoch > this.epoch) throw new EpochEnded(stream, id.epoch);', after: '',
  },
  {
    name: 'a slot is sure as long as it has not been refused', file: heldSlot,
    before: 'return now >= this.#sureFromMs && now - this.#renewedMs < slots.leaseMs / 2;',
    after: 'return now >= this.#sureFromMs && slots.leaseMs > 0;',
  },
  {
    name: 'a successor does not wait', file: heldSlot,
    before: 'isFirst ? takenMs : nowMs() + slots.leaseMs + delayMs;',
    after: 'isFirst ? takenMs : nowMs() + 0 * delayMs;',
  },
  {
    name: 'a slot that was lost is renewed by whoever comes', file: memorySlots,
    before: 'if (holder === undefined ? this.#epoch > epoch : holder.token !== token) return false;',
    after: 'if (holder !== undefined && holder.token !== token) return false;',
  },
  {
    name: 'epochs begin anew once they are lost', file: memorySlots,
    before: 'this.#epoch = Math.max(this.#epoch, seenEpoch) + 1;',
    after: 'this.#epoch = this.#epoch + 1 + 0 * seenEpoch;',
  },
  {
    name: 'requests are made without a look at the slot', file: member, before: '    while (!this.#held.isSure) {',
    after: '    while (!this.#held.isSure && this.#lost !== undefined) {',
  },
  {
    name: 'checkpoints may follow at once', file: 'machines/cluster/live/checkpoint-votes.ts',
    before: 'superstep - this.#last >= 2);', after: 'superstep - this.#last >= 1);',
  },
  {
    name: 'nodes go on from the last checkpoint that one of them has', file: agree,
    before: 'states.every(({ checkpoints }) => checkpoints.includes(superstep))).at(-1);',
    after: 'states.some(({ checkpoints }) => checkpoints.includes(superstep))).at(-1);',
  },
  {
    name: 'amounts of letters from other nodes are halved', file: 'machines/cluster/live/live-letters.ts',
    before: 'amounts.push(pairAmount);', after: 'amounts.push(Math.floor(pairAmount / 2));',
  },
  {
    name: 'records are trimmed a superstep too early', file: 'machines/cluster/live/live-crews.ts',
    before: 'void log.trim(arrivalSeq(superstep - 1));', after: 'void log.trim(arrivalSeq(superstep));',
  },
  {
    name: 'a node leaves once its own end is stored', file: liveNode,
    before: '    await reached(log, endStoredSeq);\n', after: '',
  },
  {
    name: 'a node that has ended asks those that have not for two leases alone', file: liveNode,
    before: "    if (ours.ended !== 'everywhere') return agreement;",
    after: "    if (ours.ended === 'nowhere') return agreement;",
  },
  {
    name: 'the last checkpoint is stored while others may be behind', file: liveNode,
    before: '    await reached(this.#log, loopEndedSeq);\n', after: '',
  },
  {
    name: 'what a node said before it left is not asked for', file: agree,
    before: "    if (ours.ended !== 'here') return;\n", after: '    if (log.epoch > 0) return;\n',
    from: 3700,
  },
  {
    name: 'whoever has ended is believed that all have', file: agree,
    before: "  return ended === 'everywhere' &&", after: "  return ended !== 'nowhere' &&",
  },
  {
    name: 'a node leaves without a look at its last record', file: liveNode,
    before: '    await log.complete();\n', after: '',
  },
];
