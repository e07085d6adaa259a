/**
 * Output of a gzip file before its expansion is judged, so that small files, and sound ones that begin with a long run,
 * pass.
 */
const GRACE_BYTES = 1 << 26;

/**
 * Link lists compress three- to twentyfold, archives about tenfold; gzip's maximum is 1032, reached only by runs of one
 * byte.
 */
export const EXPANSION_LIMIT = 250;

/**
 * Whether compressed data that expanded from `taken` to `made` bytes is a bomb: over 64 MiB, and over `limit` times
 * `taken`.
 */
export function isBomb(input: number, output: number, limit: number = EXPANSION_LIMIT): boolean {
  return output > GRACE_BYTES && output > limit * input;
}
