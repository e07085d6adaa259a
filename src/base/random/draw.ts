/**
 * Keyed random draws: each is a function of (root seed, stream name, id, attempt) alone, never of the order of draws.
 * Two policies therefore meet the same network, and threads change nothing.
 *
 * Only + - * / and Math.sqrt are used on floats: Math.log and Math.exp may differ between engines, and every latency
 * with them. Hashing is 32-bit integer arithmetic (the finaliser of MurmurHash3, Appleby 2011, public domain, applied
 * to a running combination), which is good enough for the few thousand draws of a run; it is not a cryptographic
 * generator.
 */

const LN2 = 0.6931471805599453;

/** FNV-1a over the UTF-16 code units of a stream's name. */
function hashName(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

function mix(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A named stream of draws from one root seed. */
export class DrawStream {
  readonly #key: number;

  /** @param seed root seed of the run, an integer in [0, 2^53). */
  constructor(seed: number, name: string) {
    const low = mix((seed >>> 0) ^ hashName(name));
    this.#key = mix((low + Math.imul(Math.floor(seed / 2 ** 32) + 1, 0x9e3779b9)) >>> 0);
  }

  /** Uniform over the 32-bit unsigned integers. */
  uint32(id: number, attempt = 0): number {
    const first = mix((this.#key + Math.imul(id + 1, 0x9e3779b9)) >>> 0);
    return mix((first ^ Math.imul(attempt + 1, 0x85ebca77)) >>> 0);
  }

  /** Uniform in the open interval (0, 1), with 53 bits. */
  uniform(id: number, attempt = 0): number {
    const high = this.uint32(id, 2 * attempt) >>> 5;
    const low = this.uint32(id, 2 * attempt + 1) >>> 6;
    // The greatest value would round to 1, where no quantile is defined.
    return Math.min((high * 2 ** 26 + low + 0.5) / 2 ** 53, 1 - 2 ** -53);
  }

  /** Standard normal. */
  normal(id: number, attempt = 0): number {
    return inverseNormal(this.uniform(id, attempt));
  }

  /** Log-normal with the given median (any unit) and sigma (of the logarithm). */
  logNormal(median: number, sigma: number, id: number, attempt = 0): number {
    return sigma === 0 ? median : median * exp(sigma * this.normal(id, attempt));
  }
}

/**
 * e^x for |x| < 700: x = k ln 2 + r with |r| <= ln(2)/2, the Taylor series at r, then k doublings; relative error about
 * 1e-15.
 */
export function exp(x: number): number {
  const doublings = Math.round(x / LN2);
  const rest = x - doublings * LN2;
  let term = 1;
  let sum = 1;
  for (let n = 1; n <= 16; n++) {
    term = (term * rest) / n;
    const previous = sum;
    sum += term;
    // A term too small to count means that all later ones are too.
    if (sum === previous) break;
  }
  for (let i = 0; i < Math.abs(doublings); i++) sum = doublings > 0 ? sum * 2 : sum / 2;
  return sum;
}

/** Natural logarithm of x > 0: exponent taken out by halving, then 2 atanh((m-1)/(m+1)); relative error about 1e-15. */
export function log(x: number): number {
  let exponent = 0;
  while (x >= 1.5) {
    x /= 2;
    exponent++;
  }
  while (x < 0.75) {
    x *= 2;
    exponent--;
  }
  const ratio = (x - 1) / (x + 1);
  const square = ratio * ratio;
  let power = ratio;
  let sum = 0;
  for (let n = 1; n <= 25; n += 2) {
    sum += power / n;
    power *= square;
  }
  return 2 * sum + exponent * LN2;
}

/**
 * Quantile of the standard normal at p in (0, 1): P. J. Acklam's rational approximation (2003), relative error 1.15e-9,
 * which is far below anything a simulated latency can show.
 */
export function inverseNormal(p: number): number {
  if (p > 0.5) return -inverseNormal(1 - p);
  if (p < 0.02425) {
    const q = Math.sqrt(-2 * log(p));
    return (
      (((((-7.784894002430293e-3 * q - 3.223964580411365e-1) * q - 2.400758277161838) * q - 2.549732539343734) * q +
        4.374664141464968) * q + 2.938163982698783) /
      ((((7.784695709041462e-3 * q + 3.224671290700398e-1) * q + 2.445134137142996) * q + 3.754408661907416) * q + 1)
    );
  }
  const q = p - 0.5;
  const r = q * q;
  return (
    ((((((-3.969683028665376e1 * r + 2.209460984245205e2) * r - 2.759285104469687e2) * r + 1.38357751867269e2) * r -
      3.066479806614716e1) * r + 2.506628277459239) * q) /
    (((((-5.447609879822406e1 * r + 1.615858368580409e2) * r - 1.556989798598866e2) * r + 6.680131188771972e1) * r -
      1.328068155288572e1) * r + 1)
  );
}
