/** Positions of ticks. */

/** The values themselves if all are powers of two, every second or third if there are many; otherwise undefined. */
export function powersOfTwo(values: readonly number[], maxTicks: number): number[] | undefined {
  const distinct = [...new Set(values)].sort((a, b) => a - b);
  if (distinct.length < 2 || !distinct.every((value) => Number.isInteger(Math.log2(value)))) return undefined;
  const step = Math.ceil(distinct.length / maxTicks);
  return distinct.filter((_, i) => i % step === 0);
}

/** Those of ascending `values` that are at least `gap` apart; always includes the last one. */
export function apart(values: readonly number[], gap: number): number[] {
  const ticks: number[] = [];
  for (const value of [...values].reverse()) if (ticks.length === 0 || ticks[0] - value >= gap) ticks.unshift(value);
  return ticks;
}

/**
 * Powers of ten; between them 2 and 5 times those, or every digit, or even steps if the axis is short. At most
 * `maxTicks`.
 */
export function logTicks(low: number, high: number, maxTicks: number): number[] {
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
  if (finest.length < 3) return evenSteps(low, high, maxTicks);
  const fitting = sets.find((set) => set.length <= maxTicks) ?? within([1]);
  // A single tick shows no scale.
  if (fitting.length < 2) return evenSteps(low, high, maxTicks);
  const step = Math.ceil(fitting.length / maxTicks);
  return fitting.filter((_, i) => i % step === 0);
}

/**
 * Multiples of 1, 2 or 5 times a power of ten: of the largest step that is wide enough, or of the next one if that
 * leaves only one tick.
 */
function evenSteps(low: number, high: number, maxTicks: number): number[] {
  const rough = (high - low) / Math.min(maxTicks, 5);
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
