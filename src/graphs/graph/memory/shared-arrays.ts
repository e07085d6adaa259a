/**
 * Zero-filled typed arrays in shared memory, so that a graph passed to worker threads is one copy however many read it.
 * A length that cannot be allocated throws the engine's RangeError.
 */
export function sharedUint32(length: number): Uint32Array<SharedArrayBuffer> {
  return new Uint32Array(new SharedArrayBuffer(4 * length));
}

/** `array` itself while it has room for `length` elements, otherwise a shared copy of at least twice its capacity. */
export function grownSharedUint32(array: Uint32Array<SharedArrayBuffer>, length: number): typeof array {
  if (length <= array.length) return array;
  const larger = sharedUint32(Math.max(length, 2 * array.length));
  larger.set(array);
  return larger;
}

export function sharedUint8(length: number): Uint8Array<SharedArrayBuffer> {
  return new Uint8Array(new SharedArrayBuffer(length));
}

export function sharedFloat64(length: number): Float64Array<SharedArrayBuffer> {
  return new Float64Array(new SharedArrayBuffer(8 * length));
}

/** `array` itself if it is in shared memory already, otherwise a shared copy. O(length). */
export function asSharedUint32(array: Uint32Array): Uint32Array {
  if (array.buffer instanceof SharedArrayBuffer) return array;
  const shared = sharedUint32(array.length);
  shared.set(array);
  return shared;
}
