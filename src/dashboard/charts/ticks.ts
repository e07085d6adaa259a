/** Multiples of 1, 2 or 5 times a power of ten within 0..top: at most `most`, and at least two if `top` > 0. */
export function evenTicks(top: number, most: number): number[] {
  if (!(top > 0)) return [0];
  const power = 10 ** Math.floor(Math.log10(top / most));
  const step = [1, 2, 5, 10, 20].map((digit) => digit * power).find((one) => Math.floor(top / one + 1e-9) + 1 <= most)!;
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, i) => Number((i * step).toPrecision(12)));
}
