type TypedArray = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/** Smaller arrays double whatever their factor: it is there to save memory, of which they have little. */
const smallLength = 2 ** 14;

/**
 * `array` itself while it has room for `length` elements, else a copy of at least `factor` times the capacity,
 * zero-filled. Amortised O(1 / (factor - 1)) an element when arrays grow one by one. Arrays are always private to their
 * owner: views go stale.
 */
export function grown<T extends TypedArray>(array: T, length: number, factor = 2): T {
  if (length <= array.length) return array;
  const larger = new (array.constructor as new (length: number) => T)(
    Math.max(length, Math.ceil(factor * array.length), Math.min(2 * array.length, smallLength), 16),
  );
  larger.set(array);
  return larger;
}
