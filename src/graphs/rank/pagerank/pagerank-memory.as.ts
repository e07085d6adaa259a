/**
 * AssemblyScript. Where the graph and the iteration lie in the kernel's memory; `pagerank-memory.ts` lays it out. Each
 * thread has an instance of the kernel, and so its own copy of these addresses: they differ in `shares` only, of which
 * each thread has its own.
 *
 * degrees    one u32 per page: its out-degree, and above it, in bit 31, whether it links to itself.
 * factors one f64 per page: the factor from the rank that reaches it to its share, 1 / outDegree, or 1 / (outDegree -
 *            damping) where a self-loop is solved exactly. 1 for dangling pages, which are never a source.
 * preference one f64 per page, sum 1; or 0 if it is even.
 * shares one f64 per page, y[page] / outDegree[page]: all that a page's links need; plus one more, a share of 0 for no
 * page. ranks one f64 per page.
 */

export let pages: u32 = 0;
export let degrees: usize = 0;
export let factors: usize = 0;
export let shares: usize = 0;
export let ranks: usize = 0;
export let preference: usize = 0;

/** Pages per block: lists are laid out, coded and assigned to threads by blocks. */
export const blockPages: u32 = 256;

export function setAddresses(
  pageCount: u32, degreesAt: usize, factorsAt: usize, sharesAt: usize, ranksAt: usize,
): void {
  pages = pageCount;
  degrees = degreesAt;
  factors = factorsAt;
  shares = sharesAt;
  ranks = ranksAt;
}

export function setPreference(at: usize): void {
  preference = at;
}

@inline
export function degreeWord(page: u32): u32 {
  return load<u32>(degrees + (<usize>page << 2));
}

@inline
export function endOfBlock(block: u32): u32 {
  return min<u32>((block + 1) * blockPages, pages);
}
