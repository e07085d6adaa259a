import { Columns, PageIndex, type ColumnArrays } from '../../../../base/index.ts';
import { PageStates } from '../../../../core/frontier/index.ts';
import { packEntry } from '../../../../core/queue/index.ts';
import { deleted, known } from '../store/rows.ts';

/** `handOut`: the number of the hand-out whose lease is open, or 0; `leases.ts` sets it. */
const types = {
  kind: Uint8Array, queue: Uint32Array, date: Float64Array, created: Uint32Array, handOut: Float64Array,
} as const;

/**
 * The URLs of a crawl by local index: the passive frontier's page states, and what a frontier needs that serves others.
 * A state means: found, known from links alone, or discovered before the ranking began, or deleted; queued, in the heap
 * of discovered URLs; inFlight, leased; fetched, known, and in the heap of dates unless it is done.
 *
 * Memory   48 bytes per URL, and up to an eighth of spare capacity.
 */
export class Urls {
  readonly states = new PageStates(new PageIndex());
  readonly #columns = new Columns(types);

  get count(): number {
    return this.states.count;
  }

  get bytes(): number {
    return this.states.bytes + this.#columns.bytes + 4 * this.count;
  }

  /** They are replaced when they grow: read them from here each time. */
  get columns(): ColumnArrays<typeof types> {
    return this.#columns.arrays;
  }

  /** The local index of a new URL, of this kind, in queue `queue`. */
  add(kind: number, queue: number, nowSeconds: number): number {
    const local = this.states.know(this.count);
    this.#columns.resize(this.count);
    const { columns } = this;
    columns.kind[local] = kind;
    columns.queue[local] = queue;
    columns.date[local] = columns.handOut[local] = 0;
    columns.created[local] = nowSeconds;
    return local;
  }

  /** Whether someone put it, and nobody has deleted it. */
  exists(local: number): boolean {
    const kind = this.columns.kind[local];
    return kind !== 0 && kind !== deleted;
  }

  /** Whether it may be handed out some day. */
  isActive(local: number): boolean {
    return this.exists(local) && !this.isDone(local);
  }

  /** Whether it will never be fetched again. */
  isDone(local: number): boolean {
    return this.columns.kind[local] === known && this.columns.date[local] === 0;
  }

  /** Whether the URL of an entry still waits in a heap of discovered URLs. */
  isQueuedAs(local: number, entry: number): boolean {
    return this.states.is(local, 'queued') && packEntry(this.states.queuedKey(local), local) === entry;
  }

  /** Whether the URL of an entry still waits in a heap of dates. */
  isDatedAs(local: number, date: number): boolean {
    return this.states.is(local, 'fetched') && this.columns.date[local] === date;
  }
}
