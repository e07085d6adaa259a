/**
 * AssemblyScript. Reads the lines of an edge list that have the usual form, in one memory that `arc-lines.ts` lays out.
 * It avoids a loop over bytes, whose branches at each number's end are unpredictable: all bytes of a line are
 * classified at once, and then its digits.
 */

/** 9 digits, a separator, 9 digits, CR, LF. */
const LONGEST_LINE: usize = 21;

/**
 * For the 16 bytes at `at`, one bit for each that is not a digit. byte ^ 48 is below 10 for the digits, and for no
 * other byte.
 */
@inline
function otherThanDigits(at: usize): u32 {
  return <u32>i8x16.bitmask(i8x16.gt_u(v128.xor(v128.load(at), i8x16.splat(48)), i8x16.splat(9)));
}

/**
 * The number of 1 to 8 digits at `at`. They are loaded as one word, shifted so that zeros precede them, and converted
 * to a number by three multiplications: of neighbours, of pairs, of fours.
 */
@inline
function numberAt(at: usize, digits: u32): u32 {
  let value = (load<u64>(at) ^ 0x3030303030303030) << <u64>((8 - digits) << 3);
  value = (value * 10 + (value >> 8)) & 0x00ff00ff00ff00ff;
  value = (value * 100 + (value >> 16)) & 0x0000ffff0000ffff;
  return <u32>(value * 10000 + (value >> 32));
}

/** The number of 9 digits at `at`. */
@inline
function numberOf9(at: usize): u32 {
  return numberAt(at, 8) * 10 + (<u32>load<u8>(at, 8) ^ 48);
}

/**
 * Reads lines of two ids below `idBound`, of at most 9 digits, with one separator between, from `at`, where a line
 * begins, and writes the ids to `sources` and `targets`. Ends before the first line of another form, and if less than
 * the longest line is left before `end`. Returns the number of lines; where it ended, and the maximum of `largest` and
 * all ids, are stored at `result`.
 */
export function readLines(
  at: usize, end: usize, idBound: u32, largest: u32, sources: usize, targets: usize, result: usize,
): u32 {
  const first = sources;
  while (at + LONGEST_LINE <= end) {
    let others = otherThanDigits(at);
    // Most lines end within 16 bytes.
    if ((others & (others - 1)) == 0) others |= otherThanDigits(at + 16) << 16;
    const sourceDigits = ctz(others);
    const targetEnd = ctz(others & (others - 1));
    const targetDigits = targetEnd - sourceDigits - 1;
    // An id without digits is also above 9 here.
    if (sourceDigits - 1 >= 9 || targetDigits - 1 >= 9) break;
    const separator = load<u8>(at + sourceDigits);
    if (separator != 9 && separator != 32 && separator != 44) break;
    let lineEnd = at + targetEnd;
    if (load<u8>(lineEnd) == 13) lineEnd++;
    if (load<u8>(lineEnd) != 10) break;
    const source = sourceDigits < 9 ? numberAt(at, sourceDigits) : numberOf9(at);
    const target = targetDigits < 9 ? numberAt(at + sourceDigits + 1, targetDigits) : numberOf9(at + sourceDigits + 1);
    const larger = max(source, target);
    if (larger >= idBound) break;
    largest = max(largest, larger);
    store<u32>(sources, source);
    store<u32>(targets, target);
    sources += 4;
    targets += 4;
    at = lineEnd + 1;
  }
  store<u32>(result, <u32>at);
  store<u32>(result, largest, 4);
  return <u32>((sources - first) >> 2);
}
