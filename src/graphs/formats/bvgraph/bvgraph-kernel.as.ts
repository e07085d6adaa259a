/**
 * AssemblyScript. Decodes the successor lists of a BVGraph with its default codes as `bvgraph-rows.ts` does, step by
 * step: read that file first. Every check is here too, but none of the messages: decoding stops before a list that is
 * invalid or does not fit into this memory, and the caller decodes it in TypeScript, which reports the error.
 *
 * Memory   fixed; `bvgraph-kernel.ts` fills it before each call and reads it afterwards. Everything that a list can
 *          refer to is in it. bits        big-endian words of 32 bits, then `slack` words of zeros offsets     one u32
 *          per page: where its list begins, among the lists of the whole graph targets     one u32 per link blocks
 *          one u32 per block: where it ends, as an address in `targets` intervals   u32 start, u32 end
 * The end   After the last bit come zeros, which begin no code. A code word that is cut off there continues in them, so
 *           the next one is refused, or the list ends beyond the last bit: no code needs to check where the bits end.
 * Numbers   below 2^32 each, so that a sum of as many as there are links stays exact; greater ones are left to the
 *           caller.
 */

export const bitWords: i32 = 1 << 16;
export const slackWords: i32 = 8;
/** Maximum number of lists, and of links of lists, in the memory. */
export const maxPages: i32 = 1 << 16;
export const maxTargets: i32 = 1 << 17;

export const bits: usize = 1 << 16;
export const offsets: usize = bits + ((bitWords + slackWords) << 2);
export const targets: usize = offsets + ((maxPages + 1) << 2);
const blocks: usize = targets + (maxTargets << 2);
const intervals: usize = blocks + ((maxTargets + 2) << 2);
/** Bytes that the memory must have. */
export const memoryBytes: usize = intervals + (maxTargets << 3);

/** Above every page id. */
const noPage: u32 = 0x7fffffff;

/** Next bit, from the start of `bits`. */
export let position: usize = 0;
let nodes: u64 = 0;
let windowSize: u32 = 0;
let minIntervalLength: u64 = 0;
let zetaK: u64 = 0;
/** Number of blocks of the list; the ends of copied and skipped ones alternate. */
let blockCount: u32 = 0;

export function setUp(nodesOf: u32, windowSizeOf: u32, minIntervalLengthOf: u32, zetaKOf: u32): void {
  nodes = nodesOf;
  windowSize = windowSizeOf;
  minIntervalLength = minIntervalLengthOf;
  zetaK = zetaKOf;
}

/** The next 64 bits. */
@inline
function peek(at: usize): u64 {
  const word = bits + ((at >> 5) << 2);
  const shift = <u64>(at & 31);
  return (rotl<u64>(load<u64>(word), 32) << shift) | (<u64>load<u32>(word, 8) >> (32 - shift));
}

@inline
function gammaIsTooLong(next: u64): bool {
  return next >> 32 == 0;
}

@inline
function gammaBits(next: u64): usize {
  return <usize>(2 * clz<u64>(next) + 1);
}

@inline
function gamma(next: u64): u64 {
  return (next >> (63 - 2 * clz<u64>(next))) - 1;
}

/** Bits of the binary part of zeta's longer code words with this many zeros. */
@inline
function zetaLength(next: u64, k: u64): u64 {
  return (clz<u64>(next) + 1) * k;
}

@inline
function zetaIsTooLong(next: u64, k: u64): bool {
  return zetaLength(next, k) > 32;
}

/** 1 if the binary part is one bit shorter. */
@inline
function zetaIsShort(next: u64, k: u64): u64 {
  const zeros = clz<u64>(next);
  return u64((next << (zeros + 1)) >> 1 >> (64 - zetaLength(next, k)) < <u64>1 << (zeros * k));
}

@inline
function zetaBits(next: u64, k: u64): usize {
  return <usize>(clz<u64>(next) + 1 + zetaLength(next, k) - zetaIsShort(next, k));
}

/** Which of the two lengths applies is unpredictable, so no branch depends on it. */
@inline
function zeta(next: u64, k: u64): u64 {
  const zeros = clz<u64>(next);
  const long = (next << (zeros + 1)) >> (64 - zetaLength(next, k));
  const short = (long >> 1) + (<u64>1 << (zeros * k));
  return (long ^ ((long ^ short) & (0 - zetaIsShort(next, k)))) - 1;
}

@inline
function integerOf(natural: u64): i64 {
  return <i64>(natural >> 1) ^ -<i64>(natural & 1);
}

/**
 * Decodes up to `count` lists from `page` on, after those of `first` ... `page` - 1, which are in the memory; all of
 * them may have up to `room` links. Stops before a list that it leaves to the caller.
 *
 * @param at first bit of the list of `page`; `filled` is where the bits end. `position` is where decoding ended.
 * @returns the number of lists decoded.
 */
export function decode(at: usize, filled: usize, first: u32, page: u32, count: u32, room: u32): u32 {
  const base = load<u32>(offsets);
  position = at;
  for (let done: u32 = 0; done < count; done++) {
    const begin = position;
    if (!row(first, page + done, base, room) || position > filled) {
      position = begin;
      return done;
    }
  }
  return count;
}

/** Decodes one list. False if it is left to the caller; `position` is then undefined. */
function row(first: u32, page: u32, base: u32, room: u32): bool {
  let at = position;
  let next = peek(at);
  if (gammaIsTooLong(next)) return false;
  at += gammaBits(next);
  const degree = gamma(next);
  const place = offsets + (<usize>(page - first) << 2);
  const start = load<u32>(place);
  if (degree > nodes || <u64>(start - base) + degree > <u64>room) return false;
  store<u32>(place + 4, start + <u32>degree);
  position = at;
  if (degree == 0) return true;
  const from = targets + (<usize>(start - base) << 2);
  const end = from + (<usize>degree << 2);
  if (windowSize == 0) return readExtras(page, from, end);
  next = peek(at);
  if (next == 0) return false;
  const reference = <u32>clz<u64>(next);
  position = at + reference + 1;
  if (reference == 0) return readExtras(page, from, end);
  if (reference > windowSize || reference > page - first) return false;
  const list = place - (<usize>reference << 2);
  const listStart = targets + (<usize>(load<u32>(list) - base) << 2);
  const copied = readBlocks(listStart, targets + (<usize>(load<u32>(list, 4) - base) << 2));
  const extras = from + copied;
  if (extras > end || (extras < end && !readExtras(page, extras, end))) return false;
  return mergeCopies(from, extras, end, listStart);
}

/**
 * Reads the blocks of a list that refers to the one in [from, to). Returns the number of bytes copied; more than any
 * list has if they are invalid.
 */
function readBlocks(from: usize, to: usize): usize {
  const unsound: usize = maxTargets << 4;
  let at = position;
  let next = peek(at);
  if (gammaIsTooLong(next)) return unsound;
  at += gammaBits(next);
  let count = <u32>gamma(next);
  if (<usize>count > ((to - from) >> 2) + 1) return unsound;
  let copied: usize = 0;
  let place = from;
  for (let block: u32 = 0; block < count; block++) {
    next = peek(at);
    if (gammaIsTooLong(next)) return unsound;
    at += gammaBits(next);
    const length = gamma(next) + u64(block != 0);
    if (length > <u64>((to - place) >> 2)) return unsound;
    const bytes = <usize>length << 2;
    place += bytes;
    store<u32>(blocks + (<usize>block << 2), <u32>place);
    copied += block & 1 ? 0 : bytes;
  }
  if ((count & 1) == 0) {
    store<u32>(blocks + (<usize>count << 2), <u32>to);
    count++;
    copied += to - place;
  }
  blockCount = count;
  position = at;
  return copied;
}

/** Decodes intervals and residuals into targets[from ... to), ascending. The usual zeta 3 is compiled apart. */
function readExtras(page: u32, from: usize, to: usize): bool {
  return zetaK == 3 ? readExtrasIn(page, from, to, 3) : readExtrasIn(page, from, to, zetaK);
}

/** The same, with residuals in zeta k. Inlined, so that a constant k takes no multiplication. */
@inline
function readExtrasIn(page: u32, from: usize, to: usize, k: u64): bool {
  let at = position;
  let next = peek(at);
  let left = <u32>((to - from) >> 2);
  let intervalCount: u32 = 0;
  if (minIntervalLength != 0) {
    if (gammaIsTooLong(next)) return false;
    at += gammaBits(next);
    if (gamma(next) > <u64>left) return false;
    intervalCount = <u32>gamma(next);
    let end: u64 = 0;
    for (let interval: u32 = 0; interval < intervalCount; interval++) {
      next = peek(at);
      if (gammaIsTooLong(next)) return false;
      at += gammaBits(next);
      const start = interval == 0 ? <i64>page + integerOf(gamma(next)) : <i64>(end + 1 + gamma(next));
      next = peek(at);
      if (gammaIsTooLong(next)) return false;
      at += gammaBits(next);
      const length = gamma(next) + minIntervalLength;
      end = <u64>start + length;
      if (start < 0 || end > nodes || length > <u64>left) return false;
      left -= <u32>length;
      store<u32>(intervals + (<usize>interval << 3), <u32>start);
      store<u32>(intervals + (<usize>interval << 3), <u32>end, 4);
    }
    next = peek(at);
  }
  let residual: u64 = 0;
  if (left != 0) {
    if (zetaIsTooLong(next, k)) return false;
    at += zetaBits(next, k);
    const least = <i64>page + integerOf(zeta(next, k));
    if (least < 0) return false;
    residual = least;
  }
  for (let interval: u32 = 0; interval < intervalCount; interval++) {
    const start = load<u32>(intervals + (<usize>interval << 3));
    const end = load<u32>(intervals + (<usize>interval << 3), 4);
    while (left != 0 && residual < <u64>start) {
      store<u32>(from, <u32>residual);
      from += 4;
      if (--left == 0) break;
      next = peek(at);
      if (zetaIsTooLong(next, k)) return false;
      at += zetaBits(next, k);
      residual += zeta(next, k) + 1;
    }
    if (left != 0 && residual < <u64>end) return false;
    for (let target = start; target < end; target++, from += 4) store<u32>(from, target);
  }
  if (left != 0) {
    store<u32>(from, <u32>residual);
    from += 4;
  }
  while (from < to) {
    next = peek(at);
    if (zetaIsTooLong(next, k)) return false;
    at += zetaBits(next, k);
    residual += zeta(next, k) + 1;
    store<u32>(from, <u32>residual);
    from += 4;
  }
  position = at;
  return residual < nodes;
}

/** Merges the copied blocks of the list at `from` with the extras in [extra, end) into the row at `at`. */
function mergeCopies(at: usize, extra: usize, end: usize, from: usize): bool {
  let next = extra < end ? load<u32>(extra) : noPage;
  for (let block: u32 = 0; block < blockCount; block += 2) {
    const place = blocks + (<usize>block << 2);
    const to = <usize>load<u32>(place);
    if (from < to && load<u32>(to - 4) >= next) {
      while (from < to) {
        const target = load<u32>(from);
        from += 4;
        while (next < target) {
          store<u32>(at, next);
          at += 4;
          extra += 4;
          next = extra < end ? load<u32>(extra) : noPage;
        }
        if (next == target) return false;
        store<u32>(at, target);
        at += 4;
      }
    } else {
      for (; from < to; from += 4, at += 4) store<u32>(at, load<u32>(from));
    }
    from = <usize>load<u32>(place, 4);
  }
  return true;
}
