/** B(2j) / (2j)! for j = 1 ... 8, with B the Bernoulli numbers. */
const bernoulli = [
  1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000, 1 / 74724249600,
  -3617 / 10670622842880000,
];

/**
 * q^s zeta(s, q), where zeta(s, q), Hurwitz's, is the sum of (k + q)^-s over k = 0, 1, ...: scaled so that it neither
 * vanishes nor overflows. For s > 1 and q > 0. Relative error about 1e-14 up to s = 50.
 *
 * The first terms are added until k + q exceeds s + 10; the rest is their integral with eight corrections.
 * Source  the Euler-Maclaurin formula, as in Johansson, "Rigorous high-precision computation of the Hurwitz zeta
 *         function", 2015.
 */
export function scaledZeta(s: number, q: number): number {
  const direct = Math.max(0, Math.ceil(s + 10 - q));
  let sum = 0;
  for (let k = 0; k < direct; k++) sum += (1 + k / q) ** -s;
  const a = q + direct;
  let rest = a / (s - 1) + 0.5;
  let factor = s / a;
  for (let j = 0; j < bernoulli.length; j++) {
    rest += bernoulli[j] * factor;
    factor *= ((s + 2 * j + 1) * (s + 2 * j + 2)) / (a * a);
  }
  return sum + (a / q) ** -s * rest;
}

/** zeta(s, q) itself. */
export function hurwitzZeta(s: number, q: number): number {
  return q ** -s * scaledZeta(s, q);
}
