import { grown } from './growable.ts';
import { pageGrowth } from './page-index.ts';

export type ColumnType =
  | Uint8ArrayConstructor | Uint16ArrayConstructor | Uint32ArrayConstructor | Float32ArrayConstructor
  | Float64ArrayConstructor;
export type ColumnTypes = Readonly<Record<string, ColumnType>>;

/** An array for each column. They are replaced when they grow: read them from here each time. */
export type ColumnArrays<T extends ColumnTypes> = { [K in keyof T]: InstanceType<T[K]> };

/** What a part of a state saves: numbers, by name, and arrays of them. It can be cloned. */
export type SavedPart = Readonly<Record<string, InstanceType<ColumnType> | number>>;

/** Something that can be saved, and go on from what was saved by another of its kind, made alike. */
export interface Restorable<S extends SavedPart> {
  /** Bytes of its arrays, spare room included. */
  readonly bytes: number;
  /** A copy. */
  save(): S;
  /** Called before anything else was done to it; `saved` is copied too. */
  restore(saved: S): void;
}

/** Whether a saved part has the names and types of another: then it is one of the same kind of state. */
export function isLike<S extends SavedPart>(saved: SavedPart, model: S): saved is S {
  const names = Object.keys(model);
  const areAlike = (name: string): boolean => kindOf(saved[name]) === kindOf(model[name]);
  return names.length === Object.keys(saved).length && names.every(areAlike);
}

function kindOf(value: SavedPart[string] | undefined): string {
  return ArrayBuffer.isView(value) ? value.constructor.name : typeof value;
}

/**
 * Columns of equal length that grow together, save and restore themselves; what is new is 0. Growing costs
 * O(1 / (pageGrowth - 1)) an element, amortised; reading one is reading a typed array.
 */
export class Columns<T extends ColumnTypes> implements Restorable<ColumnArrays<T>> {
  readonly arrays: ColumnArrays<T>;
  /** The same, by names that the compiler need not know. */
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

  /** Elements that there is room for. */
  get room(): number {
    return this.#room;
  }

  get bytes(): number {
    return Object.values(this.#arrays).reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Makes the columns `length` long. What they lose so may be there again when they get longer. */
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
