type TypedArray = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/** Smaller arrays double whatever their factor: the factor saves memory, and they use little. */
const SMALL_LENGTH = 2 ** 14;

/**
 * `array` itself while it has room for `length` elements, otherwise a zero-filled copy of at least `factor` times the
 * capacity. Amortised O(1 / (factor - 1)) per element when elements are added one by one. Arrays are private to their
 * owner: views go stale.
 */
export function grown<T extends TypedArray>(array: T, length: number, factor = 2): T {
  if (length <= array.length) return array;
  const larger = new (array.constructor as new (length: number) => T)(
    Math.max(length, Math.ceil(factor * array.length), Math.min(2 * array.length, SMALL_LENGTH), 16),
  );
  larger.set(array);
  return larger;
}
