/**
 * AssemblyScript. Distances between all pairs of pages, over one memory that `distance-kernel.ts` lays out: Algorithm 1
 * as printed, cell by cell, and its pruned form, eight cells at a time.
 *
 * cells   u16 per ordered pair, row by row; UNREACHED if there is no path. 16 bytes more follow, which may be read
 * counts  u32 by distance: the pairs at it
 * sources one bit per ordered pair: row t, bit s is set if there is an arc from s to t; rows of u64
 *
 * Preconditions, which the host checks: ids below `pages`, no loops.
 */

const UNREACHED: u32 = 0xffff;

let pages: usize = 0;
let cells: usize = 0;
let counts: usize = 0;

// Of the pruned form alone.
let words: usize = 0;
let sources: usize = 0;
/** One bit per page: the search has met it. */
let seen: usize = 0;
/** u32: the pages of which the arcs into them are still to be looked at. */
let queue: usize = 0;
/** What comes closer to s, in vectors of 8 cells: u32, their distances in bytes from the start of a row. */
let places: usize = 0;
/** ... and the new distances from s, UNREACHED for cells that do not come closer. */
let lengths: usize = 0;
/** Two vectors. */
const scratch = memory.data(32, 16);
/** The cells of the last vector that belong to the next row, all bits set; 0 elsewhere. */
let beyond: v128 = i16x8.splat(0);

export function setUp(
  pagesGiven: u32, cellsAt: usize, countsAt: usize, sourcesAt: usize, seenAt: usize, queueAt: usize, placesAt: usize,
  lengthsAt: usize,
): void {
  pages = pagesGiven;
  cells = cellsAt;
  counts = countsAt;
  sources = sourcesAt;
  seen = seenAt;
  queue = queueAt;
  places = placesAt;
  lengths = lengthsAt;
  words = (pages + 63) >> 6;
  const last = pages & 7;
  beyond = i16x8.splat(0);
  if (last > 0) beyond = i16x8.ge_u(i16x8(0, 1, 2, 3, 4, 5, 6, 7), i16x8.splat(<i16>last));
}

@inline
function rowOf(page: u32): usize {
  return cells + ((<usize>page * pages) << 1);
}

@inline
function addTo(distance: u32, pairs: i32): void {
  const at = counts + (<usize>distance << 2);
  store<u32>(at, load<u32>(at) + pairs);
}

/** The row at `own` becomes at most `distance` + the row at `other`. */
@inline
function lowerRow(own: usize, distance: u32, other: usize): void {
  const end = own + (pages << 1);
  for (; own < end; own += 2, other += 2) {
    const before = <u32>load<u16>(own);
    const now = distance + <u32>load<u16>(other);
    if (now >= before) continue;
    store<u16>(own, <u16>now);
    addTo(before, -1);
    addTo(now, 1);
  }
}

/** Algorithm 1 for an arc. */
export function insert(source: u32, target: u32): void {
  const ofSource = rowOf(source);
  if (load<u16>(ofSource + (<usize>target << 1)) == 1) return;
  lowerRow(ofSource, 1, rowOf(target));
  let own = cells;
  for (let page: u32 = 0; page < <u32>pages; page++, own += pages << 1) {
    const toSource = <u32>load<u16>(own + (<usize>source << 1));
    if (page != source && page != target && toSource != UNREACHED) lowerRow(own, toSource, ofSource);
  }
}

/** The cells that fall from one distance to one other, in whole vectors of a row; counted when the run ends. */
let runFrom: v128 = i16x8.splat(0);
let runTo: v128 = i16x8.splat(0);
/** Of each lane. A row has 8192 vectors at most. */
let runCells: v128 = i16x8.splat(0);

@inline
function endRun(): void {
  if (!v128.any_true(runCells)) return;
  const sums = i32x4.extadd_pairwise_i16x8_u(runCells);
  const pairs = i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1) + i32x4.extract_lane(sums, 2) +
    i32x4.extract_lane(sums, 3);
  addTo(i16x8.extract_lane_u(runFrom, 0), -pairs);
  addTo(i16x8.extract_lane_u(runTo, 0), pairs);
  runCells = i16x8.splat(0);
}

/**
 * Counts the lanes of a vector that fall from `before` to `now`. First what they leave, then what they come to: the
 * next cell of a row often leaves what this one comes to, and one sum would wait for the other.
 */
@inline
function countLanes(before: v128, now: v128, lanes: i32): void {
  if (lanes == 0xff) {
    addTo(i16x8.extract_lane_u(before, 0), -1);
    addTo(i16x8.extract_lane_u(before, 1), -1);
    addTo(i16x8.extract_lane_u(before, 2), -1);
    addTo(i16x8.extract_lane_u(before, 3), -1);
    addTo(i16x8.extract_lane_u(before, 4), -1);
    addTo(i16x8.extract_lane_u(before, 5), -1);
    addTo(i16x8.extract_lane_u(before, 6), -1);
    addTo(i16x8.extract_lane_u(before, 7), -1);
    addTo(i16x8.extract_lane_u(now, 0), 1);
    addTo(i16x8.extract_lane_u(now, 1), 1);
    addTo(i16x8.extract_lane_u(now, 2), 1);
    addTo(i16x8.extract_lane_u(now, 3), 1);
    addTo(i16x8.extract_lane_u(now, 4), 1);
    addTo(i16x8.extract_lane_u(now, 5), 1);
    addTo(i16x8.extract_lane_u(now, 6), 1);
    addTo(i16x8.extract_lane_u(now, 7), 1);
    return;
  }
  v128.store(scratch, before);
  v128.store(scratch, now, 16);
  do {
    const lane = scratch + (<usize>ctz(lanes) << 1);
    addTo(load<u16>(lane), -1);
    addTo(load<u16>(lane, 16), 1);
    lanes &= lanes - 1;
  } while (lanes != 0);
}

@inline
function isSplat(vector: v128, cell: u16): bool {
  return !v128.any_true(v128.xor(vector, i16x8.splat(cell)));
}

/** Lowers the vector at `cell` from `before` to the lesser of it and `now`. False if no cell falls. */
@inline
function lowerVector(cell: usize, before: v128, now: v128): bool {
  const lesser = i16x8.min_u(now, before);
  const falls = v128.xor(lesser, before);
  if (!v128.any_true(falls)) return false;
  v128.store(cell, lesser);
  let inRun = v128.and(i16x8.eq(before, runFrom), i16x8.eq(now, runTo));
  if (v128.any_true(v128.andnot(falls, inRun))) {
    const lanes = i16x8.bitmask(i16x8.ne(lesser, before));
    const from = i16x8.extract_lane_u(before, 0);
    const to = i16x8.extract_lane_u(now, 0);
    if (lanes != 0xff || !isSplat(before, from) || !isSplat(now, to)) {
      countLanes(before, now, lanes);
      return true;
    }
    endRun();
    runFrom = before;
    runTo = now;
    inRun = i16x8.splat(-1);
  }
  runCells = i16x8.sub(runCells, inRun);
  return true;
}

/** Lowers the row of s to 1 + the row of t, and lists what came closer. Returns the end of the list of places. */
function lowerRowOfSource(own: usize, other: usize): usize {
  const length = pages << 1;
  let place = places;
  let at = lengths;
  for (let i: usize = 0; i < length; i += 16) {
    const before = v128.load(own + i);
    let now = i16x8.add_sat_u(v128.load(other + i), i16x8.splat(1));
    if (i + 16 > length) now = v128.or(now, beyond);
    if (!lowerVector(own + i, before, now)) continue;
    store<u32>(place, <u32>i);
    v128.store(at, v128.bitselect(now, i16x8.splat(-1), i16x8.lt_u(now, before)));
    place += 4;
    at += 16;
  }
  endRun();
  return place;
}

/** Lowers the row at `own` to `toSource` + the new row of s, where the latter came closer. */
function lowerPlaces(own: usize, toSource: u32, placesEnd: usize): void {
  const more = i16x8.splat(<i16>toSource);
  for (let place = places, at = lengths; place < placesEnd; place += 4, at += 16) {
    const cell = own + load<u32>(place);
    lowerVector(cell, v128.load(cell), i16x8.add_sat_u(v128.load(at), more));
  }
  endRun();
}

/** Algorithm 1, pruned, for an arc: `pruned.ts` explains it. */
export function insertPruned(source: u32, target: u32): void {
  const ofSource = rowOf(source);
  if (load<u16>(ofSource + (<usize>target << 1)) == 1) return;
  const placesEnd = lowerRowOfSource(ofSource, rowOf(target));
  const bitAt = sources + ((<usize>target * words + (source >> 6)) << 3);
  store<u64>(bitAt, load<u64>(bitAt) | (<u64>1 << (source & 63)));
  for (let word: usize = 0; word < words; word++) store<u64>(seen + (word << 3), 0);
  store<u32>(queue, source);
  let end = queue + 4;
  for (let head = queue; head < end; head += 4) {
    const row = sources + ((<usize>load<u32>(head) * words) << 3);
    for (let word: usize = 0; word < words; word++) {
      const met = load<u64>(seen + (word << 3));
      let bits = load<u64>(row + (word << 3)) & ~met;
      if (bits == 0) continue;
      store<u64>(seen + (word << 3), met | bits);
      for (; bits != 0; bits &= bits - 1) {
        const page = <u32>(word << 6) + <u32>ctz(bits);
        const own = rowOf(page);
        const toSource = <u32>load<u16>(own + (<usize>source << 1));
        if (toSource + 1 >= <u32>load<u16>(own + (<usize>target << 1))) continue;
        lowerPlaces(own, toSource, placesEnd);
        store<u32>(end, page);
        end += 4;
      }
    }
  }
}
