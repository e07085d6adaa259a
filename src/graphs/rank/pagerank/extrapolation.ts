/**
 * Reduced rank extrapolation (Mesina 1977; Eddy 1979; Sidi, Ford & Smith, "Acceleration of Convergence of Vector
 * Sequences", SIAM J. Numer. Anal. 23(1), 1986). Of the means of the last iterates, weights summing to 1, it takes the
 * one whose difference, the same mean of the differences, is least in the 2-norm. On a linear iteration that removes
 * the slowest parts of the error.
 *
 * @param gram - products of the differences, `stride` in a row; only the lower half is read.
 * @param count - how many of them take part.
 * @returns `weights`: what to subtract from the newest iterate, weights[i] times difference i for each; and `left`, the
 * 2-norm of the mean difference in units of the newest one's. undefined if the equations are singular beyond repair,
 * for instance because nothing changes any more.
 */
export function extrapolation(
  gram: ArrayLike<number>, stride: number, count = stride,
): { weights: Float64Array; left: number } | undefined {
  // The least of |sum of w[i] difference[i]|^2 with sum(w) = 1 solves gram * w = 1, but for a factor. The diagonal is
  // raised a little, so that nearly parallel differences do not get huge weights.
  const rows = Array.from({ length: count }, (_, i) =>
    Array.from({ length: count + 1 }, (_, j) =>
      j === count ? 1 : i === j ? gram[i * stride + i] * (1 + 1e-11) : gram[Math.max(i, j) * stride + Math.min(i, j)],
    ),
  );
  for (let column = 0; column < count; column++) {
    let pivot = column;
    for (let row = column; row < count; row++)
      if (Math.abs(rows[row][column]) > Math.abs(rows[pivot][column])) pivot = row;
    [rows[column], rows[pivot]] = [rows[pivot], rows[column]];
    for (let row = 0; row < count; row++) {
      if (row === column) continue;
      const times = rows[row][column] / rows[column][column];
      for (let k = column; k <= count; k++) rows[row][k] -= times * rows[column][k];
    }
  }
  const means = rows.map((row, i) => row[count] / row[i]);
  const sum = means.reduce((total, mean) => total + mean, 0);
  // The mean of the iterates AFTER each difference, seen from the newest: iterate i + 1 lacks all differences after i.
  const weights = new Float64Array(count);
  for (let i = 1; i < count; i++) weights[i] = weights[i - 1] + means[i - 1] / sum;
  // The means solve gram * means = 1, so that 1 / sum is the square of what they leave.
  const left = Math.sqrt(1 / sum / gram[(count - 1) * (stride + 1)]);
  return weights.every(Number.isFinite) ? { weights, left } : undefined;
}
