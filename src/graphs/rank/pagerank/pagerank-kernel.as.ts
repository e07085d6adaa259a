/**
 * AssemblyScript. The loops of PageRank, over memory and lists described in pagerank-memory.as.ts and
 * pagerank-lists.as.ts; `test/rank/plain-pagerank.ts` has the same algorithm in TypeScript without extrapolation: read
 * it first.
 *
 * Each works on blocks [first, end) and leaves its sums at `sums`. The rank that page v always receives is rest =
 * (1 - damping) times its preference. Sums over a list run in four lanes, because additions to one would wait for each
 * other; always in the same order.
 */
import {
  blockPages, degrees, degreeWord, endOfBlock, factors, pages, preference, ranks, shares,
} from './pagerank-memory.as';

export { setAddresses, setPreference } from './pagerank-memory.as';
export { codeLists, countLinks, layOutLists, scatterLinks } from './pagerank-lists.as';

const skipBit: u32 = 0x80000000;
const loopBit: u32 = 0x80000000;

/**
 * The share, among those at `from`, that the list's nth source names. Loops copy globals to locals: globals are memory,
 * read each time.
 */
@inline
function source(from: usize, at: usize, nth: usize): f64 {
  return load<f64>(from + <usize>load<u32>(at + 4 * nth));
}

/** Links of a page, 1 for a dangling one: the factor from its share to its y. */
@inline
function linksOf(word: u32): f64 {
  return <f64>max<u32>(word & ~loopBit, 1);
}

@inline
function preferenceOf(page: u32): f64 {
  return preference ? load<f64>(preference + (<usize>page << 3)) : 1 / <f64>pages;
}

/**
 * Factors, and the shares of the vector at `start` (even if that is 0) times `scale`. Pages that are not swept have
 * share 0.
 */
export function begin(
  first: u32, end: u32, damping: f64, selfLoops: bool, danglingLast: bool, start: usize, scale: f64,
): void {
  const words = degrees, factorsAt = factors, sharesAt = shares;
  const even = scale / <f64>pages;
  const solved: f64 = selfLoops ? damping : 0;
  const one = f64x2.splat(1);
  const endPage = min(end * blockPages, pages);
  for (let page = first * blockPages; page < endPage; page++) {
    const word = load<u32>(words + (<usize>page << 2));
    const rank = start ? load<f64>(start + (<usize>page << 3)) * scale : even;
    const links = linksOf(word);
    // Both quotients by one division.
    const linksLeft = links - solved * <f64>(<i32>(word >> 31));
    const inverses = f64x2.div(one, f64x2.replace_lane(f64x2.splat(links), 1, linksLeft));
    const isSwept = <f64>(<i32>(word != 0 || !danglingLast));
    store<f64>(factorsAt + (<usize>page << 3), f64x2.extract_lane(inverses, 1));
    store<f64>(sharesAt + (<usize>page << 3), isSwept * rank * f64x2.extract_lane(inverses, 0));
  }
  store<f64>(shares + (<usize>pages << 3), 0);
}

/**
 * One Gauss-Seidel sweep, in place and in ascending page order. The sum over a list is carried from page to page; for a
 * list coded on top of the previous one, only the differences are added and subtracted. `differences` (f32, or 0)
 * receives the change of each share, added to what is there if `adds`.
 *
 * Sums     the L1 change of y over the pages swept, and their y; in `changes`, an f64 per block, each block's change.
 * Factors  share = f * what arrives - (f * links - 1) * share has the same solution with any factor f. With 1 / links
 *          it is plain Gauss-Seidel; more than that accounts for the share that comes back to the page by itself.
 */
export function sweep(
  first: u32, end: u32, starts: usize, differences: usize, adds: bool, damping: f64, changes: usize, sums: usize,
): void {
  // Inlined thrice: a question for every page would cost a tenth.
  if (differences == 0) sweepAs(first, end, starts, 0, false, damping, changes, sums);
  else if (adds) sweepAs(first, end, starts, differences, true, damping, changes, sums);
  else sweepAs(first, end, starts, differences, false, damping, changes, sums);
}

@inline
function sweepAs(
  first: u32, end: u32, starts: usize, differences: usize, adds: bool, damping: f64, changes: usize, sums: usize,
): void {
  const from = shares, words = degrees, factorsAt = factors, preferred = preference;
  const evenRest = (1 - damping) / <f64>pages;
  let change: f64 = 0;
  let total: f64 = 0;
  for (let block = first; block < end; block++) {
    const endPage = endOfBlock(block);
    let code: usize = load<u32>(starts + (<usize>block << 2));
    let sum: f64 = 0;
    const changeBefore = change;
    for (let page = block * blockPages; page < endPage; page++) {
      const header = load<u32>(code);
      code += 4;
      if (header & skipBit) {
        page += (header & ~skipBit) - 1;
        continue;
      }
      const listEnd = code + (<usize>(header >> 1) << 4);
      let a: f64 = 0, b: f64 = 0, c: f64 = 0, d: f64 = 0;
      for (; code < listEnd; code += 16) {
        a += source(from, code, 0);
        b += source(from, code, 1);
        c += source(from, code, 2);
        d += source(from, code, 3);
      }
      // Multiplied, not branched on: no kind of list or page is rare enough to be predicted.
      const onTop = <f64>(<i32>(header & 1));
      sum = sum * onTop + ((a + c) + (1 - 2 * onTop) * (b + d));
      const at = from + (<usize>page << 3);
      const before = load<f64>(at);
      const word = load<u32>(words + (<usize>page << 2));
      const links = linksOf(word);
      const factor = load<f64>(factorsAt + (<usize>page << 3));
      const slope = factor * damping;
      const rest = factor * (preferred ? (1 - damping) * load<f64>(preferred + (<usize>page << 3)) : evenRest);
      const back = factor * links;
      let share = rest + slope * sum - (back - 1) * before;
      // Only rounding does that.
      if (share < rest) share = rest;
      store<f64>(at, share);
      // A list with this page's own share in it holds another one now: sum += loops * (share - before), spelt out, so
      // that the next page waits for a product and a sum only.
      const loops = <f64>(<i32>(word >> 31));
      sum = sum * (1 + loops * slope) + loops * (rest - back * before);
      const difference = share - before;
      change += abs(difference) * links;
      total += share * links;
      if (differences) {
        const stored = differences + (<usize>page << 2);
        store<f32>(stored, <f32>(adds ? difference + <f64>load<f32>(stored) : difference));
      }
    }
    store<f64>(changes + (<usize>block << 3), change - changeBefore);
  }
  store<f64>(sums, change);
  store<f64>(sums, total, 8);
}

/** `x` added to the compensated sum at `sum`, whose loss is stored after it. (Kahan, CACM 8(1), 1965.) */
@inline
function addTo(sum: usize, x: f64): void {
  const term = x - load<f64>(sum, 8);
  const next = load<f64>(sum) + term;
  store<f64>(sum, next - load<f64>(sum) - term, 8);
  store<f64>(sum, next);
}

/**
 * Writes the y of all pages to `ranks`, those of dangling pages by their lists.
 * Sums   y, compensated but for the 256 of a block, and its loss; the dangling pages' y, and its loss; the preference
 *        of those that have lists at `danglingStarts`; what rounding may have cost the sums over these, in units of
 *        2^-53.
 */
export function finish(first: u32, end: u32, danglingStarts: usize, damping: f64, sums: usize): void {
  const from = shares, ranksAt = ranks, words = degrees;
  memory.fill(sums, 0, 32);
  let preferred: f64 = 0;
  let roundings: f64 = 0;
  for (let block = first; block < end; block++) {
    const endPage = endOfBlock(block);
    let at: usize = load<u32>(danglingStarts + (<usize>block << 2));
    let total: f64 = 0;
    let dangling: f64 = 0;
    for (let page = block * blockPages; page < endPage;) {
      const header = load<u32>(at);
      at += 4;
      if (header & skipBit) {
        for (const stop = page + (header & ~skipBit); page < stop; page++) {
          const word = load<u32>(words + (<usize>page << 2));
          const rank = load<f64>(from + (<usize>page << 3)) * linksOf(word);
          store<f64>(ranksAt + (<usize>page << 3), rank);
          total += rank;
          dangling += word == 0 ? rank : 0;
        }
        continue;
      }
      const listEnd = at + (<usize>(header >> 1) << 4);
      let a: f64 = 0, b: f64 = 0, c: f64 = 0, d: f64 = 0;
      for (; at < listEnd; at += 16) {
        a += source(from, at, 0);
        b += source(from, at, 1);
        c += source(from, at, 2);
        d += source(from, at, 3);
      }
      const sum = (a + b) + (c + d);
      const own = preferenceOf(page);
      const rank = damping * sum + (1 - damping) * own;
      store<f64>(ranksAt + (<usize>page << 3), rank);
      total += rank;
      dangling += rank;
      preferred += own;
      roundings += <f64>((header >> 1) + 4) * sum;
      page++;
    }
    addTo(sums, total);
    addTo(sums + 16, dangling);
  }
  store<f64>(sums, preferred, 32);
  store<f64>(sums, roundings, 40);
}

/**
 * Makes the y in `ranks` ranks, by their sum `total`, and measures |G(ranks) - ranks|_1 over the pages that have lists
 * at `starts`, with G as at the head of power-steps.ts and `rest` all that goes by preference. Dangling pages that
 * were evaluated last are not among them: there, the sums over lists are the same on both sides.
 * Sums       the distance; what rounding may have cost the sums over lists, in units of 2^-53.
 * Rounding   With u = 2^-53: adding k fours of numbers >= 0 in four lanes takes k + 2 roundings, each of at most u of
 *            their sum; a list on top of another has that one's error too, and one more of its own sum.
 */
export function residual(first: u32, end: u32, starts: usize, damping: f64, rest: f64, total: f64, sums: usize): void {
  const from = shares, ranksAt = ranks, preferred = preference;
  const even = rest / <f64>pages;
  const inverse = 1 / total;
  const follow = damping / total;
  let distance: f64 = 0;
  let roundings: f64 = 0;
  for (let block = first; block < end; block++) {
    const endPage = endOfBlock(block);
    let code: usize = load<u32>(starts + (<usize>block << 2));
    let sum: f64 = 0;
    let lost: f64 = 0;
    for (let page = block * blockPages; page < endPage; page++) {
      const header = load<u32>(code);
      code += 4;
      if (header & skipBit) {
        const stop = page + (header & ~skipBit);
        for (; page < stop; page++) {
          const at = ranksAt + (<usize>page << 3);
          store<f64>(at, load<f64>(at) * inverse);
        }
        page--;
        continue;
      }
      const listEnd = code + (<usize>(header >> 1) << 4);
      let a: f64 = 0, b: f64 = 0, c: f64 = 0, d: f64 = 0;
      for (; code < listEnd; code += 16) {
        a += source(from, code, 0);
        b += source(from, code, 1);
        c += source(from, code, 2);
        d += source(from, code, 3);
      }
      const onTop = <f64>(<i32>(header & 1));
      sum = sum * onTop + ((a + c) + (1 - 2 * onTop) * (b + d));
      lost = lost * onTop + (<f64>((header >> 1) + 4) * ((a + c) + (b + d)) + abs(sum));
      const at = ranksAt + (<usize>page << 3);
      const rank = load<f64>(at) * inverse;
      store<f64>(at, rank);
      const next = follow * sum + (preferred ? rest * load<f64>(preferred + (<usize>page << 3)) : even);
      distance += abs(next - rank);
      roundings += lost;
    }
  }
  store<f64>(sums, distance);
  store<f64>(sums, roundings, 8);
}

/**
 * Gram matrix of `count` differences, `stride` bytes apart, in terms of rank (share times out-degree), over every
 * `step`-th group of 16 pages. `sums`: count x count f64, lower half; then count x 16 f64 of scratch.
 */
export function gramOfDifferences(
  first: u32, end: u32, differences: usize, stride: usize, count: usize, step: u32, sums: usize,
): void {
  const rows = sums + 8 * count * count;
  memory.fill(sums, 0, 8 * count * (count + 16));
  const endPage = min(end * blockPages, pages);
  for (let group = first * blockPages; group < endPage; group += 16 * step) {
    // The last group may have pages missing: then the values left by the previous group must not count.
    if (group + 16 > endPage) memory.fill(rows, 0, 8 * count * 16);
    for (let page = group; page < min<u32>(group + 16, endPage); page++) {
      const links = linksOf(degreeWord(page));
      for (let i: usize = 0; i < count; i++) {
        store<f64>(
          rows + 128 * i + (<usize>(page - group) << 3),
          links * <f64>load<f32>(differences + stride * i + (<usize>page << 2)),
        );
      }
    }
    for (let i: usize = 0; i < count; i++) {
      for (let j: usize = 0; j <= i; j++) {
        let a = f64x2.splat(0), b = f64x2.splat(0);
        for (let at: usize = 0; at < 128; at += 32) {
          a = f64x2.add(a, f64x2.mul(v128.load(rows + 128 * i + at), v128.load(rows + 128 * j + at)));
          b = f64x2.add(b, f64x2.mul(v128.load(rows + 128 * i + at, 16), v128.load(rows + 128 * j + at, 16)));
        }
        a = f64x2.add(a, b);
        const cell = sums + 8 * (count * i + j);
        store<f64>(cell, load<f64>(cell) + (f64x2.extract_lane(a, 0) + f64x2.extract_lane(a, 1)));
      }
    }
  }
}

/**
 * shares -= sum of weights[i] * differences[i], i < count, and no less than what `rest` alone gives a page, which the
 * solution is not either. The first weight is 0 always. `saved` takes the shares as they were.
 */
export function combine(
  first: u32, end: u32, differences: usize, stride: usize, count: usize, weights: usize, damping: f64, saved: usize,
): void {
  const evenRest = f64x2.splat((1 - damping) / <f64>pages), notFollowed = f64x2.splat(1 - damping);
  const sharesAt = shares, factorsAt = factors, preferred = preference;
  const endPage = min(end * blockPages, pages);
  // Two pages at a time: all vectors have room for one more than an odd number.
  for (let page = first * blockPages; page < endPage; page += 2) {
    const offset = <usize>page << 3;
    const share = v128.load(sharesAt + offset);
    v128.store(saved + offset, share);
    let step = f64x2.splat(0);
    let difference = differences + (<usize>page << 2);
    for (let weight = weights + 8; weight < weights + 8 * count; weight += 8) {
      difference += stride;
      step = f64x2.add(step, f64x2.mul(v128.load64_splat(weight), twoOf(difference)));
    }
    const rest = preferred ? f64x2.mul(notFollowed, v128.load(preferred + offset)) : evenRest;
    const least = f64x2.mul(rest, v128.load(factorsAt + offset));
    v128.store(sharesAt + offset, f64x2.pmax(f64x2.sub(share, step), least));
  }
  store<f64>(sharesAt + (<usize>pages << 3), 0);
}

@inline
function twoOf(differences: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(differences));
}
