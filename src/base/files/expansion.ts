/**
 * What a gzip file may make before its growth is judged: small files, and sound ones that begin with a long run, are
 * let alone.
 */
const GRACE_BYTES = 1 << 26;

/**
 * Text of links shrinks three to twenty times, archives about tenfold; gzip's utmost is 1032 times, and only of runs of
 * one thing.
 */
export const EXPANSION_LIMIT = 250;

/**
 * Whether compressed data that made `made` bytes of `taken` are a bomb: over 64 MiB, and over `limit` times what they
 * took.
 */
export function isBomb(taken: number, made: number, limit: number = EXPANSION_LIMIT): boolean {
  return made > GRACE_BYTES && made > limit * taken;
}
