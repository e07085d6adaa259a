/** Where ticks stand. */

/** The values themselves where all are powers of two, every second or third of many; undefined where they are not. */
export function powersOfTwo(values: readonly number[], most: number): number[] | undefined {
  const distinct = [...new Set(values)].sort((a, b) => a - b);
  if (distinct.length < 2 || !distinct.every((value) => Number.isInteger(Math.log2(value)))) return undefined;
  const step = Math.ceil(distinct.length / most);
  return distinct.filter((_, i) => i % step === 0);
}

/** Those of rising `values` that keep a distance of `gap` from the one before; the last in any case. */
export function apart(values: readonly number[], gap: number): number[] {
  const kept: number[] = [];
  for (const value of [...values].reverse()) if (kept.length === 0 || kept[0] - value >= gap) kept.unshift(value);
  return kept;
}

/**
 * Powers of ten; between them 2 and 5 times those, or every digit, or even steps, where the axis is short. At most
 * `most`.
 */
export function logTicks(low: number, high: number, most: number): number[] {
  const decades = Array.from(
    { length: Math.floor(Math.log10(high)) - Math.floor(Math.log10(low)) + 1 },
    (_, i) => 10 ** (Math.floor(Math.log10(low)) + i),
  );
  const within = (digits: readonly number[]): number[] =>
    decades
      .flatMap((power) => digits.map((digit) => Number((digit * power).toPrecision(12))))
      .filter((value) => value >= low && value <= high);
  // Over many decades 2 and 3 are so close that their labels touch.
  const three = Math.log10(high / low) < 2.5 ? [[1, 2, 3, 5]] : [];
  const sets = [[1, 2, 3, 4, 5, 6, 7, 8, 9], ...three, [1, 2, 5], [1, 3], [1]].map(within);
  const [finest] = sets;
  if (finest.length < 3) return evenSteps(low, high, most);
  const fitting = sets.find((set) => set.length <= most) ?? within([1]);
  // A single tick shows no scale.
  if (fitting.length < 2) return evenSteps(low, high, most);
  const step = Math.ceil(fitting.length / most);
  return fitting.filter((_, i) => i % step === 0);
}

/**
 * Multiples of 1, 2 or 5 times a power of ten: of the greatest step that is wide enough, or, where that leaves one, of
 * the next.
 */
function evenSteps(low: number, high: number, most: number): number[] {
  const rough = (high - low) / Math.min(most, 5);
  const power = 10 ** Math.floor(Math.log10(rough));
  const steps = [0.5, 1, 2, 5, 10].map((digit) => digit * power);
  const wide = steps.findIndex((step) => step >= rough);
  const multiples = (step: number): number[] => {
    const first = Math.ceil(low / step);
    return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) =>
      Number(((first + i) * step).toPrecision(12)),
    );
  };
  const ticks = multiples(steps[wide]);
  return ticks.length >= 2 ? ticks : multiples(steps[wide - 1]);
}
