import type { BenchReport } from '../../src/questions/bench/index.ts';

export function printReport({ machine, cases }: BenchReport): void {
  console.log(machine);
  const cell = (value: number): string => value.toFixed(value < 10 ? 2 : 0).padStart(8);
  for (const { name, median, min, max, unit, versus, ratio } of cases) {
    console.log(`${name.padEnd(46)}${cell(median)} ${unit}   (${cell(min)} to${cell(max)})`);
    if (ratio !== undefined)
      console.log(
        `    ${versus} takes ${ratio.median.toFixed(2)} times as long (${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)})`,
      );
  }
}
