/**
 * The state after `state`, both in [1, 2^32): for millions of draws that depend on their order and need no key.
 * Everything else draws from DrawStream.
 * Source  Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003.
 */
export function xorshift32(state: number): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return state >>> 0;
}
