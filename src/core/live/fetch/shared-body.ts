/** Memory that threads can read where it is. */
export function sharedBytes(length: number): Buffer {
  return Buffer.from(new SharedArrayBuffer(length));
}

/** A body that goes to a thread without being copied: itself if it is in shared memory, as the Fetcher's are. */
export function shared(body: Uint8Array): Uint8Array {
  if (body.buffer instanceof SharedArrayBuffer) return body;
  const copy = sharedBytes(body.length);
  copy.set(body);
  return copy;
}
