import { grown } from './growable.ts';
import { pageGrowth } from './page-index.ts';

export type ColumnType =
  | Uint8ArrayConstructor | Uint16ArrayConstructor | Uint32ArrayConstructor | Float32ArrayConstructor
  | Float64ArrayConstructor;
export type ColumnTypes = Readonly<Record<string, ColumnType>>;

/** One array per column. Growing replaces them, so read them from here each time. */
export type ColumnArrays<T extends ColumnTypes> = { [K in keyof T]: InstanceType<T[K]> };

/** The saved form of a part of the state: numbers and typed arrays, by name. It can be cloned. */
export type SavedPart = Readonly<Record<string, InstanceType<ColumnType> | number>>;

/** State that can be saved, and restored into another instance made with the same arguments. */
export interface Restorable<S extends SavedPart> {
  /** Bytes of its arrays, spare capacity included. */
  readonly bytes: number;
  /** A copy. */
  save(): S;
  /** Must be called before any other method; `saved` is copied. */
  restore(saved: S): void;
}

/** Whether a saved part has the same names and types as another, i.e. is the same kind of state. */
export function isLike<S extends SavedPart>(saved: SavedPart, model: S): saved is S {
  const names = Object.keys(model);
  const areAlike = (name: string): boolean => kindOf(saved[name]) === kindOf(model[name]);
  return names.length === Object.keys(saved).length && names.every(areAlike);
}

function kindOf(value: SavedPart[string] | undefined): string {
  return ArrayBuffer.isView(value) ? value.constructor.name : typeof value;
}

/**
 * Columns of equal length that grow, are saved and are restored together; new elements are 0. Growing costs amortised
 * O(1 / (pageGrowth - 1)) per element; a read is a read of a typed array.
 */
export class Columns<T extends ColumnTypes> implements Restorable<ColumnArrays<T>> {
  readonly arrays: ColumnArrays<T>;
  /** The same arrays, keyed by plain strings. */
  readonly #arrays: Record<string, InstanceType<ColumnType>> = {};
  #length = 0;
  #room = 0;

  constructor(types: T) {
    for (const [name, Type] of Object.entries<ColumnType>(types)) this.#arrays[name] = new Type(0);
    this.arrays = this.#arrays as ColumnArrays<T>;
  }

  get length(): number {
    return this.#length;
  }

  /** Capacity in elements. */
  get room(): number {
    return this.#room;
  }

  get bytes(): number {
    return Object.values(this.#arrays).reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Sets the length of the columns. Elements cut off may reappear when the columns grow again. */
  resize(length: number): void {
    this.#length = length;
    if (length <= this.#room) return;
    for (const [name, array] of Object.entries(this.#arrays)) this.#arrays[name] = grown(array, length, pageGrowth);
    this.#countRoom();
  }

  save(): ColumnArrays<T> {
    const copies = Object.entries(this.#arrays).map(([name, array]) => [name, array.slice(0, this.#length)]);
    return Object.fromEntries(copies) as ColumnArrays<T>;
  }

  restore(saved: ColumnArrays<T>): void {
    for (const [name, array] of Object.entries<InstanceType<ColumnType>>(saved)) this.#arrays[name] = array.slice();
    this.#countRoom();
    this.#length = this.#room;
  }

  #countRoom(): void {
    this.#room = Math.min(...Object.values(this.#arrays).map((array) => array.length));
  }
}
