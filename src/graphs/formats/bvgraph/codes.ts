import { TABLE_BITS, type BitReader, type Decoder } from './bit-reader.ts';
import { BitWriter } from './bit-writer.ts';

/**
 * Instantaneous codes of natural numbers, as written by the WebGraph framework (Elias, "Universal codeword sets and
 * representations of the integers", 1975, for gamma and delta; Boldi & Vigna, "Codes for the World Wide Web", 2005, for
 * zeta; Golomb, "Run-length encodings", 1966). Code words, value 0 first:
 *
 *   unary     1 01 001 0001
 *   gamma     1 010 011 00100         length of x+1 in unary, then x+1 without its leading one
 *   delta     1 0100 0101 01100       the same, with the length in gamma
 *   zeta 3    100 1010 1011 1100      x+1 in [2^(3h), 2^(3h+3)): h in unary, then its position there, in minimal binary
 *   golomb 3  10 110 111 010          quotient by 3 in unary, remainder in minimal binary
 *   nibble    1000 1001 1010 1011     octal digits, each after a bit that is set for the last
 */
export interface Code extends Decoder {
  encode(value: number, out: BitWriter): void;
  /** Bits of the code word of `value`. */
  bits(value: number): number;
}

export type CodeName = 'UNARY' | 'GAMMA' | 'DELTA' | 'ZETA' | 'GOLOMB' | 'NIBBLE';

/** The longest binary part accepted, far above what a difference of page ids needs: 2^40. */
const LONGEST_BINARY = 40;

const codes = new Map<string, Code>();

/** A code by its name, with its table; cached. @param k shrinking factor of zeta, at least 1, or modulus of golomb. */
export function codeOf(name: CodeName, k: number): Code {
  const key = `${name} ${k}`;
  let code = codes.get(key);
  if (code === undefined) {
    const plain = plainCode(name, k);
    code = { ...plain, table: tableOf(plain) };
    codes.set(key, code);
  }
  return code;
}

type PlainCode = Omit<Code, 'table'>;

function plainCode(name: CodeName, k: number): PlainCode {
  return { UNARY: () => unary, GAMMA: () => gamma, DELTA: () => delta, ZETA: () => zeta(k), GOLOMB: () => golomb(k),
    NIBBLE: () => nibble }[name]();
}

const unary: PlainCode = {
  decode: (bits) => bits.takeUnary(), encode: (value, out) => out.putUnary(value), bits: (value) => value + 1,
};

const gamma: PlainCode = {
  decode(bits) {
    const next = bits.peek();
    const length = Math.clz32(next);
    if (length > 15) return binaryPart(bits, bits.takeUnary());
    bits.skip(2 * length + 1);
    return (next >>> (31 - 2 * length)) - 1;
  },
  encode(value, out) {
    const length = floorLog2(value + 1);
    out.putUnary(length);
    out.put(value + 1 - 2 ** length, length);
  },
  bits: (value) => 2 * floorLog2(value + 1) + 1,
};

const delta: PlainCode = {
  decode: (bits) => binaryPart(bits, gamma.decode(bits)),
  encode(value, out) {
    const length = floorLog2(value + 1);
    gamma.encode(length, out);
    out.put(value + 1 - 2 ** length, length);
  },
  bits(value) {
    const length = floorLog2(value + 1);
    return gamma.bits(length) + length;
  },
};

/** Returns x, where x + 1 has `length` bits after its leading one; these come next. */
function binaryPart(bits: BitReader, length: number): number {
  if (length > LONGEST_BINARY) tooLong(bits);
  return 2 ** length + bits.take(length) - 1;
}

function zeta(k: number): PlainCode {
  return {
    decode(bits) {
      const next = bits.peek();
      const zeros = Math.clz32(next);
      // Most code words, k + 1 bits for each zero and for the one, are within these 32 bits.
      const length = (k + 1) * (zeros + 1);
      if (length <= 32) {
        const place = (next & (0x7fffffff >>> zeros)) >>> (33 - length);
        const shortest = 1 << (zeros * k);
        bits.skip(place < shortest ? length - 1 : length);
        return place < shortest ? place + shortest - 1 : ((next & (0x7fffffff >>> zeros)) >>> (32 - length)) - 1;
      }
      const height = bits.takeUnary();
      if (height * k > LONGEST_BINARY) tooLong(bits);
      const least = 2 ** (height * k);
      const place = bits.take(height * k + k - 1);
      return place < least ? place + least - 1 : 2 * place + bits.take(1) - 1;
    },
    encode(value, out) {
      const height = Math.floor(floorLog2(value + 1) / k);
      const least = 2 ** (height * k);
      out.putUnary(height);
      if (value + 1 < 2 * least) out.put(value + 1 - least, height * k + k - 1);
      else out.put(value + 1, height * k + k);
    },
    bits(value) {
      const height = Math.floor(floorLog2(value + 1) / k);
      return height + 1 + height * k + k - (value + 1 < 2 * 2 ** (height * k) ? 1 : 0);
    },
  };
}

function golomb(modulus: number): PlainCode {
  const length = floorLog2(modulus);
  // Remainders below it take `length` bits, others one more.
  const short = 2 ** (length + 1) - modulus;
  return {
    decode(bits) {
      const quotient = bits.takeUnary();
      const first = bits.take(length);
      return quotient * modulus + (first < short ? first : 2 * first + bits.take(1) - short);
    },
    encode(value, out) {
      const remainder = value % modulus;
      out.putUnary(Math.floor(value / modulus));
      if (remainder < short) out.put(remainder, length);
      else out.put(remainder + short, length + 1);
    },
    bits: (value) => Math.floor(value / modulus) + 1 + length + (value % modulus < short ? 0 : 1),
  };
}

const nibble: PlainCode = {
  decode(bits) {
    let value = 0;
    for (let digits = 0; 3 * digits <= LONGEST_BINARY; digits++) {
      const group = bits.take(4);
      value = 8 * value + (group & 7);
      if (group >= 8) return value;
    }
    return tooLong(bits);
  },
  encode(value, out) {
    for (let digit = octalDigits(value) - 1; digit >= 0; digit--) {
      out.put((digit === 0 ? 8 : 0) + (Math.floor(value / 8 ** digit) % 8), 4);
    }
  },
  bits: (value) => 4 * octalDigits(value),
};

function octalDigits(value: number): number {
  return value === 0 ? 1 : Math.floor(floorLog2(value) / 3) + 1;
}

/** The integer part of the logarithm of a positive integer below 2^53. */
function floorLog2(value: number): number {
  return value < 2 ** 31 ? 31 - Math.clz32(value) : 31 + floorLog2(Math.floor(value / 2 ** 31));
}

function tooLong(bits: BitReader): never {
  return bits.fail('has the code of a number that no graph needs');
}

/** Code words do not get shorter as values rise, so the table is complete at the first that does not fit. */
function tableOf(code: PlainCode): Uint16Array {
  const table = new Uint16Array(1 << TABLE_BITS);
  for (let value = 0; code.bits(value) <= TABLE_BITS; value++) {
    const out = new BitWriter();
    code.encode(value, out);
    const length = out.length;
    out.put(0, TABLE_BITS - length);
    const [high, low] = out.takeAll();
    const first = ((high << 8) | low) >>> (16 - TABLE_BITS);
    table.fill(16 * value + length, first, first + (1 << (TABLE_BITS - length)));
  }
  return table;
}
