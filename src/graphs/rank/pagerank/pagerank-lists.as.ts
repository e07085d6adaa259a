/**
 * AssemblyScript. From the out-links of pages to their in-lists, and from these to coded lists, which store only the
 * differences from the previous list.
 *
 * Lists are stored in blocks of 256 pages, those of the swept pages first, then those of the dangling pages.
 * Both, and the coded lists, have one form, all of it u32:
 *
 *     header    bit 31 clear. bit 0: on top of the list before; above: number of fours
 *     fours on top: a source more, a source less, twice; otherwise four sources of the list. Sources as 8 * page,
 *               ascending, which is where their share lies. 8 * pages, whose share is 0, fills the last; and the first,
 *               in a list of none, so that most lists of a sparse graph have one and the sweep's processor can foresee
 *               that.
 *     or, instead of a list: bit 31 set; below: how many pages have none here.
 */
import { blockPages, degrees, degreeWord, endOfBlock, pages } from './pagerank-memory.as';

const skipBit: u32 = 0x80000000;
const leastFours: u32 = 1;
const none: u32 = 0xffffffff;

/** Counts links by their target, in `counters`. */
export function countLinks(targets: usize, end: usize, counters: usize): void {
  for (; targets < end; targets += 4) {
    const at = counters + (<usize>load<u32>(targets) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
}

/**
 * Lays out the lists of all pages from `at` on: headers and fillers. `counters` of `threads` threads, `stride` bytes
 * apart, in the order of their pages, become the addresses at which the threads' first links go. `starts` and
 * `danglingStarts` take the address of each block's lists. Returns the end: at most 4 (arcs + 3 pages) bytes on.
 */
export function layOutLists(
  at: usize, counters: usize, stride: usize, threads: u32, starts: usize, danglingStarts: usize, danglingLast: bool,
): usize {
  for (let block: u32 = 0; block * blockPages < pages; block++) {
    const first = block * blockPages;
    const end = endOfBlock(block);
    // The start of the dangling pages' lists is known once the lengths of the others are.
    let swept = at;
    let inRun: u32 = 0;
    for (let page = first; page < end; page++) {
      const isDangling = u32(danglingLast && degreeWord(page) == 0);
      const list = 4 + (foursOf(inDegree(counters, stride, threads, page)) << 4);
      // A run of dangling pages takes one word.
      at += (1 - isDangling) * list + ((isDangling & (1 - inRun)) << 2);
      inRun = isDangling;
    }
    store<u32>(starts + (<usize>block << 2), <u32>swept);
    store<u32>(danglingStarts + (<usize>block << 2), <u32>at);
    let sweptRun: usize = 0;
    let danglingRun: usize = 0;
    for (let page = first; page < end; page++) {
      if (danglingLast && degreeWord(page) == 0) {
        if (sweptRun == 0) {
          sweptRun = swept;
          store<u32>(swept, skipBit);
          swept += 4;
        }
        store<u32>(sweptRun, load<u32>(sweptRun) + 1);
        danglingRun = 0;
        at = layOutList(at, page, counters, stride, threads);
      } else {
        if (danglingRun == 0) {
          danglingRun = at;
          store<u32>(at, skipBit);
          at += 4;
        }
        store<u32>(danglingRun, load<u32>(danglingRun) + 1);
        sweptRun = 0;
        swept = layOutList(swept, page, counters, stride, threads);
      }
    }
  }
  return at;
}

@inline
function inDegree(counters: usize, stride: usize, threads: u32, page: u32): u32 {
  let count: u32 = 0;
  for (let thread: u32 = 0; thread < threads; thread++)
    count += load<u32>(counters + stride * thread + (<usize>page << 2));
  return count;
}

@inline
function layOutList(at: usize, page: u32, counters: usize, stride: usize, threads: u32): usize {
  let next = at + 4;
  for (let thread: u32 = 0; thread < threads; thread++) {
    const counter = counters + stride * thread + (<usize>page << 2);
    const count = load<u32>(counter);
    store<u32>(counter, <u32>next);
    next += <usize>count << 2;
  }
  const fours = foursOf(<u32>((next - at - 4) >> 2));
  store<u32>(at, fours << 1);
  const end = at + 4 + (<usize>fours << 4);
  // All of the last four: sources go over what is not filler.
  v128.store(end - 16, i32x4.splat(pages << 3));
  return end;
}

@inline
function foursOf(sources: u32): u32 {
  return max<u32>((sources + 3) >> 2, leastFours);
}

/**
 * Puts links into their targets' lists, at `cursors` as layOutLists left them. The first `left` links are the rest of
 * those of `page`, the others those of the pages after it.
 */
export function scatterLinks(targets: usize, end: usize, page: u32, left: u32, cursors: usize): void {
  while (targets < end) {
    const stop = min(end, targets + (<usize>left << 2));
    let loops: u32 = 0;
    for (; targets < stop; targets += 4) {
      const target = load<u32>(targets);
      loops |= u32(target == page);
      const cursor = cursors + (<usize>target << 2);
      const at = load<u32>(cursor);
      store<u32>(cursor, at + 4);
      store<u32>(at, page << 3);
    }
    if (loops) store<u32>(degrees + (<usize>page << 2), degreeWord(page) | 0x80000000);
    page++;
    left = degreeWord(page) & 0x7fffffff;
  }
}

/** Every so many lists, one is stored in full, so that a running sum cannot drift. */
const anchorEvery: u32 = 64;

/**
 * Codes the lists of blocks [first, end), which begin at `starts`, writing from `to` on, and stores the start of each
 * block in `codeStarts`. The first list of a block is stored in full. Returns the end of the code, which is no longer
 * than the lists.
 */
export function codeLists(first: u32, end: u32, starts: usize, codeStarts: usize, to: usize): usize {
  for (let block = first; block < end; block++) {
    store<u32>(codeStarts + (<usize>block << 2), <u32>to);
    const endPage = endOfBlock(block);
    let from: usize = load<u32>(starts + (<usize>block << 2));
    let before: usize = 0, beforeEnd: usize = 0;
    let sinceAnchor = anchorEvery;
    for (let page = block * blockPages; page < endPage; page++) {
      const header = load<u32>(from);
      from += 4;
      if (header & skipBit) {
        store<u32>(to, header);
        to += 4;
        page += (header & ~skipBit) - 1;
        continue;
      }
      const next = from + (<usize>(header >> 1) << 4);
      // Fillers are not sources.
      const fillers = popcnt(i32x4.bitmask(i32x4.eq(v128.load(next - 16), i32x4.splat(pages << 3))));
      const listEnd = next - (<usize>fillers << 2);
      const fours =
        sinceAnchor < anchorEvery ? codeDifference(before, beforeEnd, from, listEnd, to + 4, header >> 1) : none;
      if (fours == none) {
        sinceAnchor = 1;
        store<u32>(to, header);
        to += 4;
        for (let at = from; at < next; at += 16, to += 16) v128.store(to, v128.load(at));
      } else {
        sinceAnchor++;
        store<u32>(to, (fours << 1) | 1);
        to += 4 + (<usize>fours << 4);
      }
      before = from;
      beforeEnd = listEnd;
      from = next;
    }
  }
  return to;
}

/**
 * Pairs (source of [b, bEnd) only, source of [a, aEnd) only), written from `to` on, both ascending. Returns how many
 * fours they fill; `none` unless that is fewer than `limit`.
 */
function codeDifference(a: usize, aEnd: usize, b: usize, bEnd: usize, to: usize, limit: u32): u32 {
  const last = to + (<usize>(limit - 1) << 4);
  const least = bEnd - b > aEnd - a ? bEnd - b - (aEnd - a) : aEnd - a - (bEnd - b);
  if (to + (least << 1) > last) return none;
  let more = to, less = to + 4;
  for (;;) {
    // Sites repeat long lists to the letter: four sources at a time.
    while (a + 16 <= aEnd && b + 16 <= bEnd && !v128.any_true(v128.xor(v128.load(a), v128.load(b)))) {
      a += 16;
      b += 16;
    }
    if (a >= aEnd || b >= bEnd) break;
    // Then one at a time until they agree again, without a branch on which is less. What does not count is overwritten.
    let old: u32, now: u32;
    do {
      old = load<u32>(a);
      now = load<u32>(b);
      const isMore = u32(now < old), isLess = u32(old < now);
      if ((isMore & u32(more >= last)) | (isLess & u32(less >= last + 4))) return none;
      store<u32>(more, now);
      store<u32>(less, old);
      more += isMore << 3;
      less += isLess << 3;
      b += (1 - isLess) << 2;
      a += (1 - isMore) << 2;
    } while (old != now && a < aEnd && b < bEnd);
  }
  if (more + ((bEnd - b) << 1) > last || less + ((aEnd - a) << 1) > last + 4) return none;
  for (; b < bEnd; b += 4, more += 8) store<u32>(more, load<u32>(b));
  for (; a < aEnd; a += 4, less += 8) store<u32>(less, load<u32>(a));
  const fours = max<u32>(<u32>((max(more, less - 4) - to + 15) >> 4), leastFours);
  const end = to + (<usize>fours << 4);
  const filler = pages << 3;
  for (; more < end; more += 8) store<u32>(more, filler);
  for (; less < end; less += 8) store<u32>(less, filler);
  return fours;
}
