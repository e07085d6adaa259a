/**
 * AssemblyScript. The pages that each page reaches, as rows of bits over one memory that `closure-kernel.ts` lays out:
 * Algorithm 1 as printed, in blocks of 8, 16, 32 or 64 bits, and its pruned form, in vectors of 128.
 *
 * rows    bit m of row n is set if page n reaches page m; whole blocks per row, so `rowBytes` from row to row
 * columns of the pruned form alone: bit n of row m is set if page n reaches page m
 * list    a row of bits to work with
 * labels  u32 by page: the lowest page of its component; in whole vectors, the rest of the last one zero
 * count   u32: the number of components
 *
 * Preconditions, which the host checks: ids below `pages`, no loops.
 */

let pages: u32 = 0;
let rows: usize = 0;
let rowBytes: usize = 0;
let labels: usize = 0;
let count: usize = 0;
let columns: usize = 0;
let list: usize = 0;

export function setUp(
  pagesGiven: u32, rowsAt: usize, rowBytesGiven: usize, labelsAt: usize, countAt: usize, columnsAt: usize,
  listAt: usize,
): void {
  pages = pagesGiven;
  rows = rowsAt;
  rowBytes = rowBytesGiven;
  labels = labelsAt;
  count = countAt;
  columns = columnsAt;
  list = listAt;
  store<u32>(count, pages);
  for (let page: u32 = 0; page < pages; page++) {
    store<u32>(labels + (<usize>page << 2), page);
    store<u8>(rowOf(page) + placeOf<u8>(page), bitOf<u8>(page));
    if (columns != 0) store<u8>(columns + <usize>page * rowBytes + placeOf<u8>(page), bitOf<u8>(page));
  }
}

@inline
function rowOf(page: u32): usize {
  return rows + <usize>page * rowBytes;
}

@inline
function labelOf(page: u32): u32 {
  return load<u32>(labels + (<usize>page << 2));
}

/** Makes one component of two. O(n), as in the source, and at most n - 1 times. */
function merge(one: u32, other: u32): void {
  const low = min(labelOf(one), labelOf(other));
  const high = max(labelOf(one), labelOf(other));
  const from = i32x4.splat(high);
  const to = i32x4.splat(low);
  const end = labels + (<usize>pages << 2);
  // No page below it bears the label.
  for (let at = labels + (<usize>(high & ~3) << 2); at < end; at += 16) {
    const four = v128.load(at);
    v128.store(at, v128.bitselect(to, four, i32x4.eq(four, from)));
  }
  store<u32>(count, load<u32>(count) - 1);
}

/** Where the block with the bit of a page is, from the start of a row. */
@inline
function placeOf<T>(page: u32): usize {
  return <usize>(page / (sizeof<T>() << 3)) * sizeof<T>();
}

/** That bit in its block. */
@inline
function bitOf<T>(page: u32): T {
  return <T>(<T>1 << <T>(page & ((sizeof<T>() << 3) - 1)));
}

/** Algorithm 1 for an arc, in blocks of the type T. */
@inline
function insertBlocks<T>(source: u32, target: u32): void {
  const length = rowBytes; // A global is read anew at each use.
  const ofSource = rowOf(source);
  const ofTarget = rowOf(target);
  const sourcePlace = placeOf<T>(source);
  const sourceBit = bitOf<T>(source);
  const targetAt = ofSource + placeOf<T>(target);
  store<T>(targetAt, load<T>(targetAt) | bitOf<T>(target));
  unite<T>(ofSource, ofTarget, length);
  if ((load<T>(ofTarget + sourcePlace) & sourceBit) != 0 && labelOf(source) != labelOf(target)) merge(source, target);
  const end = pages;
  let own = rows;
  let page: u32 = 0;
  // Most pages of most graphs do not reach the source: four are passed at once.
  for (; page + 4 <= end; page += 4, own += 4 * length) {
    const at = own + sourcePlace;
    const two = load<T>(at) | load<T>(at + length);
    if (((two | load<T>(at + 2 * length) | load<T>(at + 3 * length)) & sourceBit) == 0) continue;
    extend<T>(page, own, source, target, length);
    extend<T>(page + 1, own + length, source, target, length);
    extend<T>(page + 2, own + 2 * length, source, target, length);
    extend<T>(page + 3, own + 3 * length, source, target, length);
  }
  for (; page < end; page++, own += length) extend<T>(page, own, source, target, length);
}

/** A page that reaches the source reaches what the source reaches. */
@inline
function extend<T>(page: u32, own: usize, source: u32, target: u32, length: usize): void {
  if ((load<T>(own + placeOf<T>(source)) & bitOf<T>(source)) == 0 || page == source || page == target) return;
  const ofSource = rowOf(source);
  unite<T>(own, ofSource, length);
  if ((load<T>(ofSource + placeOf<T>(page)) & bitOf<T>(page)) != 0 && labelOf(page) != labelOf(source))
    merge(source, page);
}

/**
 * Vector by vector, as a compiler of C++ unites blocks of any width; shorter rows block by block. The last vector may
 * overlap the one before it, for what is united once stays the same; it is read first, since a read just behind a write
 * to a part of its place waits.
 */
@inline
function unite<T>(own: usize, other: usize, length: usize): void {
  const end = own + length;
  if (length < 16) {
    for (; own < end; own += sizeof<T>(), other += sizeof<T>()) store<T>(own, load<T>(own) | load<T>(other));
    return;
  }
  const last = v128.or(v128.load(end - 16), v128.load(other + length - 16));
  uniteVectors(own, other, length);
  if ((length & 15) != 0) v128.store(end - 16, last);
}

export function insert8(source: u32, target: u32): void {
  insertBlocks<u8>(source, target);
}

export function insert16(source: u32, target: u32): void {
  insertBlocks<u16>(source, target);
}

export function insert32(source: u32, target: u32): void {
  insertBlocks<u32>(source, target);
}

export function insert64(source: u32, target: u32): void {
  insertBlocks<u64>(source, target);
}

/** The whole vectors of two rows; four of them per turn of the loop. */
@inline
function uniteVectors(own: usize, other: usize, length: usize): void {
  for (const fours = own + (length & ~63); own < fours; own += 64, other += 64) {
    uniteTwo(own, other);
    uniteTwo(own + 32, other + 32);
  }
  if ((length & 32) != 0) {
    uniteTwo(own, other);
    own += 32;
    other += 32;
  }
  if ((length & 16) != 0) v128.store(own, v128.or(v128.load(own), v128.load(other)));
}

@inline
function uniteTwo(own: usize, other: usize): void {
  v128.store(own, v128.or(v128.load(own), v128.load(other)));
  v128.store(own, v128.or(v128.load(own, 16), v128.load(other, 16)), 16);
}

/** The rows from `first` on of which the bit is set in the vector are united with the row at `other`. */
@inline
function uniteListed(listed: v128, first: usize, other: usize, length: usize): void {
  if (!v128.any_true(listed)) return;
  for (let bits = <u64>i64x2.extract_lane(listed, 0); bits != 0; bits &= bits - 1)
    uniteVectors(first + <usize>ctz(bits) * length, other, length);
  first += 64 * length;
  for (let bits = <u64>i64x2.extract_lane(listed, 1); bits != 0; bits &= bits - 1)
    uniteVectors(first + <usize>ctz(bits) * length, other, length);
}

/**
 * Algorithm 1, pruned, for an arc to a page that s does not reach yet: `pruned-closure.ts` explains it. Rows of whole
 * vectors.
 */
export function insertPruned(source: u32, target: u32): void {
  const length = rowBytes; // A global is read anew at each use.
  const ofSource = rowOf(source);
  const ofTarget = rowOf(target);
  const toSource = columns + <usize>source * length;
  const toTarget = columns + <usize>target * length;
  // What s begins to reach, before its row has it.
  for (let i: usize = 0; i < length; i += 16)
    v128.store(list + i, v128.andnot(v128.load(ofTarget + i), v128.load(ofSource + i)));
  if ((load<u8>(ofTarget + placeOf<u8>(source)) & bitOf<u8>(source)) != 0) {
    // What t reaches and what reaches s is on a cycle with them.
    for (let at: usize = 0; at < length; at += 8) {
      for (let bits = load<u64>(ofTarget + at) & load<u64>(toSource + at); bits != 0; bits &= bits - 1) {
        const page = <u32>(at << 3) + <u32>ctz(bits);
        if (labelOf(page) != labelOf(source)) merge(source, page);
      }
    }
  }
  // Neither the row of t nor the column of s is among those that change.
  const step = 128 * length;
  for (let i: usize = 0, first = rows; i < length; i += 16, first += step)
    uniteListed(v128.andnot(v128.load(toSource + i), v128.load(toTarget + i)), first, ofTarget, length);
  for (let i: usize = 0, first = columns; i < length; i += 16, first += step)
    uniteListed(v128.load(list + i), first, toSource, length);
}
