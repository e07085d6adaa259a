import {
  Columns, InputError, isLike, LargeMap, type ColumnArrays, type ColumnTypes, type Restorable, type SavedPart,
} from '../../base/index.ts';

/** The whole memory of a policy, as a copy that can be cloned. */
export interface SavedState {
  /** Pages known. */
  readonly known: number;
  /** The parts in the order in which the policy asked for them. */
  readonly parts: readonly SavedPart[];
}

/**
 * The memory of a policy on one processor, in parts that it asks for while it is made, always the same in the same
 * order. They are saved and restored without its help: a policy made again from a saved state finds its parts as they
 * were.
 *
 * @example
 * ```ts
 * const page = state.pages({ links: Uint32Array });   // page.links[local], 0 for a page that becomes known
 * const clock = state.numbers({ fetched: 0 });        // clock.fetched++
 * ```
 */
export class PolicyState {
  readonly #saved: SavedState | undefined;
  readonly #owner: string;
  readonly #parts: Restorable<SavedPart>[] = [];
  readonly #pageColumns: Columns<ColumnTypes>[] = [];
  #known: number;
  #room = Infinity;

  /**
   * Makes an empty state, or restores a saved one.
   *
   * @param saved - the saved state of a policy made in the same way.
   * @param owner - the policy's name, for messages.
   * @internal
   */
  constructor(saved?: SavedState, owner = '') {
    this.#owner = owner;
    this.#saved = saved;
    this.#known = saved?.known ?? 0;
  }

  /** Pages known: their local indices are below. */
  get known(): number {
    return this.#known;
  }

  /** Bytes of all parts, spare capacity included. */
  get bytes(): number {
    return this.#parts.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /**
   * Columns with one element per known page, by local index.
   *
   * @param types - a name and an array type for each column.
   * @returns the arrays by these names. They are replaced when they grow: read them from this object each time.
   */
  pages<T extends ColumnTypes>(types: T): ColumnArrays<T> {
    const columns = this.keep(new Columns(types));
    columns.resize(this.#known);
    this.#pageColumns.push(columns);
    this.#room = Math.min(this.#room, columns.room);
    return columns.arrays;
  }

  /**
   * Single numbers, to be changed in place.
   *
   * @param initial - their names and initial values.
   * @returns the numbers by these names.
   */
  numbers<K extends string>(initial: Readonly<Record<K, number>>): Record<K, number> {
    const numbers = { ...initial };
    this.keep({ bytes: 0, save: () => ({ ...numbers }), restore: (saved) => Object.assign(numbers, saved) });
    return numbers;
  }

  /**
   * A map from numbers to numbers, which iterates over its entries in the order in which they were set.
   *
   * @returns the map, empty or as it was saved.
   */
  map(): LargeMap<number, number> {
    const map = new LargeMap<number, number>();
    this.keep({
      // The memory of a Map, roughly.
      get bytes() { return 40 * map.size; },
      save: () => ({ keys: Float64Array.from(map.keys()), values: Float64Array.from(map.values()) }),
      restore: ({ keys, values }) => { keys.forEach((key, i) => map.set(key, values[i])); },
    });
    return map;
  }

  /**
   * A part that saves and restores itself.
   *
   * @param part - the part in its initial state.
   * @returns the part, restored if the state is.
   * @throws InputError if another part was saved in its place.
   */
  keep<S extends SavedPart, P extends Restorable<S>>(part: P & Restorable<S>): P {
    if (this.#saved !== undefined) {
      const saved = this.#saved.parts[this.#parts.length] as SavedPart | undefined;
      if (saved === undefined || !isLike(saved, part.save())) throw this.#otherState();
      part.restore(saved);
    }
    this.#parts.push(part);
    return part;
  }

  /** A page has become known, as the next local index: each column now has an element for it, which is 0. @internal */
  know(local: number): void {
    this.#known = local + 1;
    if (this.#known > this.#room) this.#grow();
  }

  /** The policy is made. @throws InputError if it has not asked for all parts that were saved. @internal */
  close(): void {
    if (this.#saved !== undefined && this.#saved.parts.length !== this.#parts.length) throw this.#otherState();
  }

  #grow(): void {
    for (const columns of this.#pageColumns) columns.resize(this.#known);
    this.#room = Math.min(...this.#pageColumns.map(({ room }) => room));
  }

  #otherState(): InputError {
    return new InputError(`policy ${this.#owner}: the saved state belongs to another policy, or to another version of it`);
  }

  /** A copy of all parts. @internal */
  save(): SavedState {
    for (const columns of this.#pageColumns) columns.resize(this.#known);
    return { known: this.#known, parts: this.#parts.map((part) => part.save()) };
  }
}
