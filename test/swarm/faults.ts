/** A fault put into the product on purpose, to see that the swarm finds it. */
export interface Fault {
  readonly name: string;
  /** Below src/. */
  readonly file: string;
  /** Text that occurs in the file once, and its replacement. */
  readonly before: string;
  readonly after: string;
  /** For a rare fault: a seed shortly before one that finds it. */
  readonly from?: number;
}

const pendingJobs = 'core/frontier/hosts/pending-jobs.ts';
const processor = 'core/scheduler/processor.ts';
const frontier = 'core/frontier/frontier.ts';
const loop = 'core/engine/loop.ts';
const recovery = 'core/engine/recovery.ts';
const totalOrder = 'core/measure/record/total-order.ts';

/** One line each, such as a hurry would leave behind. */
export const faults: readonly Fault[] = [
  {
    name: 'politeness is a microsecond short', file: pendingJobs,
    before: 'endedUs + Math.max(politenessUs, restUs);', after: 'endedUs + Math.max(politenessUs - 1, restUs);',
  },
  {
    name: 'a host that failed is not left alone', file: pendingJobs,
    before: 'Math.max(waitUs, Math.min(backoffUs(this.#delays, slot.failures), maxBackoffUs))', after: 'waitUs',
  },
  {
    name: 'what a host asks for is ignored', file: pendingJobs,
    before: 'Math.max(waitUs, Math.min(backoffUs(this.#delays, slot.failures), maxBackoffUs))',
    after: 'Math.min(backoffUs(this.#delays, slot.failures), maxBackoffUs)',
  },
  {
    name: 'failures in a row are never forgotten', file: pendingJobs, before: 'hasFailed ? slot.failures + 1 : 0;',
    after: 'hasFailed ? slot.failures + 1 : slot.failures;',
  },
  {
    name: 'the back-off has no longest', file: 'core/frontier/hosts/retries.ts',
    before: 'Math.min(max, first * 2 ** Math.min(failures - 1, 60))',
    after: 'first * 2 ** Math.min(failures - 1, 60 + max * 0)',
  },
  {
    name: 'a page is tried once too rarely', file: frontier, before: ' < this.options.retries)',
    after: ' + 1 < this.options.retries)',
  },
  {
    name: 'a page to be tried again loses its turn', file: frontier, before: "'pending');\n    this.pendingJobs.add(",
    after: "'pending');\n    this.pendingJobs.add(0.5 * ",
  },
  {
    name: 'a page to be tried again is lost', file: frontier,
    before: "this.states.move(local, 'pending');\n    this.pendingJobs.add(",
    after: "this.states.move(local, 'failed');\n    if (local < 0) this.pendingJobs.add(",
  },
  {
    name: 'robots.txt counts as the page', file: frontier, before: "if (outcome.kind === 'fetched') {",
    after: "if (outcome.kind === 'fetched' || outcome.kind === 'robotsFetched') {",
  },
  {
    name: 'a denial costs time', file: 'core/engine/processors.ts',
    before: "settings.deniedCost === 'none' ? world.denies : undefined", after: 'undefined',
  },
  {
    name: 'a page that known rules deny is queued', file: frontier,
    before: '(entry, this.hostOf(local)); }, this.#setsAside,', after: '(entry, this.hostOf(local)); },',
  },
  {
    name: 'jobs that rules deny wait for their host', file: frontier,
    before: "if (outcome.kind === 'robotsFetched') this.#setJobsAside(this.hostOf(local));", after: '',
  },
  {
    name: 'a page that rules deny is lost', file: frontier, before: ': this.#denied.splice(0, most);',
    after: ': this.#denied.splice(0).slice(1);',
  },
  {
    name: 'the checkpoint forgets pages that rules deny', file: frontier,
    before: "[...this.states.pagesIn('inFlight'), ...this.#denied]", after: "[...this.states.pagesIn('inFlight')]",
  },
  {
    name: 'a denial counts towards R_x', file: processor, before: 'this.#sequence++;\n      this.lastOutcome',
    after: 'this.#sequence++;\n      this.#shift!.observed++;\n      this.lastOutcome',
  },
  {
    name: 'a pending job keeps its key', file: 'core/frontier/page-queue.ts',
    before: 'change(this.#keyed(local, key, score), local);', after: 'this.#keyed(local, key, score);',
  },
  {
    name: 'a page to be tried again keeps its key', file: 'core/frontier/page-queue.ts',
    before: 'if (!this.#options.rekeysPending) return this.entryOf(local);', after: 'return this.entryOf(local);',
  },
  {
    name: 'a host fills the pending jobs', file: 'core/engine/processors.ts',
    before: 'rekeysPending && superstepMs > 0',
    after: 'superstepMs < 0',
  },
  {
    name: 'R_x is one too many', file: processor, before: 'shift.observed >= superstepLimit',
    after: 'shift.observed > superstepLimit',
  },
  {
    name: 'the last outcome of a barrier is lost', file: processor,
    before: 'for (const outcome of this.drained) this.#observe(outcome);',
    after: 'for (const outcome of this.drained.slice(0, 1)) this.#observe(outcome);',
  },
  {
    name: 'the checkpoint has no outboxes', file: frontier, before: 'outboxes: this.outboxes.save(),',
    after: 'outboxes: { ...this.outboxes.save(), pairs: [] },',
  },
  {
    name: "the checkpoint lacks the policy's state", file: frontier, before: 'policy: this.options.policy.save(),',
    after: 'policy: undefined,',
  },
  {
    name: 'the checkpoint forgets failed tries', file: frontier, before: 'attempts: [...this.#attempts],',
    after: 'attempts: [],',
  },
  {
    name: 'hosts of a checkpoint do not wait', file: frontier, before: 'nowUs + options.politenessUs', after: 'nowUs',
  },
  {
    name: 'the remainder of the coins is lost', file: 'core/policy/coins.ts',
    before: 'this.#root.coins += spent - share * links;', after: '',
  },
  {
    name: 'pairs bring nothing', file: processor, before: 'frontier.credit(local, amounts[i]);',
    after: 'frontier.credit(local, 0 * amounts[i]);',
  },
  {
    name: 'the barrier forgets who received most', file: 'core/bsp/transport.ts',
    before: 'Math.max(h, pairsSent, pairsReceived)', after: 'Math.max(h, pairsSent)',
  },
  {
    name: 'a full message takes one pair more', file: 'core/bsp/mailbox.ts', before: '=== this.#maxPairs',
    after: '> this.#maxPairs',
  },
  {
    name: 'mail comes in the order in which it was sent last', file: 'core/bsp/transport.ts', before: 'a.from - b.from',
    after: 'b.from - a.from',
  },
  {
    name: 'ties leave in the wrong order', file: 'core/queue/binary-heap.ts', before: 'if (right > greatest) {',
    after: 'if (right > greatest && right - greatest > greatest * 2 ** -30) {',
  },
  {
    name: 'pages of one host lie on two processors', file: 'core/engine/setup/owners.ts',
    before: 'processorOfHost[ofPage[page]];',
    after: 'processorOfHost[(ofPage[page] + (page & 1)) % processorOfHost.length];',
  },
  {
    name: 'a draw is not keyed', file: 'core/policy/random.ts', before: 'Math.floor((draws.uint32(local, processor)',
    after: 'Math.floor((((draws.uint32(local, processor) + performance.now() * 1e6) % 2 ** 32)',
  },
  {
    name: 'the crawl ends while pairs are under way', file: loop, before: 'crews.areIdle && transport',
    after: 'crews.areIdle || transport',
  },
  {
    name: 'the page limit is shared twice over', file: loop, before: '(rank++ < pages % sharers ? 1 : 0)',
    after: '(rank++ <= left % sharers ? 1 : 0)',
  },
  {
    name: 'pages in flight do not count towards the limit', file: loop, before: '- crews.inFlight;',
    after: '- 0 * crews.inFlight;',
  },
  {
    name: 'a crash in the barrier is not noticed', file: recovery, before: 'firstCrashUs > barrierUs',
    after: 'firstCrashUs > arrivedUs',
  },
  {
    name: 'a restart cannot fail', file: recovery, before: 'if (crash.atUs > resumedUs ||',
    after: 'if (crash.atUs > noticedUs ||',
  },
  { name: 'what a lost superstep sent is received', file: loop, before: 'transport.discard();', after: '' },
  {
    name: 'what a crash loses stays in the order', file: totalOrder,
    before: 'if (log.kinds[i] === 0) log.kinds[i] = LOST;', after: '{}',
  },
  {
    name: 'what nobody observed before the end is in the record', file: totalOrder,
    before: 'log.size -= log.unobserved;', after: '',
  },
  {
    name: 'a failure of a host is a try of its page', file: 'core/frontier/hosts/troubles.ts',
    before: 'return this.#returned.delete(local);', after: 'this.#returned.delete(local); return false;',
  },
  {
    name: 'patience ends early', file: 'core/frontier/hosts/outages.ts', before: 'if (leftUs <= 0 ||',
    after: 'if (leftUs <= this.#patienceUs / 10 ||',
  },
  {
    name: 'an answer does not end an outage', file: 'core/frontier/hosts/outages.ts',
    before: 'if (this.#outages.size > 0) this.#outages.delete(host);', after: '',
  },
];
