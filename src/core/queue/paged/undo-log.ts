/**
 * Assignments to typed arrays that can be undone: the old value of each, in order.
 * The arrays may not be replaced (grown) between an assignment and its undoing.
 * Memory: about 24 bytes per assignment until the operation ends.
 */
export class UndoLog {
  readonly #arrays: (Uint32Array | Float64Array)[] = [];
  readonly #indices: number[] = [];
  readonly #values: number[] = [];

  set(array: Uint32Array | Float64Array, index: number, value: number): void {
    this.#arrays.push(array);
    this.#indices.push(index);
    this.#values.push(array[index]);
    array[index] = value;
  }

  rollback(): void {
    for (let i = this.#arrays.length - 1; i >= 0; i--) this.#arrays[i][this.#indices[i]] = this.#values[i];
    this.clear();
  }

  clear(): void {
    this.#arrays.length = 0;
    this.#indices.length = 0;
    this.#values.length = 0;
  }
}
