/**
 * AssemblyScript. Where the graph and the iteration lie in the kernel's memory; `pagerank-memory.ts` lays it out. Each
 * thread has an instance of the kernel, and so its own copy of these addresses: they differ in `shares` only, of which
 * each thread has its own.
 *
 * degrees    u32 a page: its out-degree, and above it, in bit 31, whether it links to itself.
 * factors    f64 a page: what turns the rank that reaches it into its share, 1 / outDegree, or 1 / (outDegree - damping) where a
 *            self-loop is solved exactly. 1 for dangling pages, which are nobody's source.
 * preference f64 a page, sum 1; or 0 where it is even.
 * shares     f64 a page, y[page] / outDegree[page]: all that a page's links need to know of it; and one more, the share of no page, 0.
 * ranks      f64 a page.
 */

export let pages: u32 = 0;
export let degrees: usize = 0;
export let factors: usize = 0;
export let shares: usize = 0;
export let ranks: usize = 0;
export let preference: usize = 0;

/** Pages of a block: lists are laid out, coded and dealt to threads by blocks. */
export const blockPages: u32 = 256;

export function setAddresses(pageCount: u32, degreesAt: usize, factorsAt: usize, sharesAt: usize, ranksAt: usize): void {
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
