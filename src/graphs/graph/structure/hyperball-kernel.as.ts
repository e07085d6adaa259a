/**
 * AssemblyScript. HyperBall's step, over one memory that `hyperball.ts` lays out.
 *
 * counter 2^b registers of a byte each; a register is the largest rank seen among the pages that fell to it, 0 for none
 * changed one bit per page: its counter grew in the last step
 */

@inline
function hasChanged(changed: usize, page: u32): bool {
  return bool((load<u8>(changed + (page >> 3)) >> <u8>(page & 7)) & 1);
}

/**
 * The estimate of the counter at `at`: scale / sum of 2^-register, or, if that is small and registers are empty, by
 * their number (table `small`: one f64 per number of empty registers). In f32: the error of the counter itself is a
 * hundred thousand times larger.
 */
function estimate(at: usize, registers: usize, scale: f64, small: usize): f64 {
  let sum = f32x4.splat(0);
  let empty: u32 = 0;
  const bias = i32x4.splat(127);
  for (let i: usize = 0; i < registers; i += 16) {
    const bytes = v128.load(at + i);
    empty += popcnt<u32>(<u32>i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(0))));
    const low = i16x8.extend_low_i8x16_u(bytes);
    const high = i16x8.extend_high_i8x16_u(bytes);
    // 2^-r as an f32: its exponent, 127 - r, moved to its place.
    sum = f32x4.add(sum, i32x4.shl(i32x4.sub(bias, i32x4.extend_low_i16x8_u(low)), 23));
    sum = f32x4.add(sum, i32x4.shl(i32x4.sub(bias, i32x4.extend_high_i16x8_u(low)), 23));
    sum = f32x4.add(sum, i32x4.shl(i32x4.sub(bias, i32x4.extend_low_i16x8_u(high)), 23));
    sum = f32x4.add(sum, i32x4.shl(i32x4.sub(bias, i32x4.extend_high_i16x8_u(high)), 23));
  }
  const total = <f64>(
    f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1) + f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3)
  );
  const raw = scale / total;
  return empty > 0 && raw <= 2.5 * <f64>registers ? load<f64>(small + (<usize>empty << 3)) : raw;
}

/**
 * Puts the union of 64 registers at `before` and of those of the counters listed in [from, to), each by its distance
 * from `place`, to `own`. True if it is more than `before`. Four vectors stay in registers during the list, which lets
 * the processor request several counters at once; most of the time is spent waiting for memory.
 */
@inline
function uniteLine(from: usize, to: usize, place: usize, before: usize, own: usize): bool {
  const w = v128.load(before), x = v128.load(before, 16), y = v128.load(before, 32), z = v128.load(before, 48);
  let a = w, b = x, c = y, d = z;
  for (; from < to; from += 4) {
    const other = place + load<u32>(from);
    a = i8x16.max_u(a, v128.load(other));
    b = i8x16.max_u(b, v128.load(other, 16));
    c = i8x16.max_u(c, v128.load(other, 32));
    d = i8x16.max_u(d, v128.load(other, 48));
  }
  v128.store(own, a);
  v128.store(own, b, 16);
  v128.store(own, c, 32);
  v128.store(own, d, 48);
  const more = v128.or(v128.or(v128.xor(a, w), v128.xor(b, x)), v128.or(v128.xor(c, y), v128.xor(d, z)));
  return v128.any_true(more);
}

/** The same for 16 registers, of counters that are shorter than 64. */
@inline
function uniteQuarter(from: usize, to: usize, place: usize, before: usize, own: usize): bool {
  const old = v128.load(before);
  let union = old;
  for (; from < to; from += 4) union = i8x16.max_u(union, v128.load(place + load<u32>(from)));
  v128.store(own, union);
  return v128.any_true(v128.xor(old, union));
}

/**
 * One step for pages [begin, end): `next` becomes the union of a page's counter in `now` and of those it links to.
 * `next` must hold the counters of the step before: if neither a page nor one it links to changed then, they equal
 * those of `now`, and nothing is done. `list` has room for the links of any page. Sets the bits of `changing` for
 * counters that grow. Returns the total growth of their estimates.
 */
export function step(
  offsets: usize, targets: usize, list: usize, now: usize, next: usize, changed: usize, changing: usize,
  begin: u32, end: u32, registersLog2: u32, scale: f64, small: usize,
): f64 {
  const registers: usize = 1 << registersLog2;
  let growth: f64 = 0;
  let from = targets + (<usize>load<u32>(offsets + (<usize>begin << 2)) << 2);
  for (let page = begin; page < end; page++) {
    const to = targets + (<usize>load<u32>(offsets + (<usize>page << 2), 4) << 2);
    let listEnd = list;
    for (; from < to; from += 4) {
      const target = load<u32>(from);
      // Always written, and retained only if wanted: no branch to mispredict.
      store<u32>(listEnd, target << registersLog2);
      listEnd += <usize>hasChanged(changed, target) << 2;
    }
    if (listEnd == list && !hasChanged(changed, page)) continue;
    const before = now + (<usize>page << registersLog2);
    const own = next + (<usize>page << registersLog2);
    let grew = false;
    if (registers < 64) {
      for (let i: usize = 0; i < registers; i += 16)
        grew = uniteQuarter(list, listEnd, now + i, before + i, own + i) || grew;
    } else {
      for (let i: usize = 0; i < registers; i += 64)
        grew = uniteLine(list, listEnd, now + i, before + i, own + i) || grew;
    }
    if (!grew) continue;
    const byte = changing + (page >> 3);
    store<u8>(byte, load<u8>(byte) | (1 << <u8>(page & 7)));
    growth += estimate(own, registers, scale, small) - estimate(before, registers, scale, small);
  }
  return growth;
}
