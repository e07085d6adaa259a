import type { Trial } from './trials/trials.ts';

/** Shares of the candidates that stay in the race: for the rank gathered so far, and for the rate of gathering. */
const keptForProgress = 1 / 4;
const keptForRate = 1 / 12;
/** Before the whole runs, the best of a group that is this far behind, in what it has and in what it gathers, ends. */
const hopeless = 1 / 3;

/**
 * Who goes on from a round: those with the most progress, those that gather fastest in the last half of the time, and
 * the best of each group; from the last round only if it is not hopeless.
 * @param groupOf the group of a trial: its policy.
 */
export function survivors(
  trials: readonly Trial[], groupOf: (trial: Trial) => string, isLastRound: boolean,
): Trial[] {
  // Runs of a group that are equal so far are one candidate: the first, which is nearest to the rules.
  const names = new Set<string>();
  const distinct = trials.filter((trial) => {
    const key = `${groupOf(trial)} ${trial.replayHash}`;
    return !names.has(key) && names.add(key);
  });
  const rate = ({ progress, progressAtHalf, seconds }: Trial): number => (progress - progressAtHalf) / seconds;
  // Those that have the goal are ahead of all, the soonest first.
  const byProgress = [...distinct].sort((a, b) => b.progress - a.progress || a.seconds - b.seconds || a.id - b.id);
  const byRate = [...distinct].sort((a, b) => rate(b) - rate(a) || a.id - b.id);
  const going = new Set([
    ...byProgress.slice(0, Math.ceil(keptForProgress * distinct.length)),
    ...byRate.slice(0, Math.ceil(keptForRate * distinct.length)),
  ]);
  const groups = new Set<string>();
  for (const trial of byProgress) {
    if (groups.has(groupOf(trial))) continue;
    groups.add(groupOf(trial));
    const isBehind = trial.progress < hopeless * byProgress[0].progress && rate(trial) < hopeless * rate(byRate[0]);
    if (!(isLastRound && isBehind)) going.add(trial);
  }
  return distinct.filter((trial) => going.has(trial));
}
