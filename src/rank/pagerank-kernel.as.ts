/**
 * AssemblyScript. The loops of PageRank, all over one memory that `pagerank-kernel.ts` lays out; `plain-pagerank.ts` has the same
 * algorithm in TypeScript without extrapolation: read that one first.
 *
 * share    y[page] / outDegree[page]: all that a page's links need to know of it. A dangling page is nobody's source, so its place in
 *          `shares` is free, and holds its rank where dangling pages are swept at all.
 * factor   what turns the rank that reaches a page into its share: 1 / outDegree, or 1 / (outDegree - damping) where a self-loop is
 *          solved exactly; 0 marks dangling pages.
 * rest     (1 - damping) / pages, the rank that reaches every page.
 *
 * Sums over a list of in-links run in four lanes, because additions to one would wait for each other; always in the same order.
 */

/** Sum of the shares of the sources listed in [from, end). A sum of k takes at most k/4 + 5 roundings. */
@inline
function sumOfShares(shares: usize, from: usize, end: usize): f64 {
  let a: f64 = 0, b: f64 = 0, c: f64 = 0, d: f64 = 0;
  for (; from + 16 <= end; from += 16) {
    a += load<f64>(shares + (<usize>load<u32>(from) << 3));
    b += load<f64>(shares + (<usize>load<u32>(from, 4) << 3));
    c += load<f64>(shares + (<usize>load<u32>(from, 8) << 3));
    d += load<f64>(shares + (<usize>load<u32>(from, 12) << 3));
  }
  for (; from < end; from += 4) a += load<f64>(shares + (<usize>load<u32>(from) << 3));
  return (a + b) + (c + d);
}

/** End of a page's list of in-links, where the next one begins. */
@inline
function endOfList(offsets: usize, sources: usize, page: u32): usize {
  return sources + (<usize>load<u32>(offsets + (<usize>page << 2), 4) << 2);
}

/** Makes `factors`, and `shares` of the even vector. */
export function prepare(
  offsets: usize, sources: usize, degrees: usize, factors: usize, shares: usize, pages: u32, damping: f64, selfLoops: bool,
): void {
  let from = sources;
  for (let page: u32 = 0; page < pages; page++) {
    const end = endOfList(offsets, sources, page);
    const degree = <f64>load<u32>(degrees + (<usize>page << 2));
    let loops: u32 = 0;
    if (selfLoops) for (; from < end; from += 4) loops |= u32(load<u32>(from) == page);
    from = end;
    store<f64>(factors + (<usize>page << 3), degree == 0 ? 0 : 1 / (loops ? degree - damping : degree));
    store<f64>(shares + (<usize>page << 3), degree == 0 ? 0 : 1 / <f64>pages / degree);
  }
  // The share of no page, which pads coded lists.
  store<f64>(shares + (<usize>pages << 3), 0);
}

/**
 * One Gauss-Seidel sweep, in place and in ascending page order. `differences` (f32, or 0) takes what it adds to each share.
 * Returns the L1 change of y over the pages swept, as a share of their sum.
 */
export function sweep(
  offsets: usize, sources: usize, degrees: usize, factors: usize, shares: usize, differences: usize,
  pages: u32, damping: f64, selfLoops: bool, danglingLast: bool,
): f64 {
  const rest = (1 - damping) / <f64>pages;
  let change: f64 = 0;
  let total: f64 = 0;
  let from = sources;
  for (let page: u32 = 0; page < pages; page++) {
    const end = endOfList(offsets, sources, page);
    const factor = load<f64>(factors + (<usize>page << 3));
    const isDangling = factor == 0;
    if (!isDangling || !danglingLast) {
      const at = shares + (<usize>page << 3);
      const before = load<f64>(at);
      // The factor accounts for the self-loop: in the sum it must not count again.
      if (selfLoops) store<f64>(at, 0);
      const rank = damping * sumOfShares(shares, from, end) + rest;
      const share = isDangling ? rank : rank * factor;
      store<f64>(at, share);
      const links = isDangling ? 1 : <f64>load<u32>(degrees + (<usize>page << 2));
      change += abs(share - before) * links;
      total += share * links;
      if (differences) store<f32>(differences + (<usize>page << 2), <f32>(share - before));
    }
    from = end;
  }
  return total == 0 ? 0 : change / total;
}

/** Pages after which a coded list stands on its own, so that a running sum cannot drift. */
const anchorEvery: u32 = 64;

/**
 * Codes the in-lists of pages [begin, end) from `code` on, each as what it adds to and lacks of the list before it, where that is
 * shorter. Pages with factor 0 are left out if `danglingLast`. Returns the end of the code: at most 4 (arcs + 2 pages) bytes on.
 *
 *     u32 header    bit 0: on top of the list before; bit 1: the page links to itself; above: number of pairs
 *     u32 pairs     a source more, and one less; or two sources of a list on its own. Source `pages` stands for none.
 */
export function codeLists(
  offsets: usize, sources: usize, factors: usize, code: usize, begin: u32, end: u32, pages: u32, danglingLast: bool,
): usize {
  let before = sources, beforeEnd = sources;
  let sinceAnchor: u32 = anchorEvery;
  for (let page = begin; page < end; page++) {
    if (danglingLast && load<f64>(factors + (<usize>page << 3)) == 0) continue;
    const from = sources + (<usize>load<u32>(offsets + (<usize>page << 2)) << 2);
    const to = endOfList(offsets, sources, page);
    const header = code;
    code += 4;
    const own = <u32>((to - from + 7) >> 3);
    let pairs = sinceAnchor < anchorEvery ? codeDifference(before, beforeEnd, from, to, code, own, pages) : none;
    let onTop: u32 = 1;
    sinceAnchor++;
    if (pairs == none) {
      onTop = 0;
      sinceAnchor = 1;
      pairs = own;
      memory.copy(code, from, to - from);
      if ((to - from) & 4) store<u32>(code + (to - from), pages);
    }
    let loops: u32 = 0;
    for (let at = from; at < to; at += 4) loops |= u32(load<u32>(at) == page);
    store<u32>(header, (pairs << 2) | (loops << 1) | onTop);
    code += <usize>pairs << 3;
    before = from;
    beforeEnd = to;
  }
  return code;
}

const none: u32 = 0xffffffff;

/** Pairs (source of [b, bEnd) only, source of [a, aEnd) only), written from `to` on; `none` unless fewer than `limit`. Both ascend. */
function codeDifference(a: usize, aEnd: usize, b: usize, bEnd: usize, to: usize, limit: u32, pages: u32): u32 {
  let more: u32 = 0, less: u32 = 0;
  while (a < aEnd || b < bEnd) {
    const old = a < aEnd ? load<u32>(a) : none;
    const now = b < bEnd ? load<u32>(b) : none;
    if (old == now) {
      a += 4;
      b += 4;
      continue;
    }
    if (now < old) {
      if (more + 1 >= limit) return none;
      store<u32>(to + (<usize>more << 3), now);
      more++;
      b += 4;
    } else {
      if (less + 1 >= limit) return none;
      store<u32>(to + (<usize>less << 3), old, 4);
      less++;
      a += 4;
    }
  }
  const pairs = max(more, less);
  for (; more < pairs; more++) store<u32>(to + (<usize>more << 3), pages);
  for (; less < pairs; less++) store<u32>(to + (<usize>less << 3), pages, 4);
  return pairs;
}

/** `sweep` over coded lists: the sum over a list is kept from page to page, and only what differs is added and taken off. */
export function sweepCoded(
  code: usize, degrees: usize, factors: usize, shares: usize, differences: usize,
  pages: u32, damping: f64, selfLoops: bool, danglingLast: bool,
): f64 {
  const rest = (1 - damping) / <f64>pages;
  let change: f64 = 0;
  let total: f64 = 0;
  let sum: f64 = 0;
  for (let page: u32 = 0; page < pages; page++) {
    const factor = load<f64>(factors + (<usize>page << 3));
    const isDangling = factor == 0;
    if (isDangling && danglingLast) continue;
    const header = load<u32>(code);
    code += 4;
    const end = code + (<usize>(header >> 2) << 3);
    let a: f64 = 0, b: f64 = 0, c: f64 = 0, d: f64 = 0;
    for (; code + 16 <= end; code += 16) {
      a += load<f64>(shares + (<usize>load<u32>(code) << 3));
      b += load<f64>(shares + (<usize>load<u32>(code, 4) << 3));
      c += load<f64>(shares + (<usize>load<u32>(code, 8) << 3));
      d += load<f64>(shares + (<usize>load<u32>(code, 12) << 3));
    }
    if (code < end) {
      a += load<f64>(shares + (<usize>load<u32>(code) << 3));
      b += load<f64>(shares + (<usize>load<u32>(code, 4) << 3));
      code += 8;
    }
    // Multiplied, not branched on: neither kind of list is rare enough to be foreseen.
    const onTop = <f64>(header & 1);
    sum = sum * onTop + ((a + c) + (1 - 2 * onTop) * (b + d));
    const at = shares + (<usize>page << 3);
    const before = load<f64>(at);
    const loops = <f64>((header >> 1) & 1);
    const rank = damping * (selfLoops ? sum - loops * before : sum) + rest;
    const share = isDangling ? rank : rank * factor;
    store<f64>(at, share);
    // The list has this page's own share in it, which is another one now.
    sum += loops * (share - before);
    const links = isDangling ? 1 : <f64>load<u32>(degrees + (<usize>page << 2));
    change += abs(share - before) * links;
    total += share * links;
    if (differences) store<f32>(differences + (<usize>page << 2), <f32>(share - before));
  }
  return total == 0 ? 0 : change / total;
}

/** Writes the ranks that belong to `shares`, dangling pages included, divided by their (compensated) sum. Returns the sum. */
export function ranksOfShares(
  offsets: usize, sources: usize, degrees: usize, shares: usize, ranks: usize, pages: u32, damping: f64,
): f64 {
  const rest = (1 - damping) / <f64>pages;
  let total: f64 = 0;
  let lost: f64 = 0;
  let from = sources;
  for (let page: u32 = 0; page < pages; page++) {
    const end = endOfList(offsets, sources, page);
    const degree = load<u32>(degrees + (<usize>page << 2));
    const rank = degree == 0
      ? damping * sumOfShares(shares, from, end) + rest
      : load<f64>(shares + (<usize>page << 3)) * <f64>degree;
    store<f64>(ranks + (<usize>page << 3), rank);
    const term = rank - lost;
    const next = total + term;
    lost = next - total - term;
    total = next;
    from = end;
  }
  for (let page: u32 = 0; page < pages; page++) {
    const at = ranks + (<usize>page << 3);
    store<f64>(at, load<f64>(at) / total);
  }
  return total;
}

/**
 * |G(ranks) - ranks|_1, with G as at the head of plain-pagerank.ts, `ranks` as ranksOfShares left them and `total` its sum. What the
 * result may be wrong by is written to `rounding`.
 *
 * Rounding   With u = 2^-53: a share of the ranks differs from shares / total by 2u of itself, the sum of k of them by (k/4 + 5) u,
 *            the operations around it by 9u of the page's rank. Ranks sum to 1, so (sum of k/4 G) u + 16u covers all of them; twice
 *            that constant is taken. The sums over pages, of numbers >= 0, lose at most pages * u of themselves, 2^-20 at most.
 */
export function residual(
  offsets: usize, sources: usize, degrees: usize, shares: usize, ranks: usize, pages: u32, damping: f64, total: f64,
  rounding: usize,
): f64 {
  let dangling: f64 = 0;
  let lost: f64 = 0;
  for (let page: u32 = 0; page < pages; page++) {
    if (load<u32>(degrees + (<usize>page << 2)) != 0) continue;
    const term = load<f64>(ranks + (<usize>page << 3)) - lost;
    const next = dangling + term;
    lost = next - dangling - term;
    dangling = next;
  }
  const rest = (damping * dangling + (1 - damping)) / <f64>pages;
  const follow = damping / total;
  let distance: f64 = 0;
  let roundings: f64 = 0;
  let from = sources;
  for (let page: u32 = 0; page < pages; page++) {
    const end = endOfList(offsets, sources, page);
    const rank = follow * sumOfShares(shares, from, end) + rest;
    distance += abs(rank - load<f64>(ranks + (<usize>page << 3)));
    roundings += <f64>((end - from) >> 4) * rank;
    from = end;
  }
  store<f64>(rounding, (roundings + 32) * (1.0 / 9007199254740992) * (1 + 1.0 / 65536) + distance * (1.0 / 65536));
  return distance;
}

/**
 * Gram matrix of `count` vectors of differences, `stride` bytes apart, in terms of rank (share times out-degree), over blocks of 16
 * pages of which every `step`-th is taken. `gram`: count x count f64, lower half; `row`: count f64 of scratch.
 */
export function gramOfDifferences(
  degrees: usize, differences: usize, stride: usize, count: u32, pages: u32, step: u32, gram: usize, row: usize,
): void {
  memory.fill(gram, 0, <usize>(count * count) << 3);
  for (let block: u32 = 0; block < pages; block += 16 * step) {
    const end = min<u32>(block + 16, pages);
    for (let page = block; page < end; page++) {
      const degree = <f64>load<u32>(degrees + (<usize>page << 2));
      for (let i: u32 = 0; i < count; i++) {
        const value = degree * <f64>load<f32>(differences + stride * i + (<usize>page << 2));
        store<f64>(row + (<usize>i << 3), value);
        for (let j: u32 = 0; j <= i; j++) {
          const cell = gram + (<usize>(i * count + j) << 3);
          store<f64>(cell, load<f64>(cell) + value * load<f64>(row + (<usize>j << 3)));
        }
      }
    }
  }
}

/**
 * shares -= sum of weights[i] * differences[i], and no less than what `rest` alone gives a page, which the solution is not either.
 */
export function combine(
  factors: usize, shares: usize, differences: usize, stride: usize, count: u32, pages: u32, weights: usize, damping: f64,
): void {
  const rest = (1 - damping) / <f64>pages;
  for (let page: u32 = 0; page < pages; page++) {
    const at = shares + (<usize>page << 3);
    let share = load<f64>(at);
    for (let i: u32 = 0; i < count; i++) {
      share -= load<f64>(weights + (<usize>i << 3)) * <f64>load<f32>(differences + stride * i + (<usize>page << 2));
    }
    store<f64>(at, max(share, rest * load<f64>(factors + (<usize>page << 3))));
  }
}
