/** Multiples of 1, 2 or 5 times a power of ten within 0..top: at most `most`, and at least two if `top` > 0. */
export function evenTicks(top: number, most: number): number[] {
  if (!(top > 0)) return [0];
  const power = 10 ** Math.floor(Math.log10(top / most));
  const step = [1, 2, 5, 10, 20].map((digit) => digit * power).find((size) => Math.floor(top / size + 1e-9) < most)!;
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, i) => Number((i * step).toPrecision(12)));
}

/** The powers of ten around what a logarithmic axis shows; at least one decade. */
export function decades(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !(low > 0)) return [1, 10];
  const from = Math.floor(Math.log10(low) + 1e-9);
  return [10 ** from, 10 ** Math.max(from + 1, Math.ceil(Math.log10(high) - 1e-9))];
}

export function isPowerOfTen(value: number): boolean {
  return Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;
}

/** The powers of ten from one to another. */
export function powersOfTen([from, to]: readonly [number, number]): number[] {
  const first = Math.round(Math.log10(from));
  return Array.from({ length: Math.round(Math.log10(to)) - first + 1 }, (_, i) => 10 ** (first + i));
}
