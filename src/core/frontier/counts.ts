/** A processor's work in a superstep. busy + stalled + noJob + barrierWait = robots x length of the superstep. */
export interface SuperstepCounts {
  /** Pages fetched and observed, those drained at the barrier before included. */
  pages: number;
  /** Outcomes observed without a page. */
  failures: number;
  /** Failures after which the page is retried. */
  retried: number;
  /** Outcomes observed that had been drained at the barrier before; these do not count towards R_x. */
  drained: number;
  /** Failures that rules denied without a download; they do not count towards R_x. */
  denied: number;
  /** Pages that failed without an outcome, because their host was given up or blocked. */
  dropped: number;
  bytes: number;
  /** Entries extracted, and how many of them were stale. */
  extracted: number;
  stale: number;
  /** Entries inserted, and how many of them for pages already queued. */
  inserted: number;
  reinserted: number;
  /** Pending pages that got another key, since their scores had changed. */
  rekeyed: number;
  insertComparisons: number;
  extractComparisons: number;
  /** Links from observed pages to pages of other processors, before combining. */
  crossLinks: number;
  /** Microseconds of robot time. */
  busyUs: number;
  stalledUs: number;
  noJobUs: number;
  barrierWaitUs: number;
  /** After the barrier: pages queued, jobs pending, downloads open. */
  queued: number;
  pending: number;
  inFlight: number;
  /** After the barrier: the count of the queue's `structure`. */
  queueStructure: number;
  /** Reads and writes of the files of a queue in secondary memory. */
  queueReads: number;
  queueWrites: number;
  /** R_x, and the pending jobs aimed at. */
  superstepLimit: number;
  pendingTarget: number;
  /** Microseconds, not of robots: while all robots downloaded and a further job was ready; from arrival to barrier. */
  saturatedUs: number;
  waitUs: number;
  /** Of `stalledUs`, while every pending job was of a host that backs off or asked for a pause. */
  restingUs: number;
  /**
   * A sample of the pages left in the queue, taken where robots were stalled, and how many of these were of hosts that
   * could be asked and had no pending job: hosts that more pending jobs would have kept busy.
   */
  sampledPages: number;
  sampledIdle: number;
  /** Time in which the bytes of ended downloads came in, and the part that the processor's own link added. */
  transferUs: number;
  throttledUs: number;
}

export function newCounts(): SuperstepCounts {
  return {
    pages: 0, failures: 0, retried: 0, drained: 0, denied: 0, dropped: 0, bytes: 0,
    extracted: 0, stale: 0, inserted: 0, reinserted: 0, rekeyed: 0, insertComparisons: 0, extractComparisons: 0,
    crossLinks: 0,
    busyUs: 0, stalledUs: 0, noJobUs: 0, barrierWaitUs: 0,
    queued: 0, pending: 0, inFlight: 0, queueStructure: 0, queueReads: 0, queueWrites: 0,
    superstepLimit: 0, pendingTarget: 0, saturatedUs: 0, waitUs: 0, restingUs: 0, sampledPages: 0, sampledIdle: 0,
    transferUs: 0, throttledUs: 0,
  };
}

/** Clears the same object: new objects for many processors would outlive the young generation. */
export function clear(counts: SuperstepCounts): void {
  counts.pages = counts.failures = counts.retried = counts.drained = counts.denied = counts.dropped =
    counts.bytes = counts.extracted = counts.stale = counts.inserted = counts.reinserted = counts.rekeyed =
    counts.insertComparisons = counts.extractComparisons = counts.crossLinks = counts.busyUs = counts.stalledUs =
    counts.noJobUs = counts.barrierWaitUs = counts.queued = counts.pending = counts.inFlight = counts.queueStructure =
    counts.queueReads = counts.queueWrites = counts.superstepLimit = counts.pendingTarget = counts.saturatedUs =
    counts.waitUs = counts.restingUs = counts.sampledPages = counts.sampledIdle = counts.transferUs =
    counts.throttledUs = 0;
}
