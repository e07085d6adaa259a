import type { Consequence, Plan, Trial } from '../../../questions/plan/index.ts';
import { limitNoun, type LimitKind } from '../../../core/measure/index.ts';
import { percent } from '../figures.ts';

// What limits the best set-up of a plan: what the counts of its run name, as far as the runs with a change agree.

/** Changes of a plan, in words. */
export const changeNames: Readonly<Record<Consequence['name'], string>> = {
  oneMoreMachine: 'one more machine', twiceTheRobots: 'twice the robots per machine',
  twiceTheBandwidth: 'twice the bandwidth of machines', halfTheDelay: 'half the delay of hosts',
  moreTime: 'as much time as it needs', knownRanks: 'policy pagerank, which knows the ranks beforehand (only a bound)',
  knownSizes: 'partition lpt, which knows the hosts beforehand (only a bound)',
};

/** The limits of which a plan runs more. */
const changeOf: Partial<Record<LimitKind, Consequence['name']>> = {
  robots: 'twiceTheRobots', politeness: 'halfTheDelay', processorBandwidth: 'twiceTheBandwidth',
};
/** A change that brings less than this share of time, or of rank, does not count. */
const leastGain = { cost: 0.05, rank: 0.01 } as const;
/** A change with this share of the best gain is as good. */
const nearlyBest = 0.5;

/** The settings that a plan varies and that may limit a crawl. */
const limiting = [
  ['robots', 'robots', 'more robots'], ['superstepLimit', 'superstepLimit', 'a larger R_x'],
  ['pendingJobs', 'pending', 'more pending jobs'],
] as const;

/**
 * What limits the best set-up. Where the plan has run more of what its counts name, and that brings little, or less
 * than half of what another change does, the runs are right. Of a setting that the plan itself chose, that more of it
 * was no better.
 */
export function limitsInWords(plan: Plan): string {
  const { best, runs, ladders, objective } = plan;
  const base = runs.find(({ id }) => id === best.runs[0])!;
  const { limitKinds } = base;
  const limits = agreed(plan, base);
  const tried = limiting.flatMap(([kind, setting, words]) => {
    const value = best.setUp[setting];
    return limitKinds.includes(kind) && value !== undefined && ladders[setting].some((other) => (other ?? 0) > value)
      ? [words] : [];
  });
  if (tried.length === 0) return limits;
  const gain = objective.kind === 'rank' ? 'gathered more rank' : 'was cheaper';
  return `${limits} With ${tried.join(' or ')}, no set-up that was tried ${gain}.`;
}

/** The limits by the counts and by the runs with a change; only by the runs where they contradict the counts. */
function agreed({ best: { limits }, whatIf, objective: { kind } }: Plan, base: Trial): string {
  const { limitKinds } = base;
  // Nothing is no measure of more.
  if ((kind === 'rank' ? base.rank : base.progress) === 0) return limits;
  const runs = whatIf.filter(({ name }) => Object.values(changeOf).includes(name))
    .map((after) => ({ name: after.name, gain: gainOf(kind, base, after) }))
    .sort((a, b) => b.gain - a.gain);
  const ofNamed = limitKinds.flatMap((limit) => runs.find(({ name }) => name === changeOf[limit]) ?? []);
  if (runs.length === 0) return limits;
  const [best] = runs;
  const least = leastGain[kind];
  const more = kind === 'rank' ? 'more rank' : 'more speed';
  const most = `${changeNames[best.name]} brings ${percent(best.gain)} ${more}`;
  if (ofNamed.length === 0) return best.gain < least ? limits : `${limits} Of what was run, ${most}.`;
  if (ofNamed.every(({ gain }) => gain >= least) && ofNamed.some(({ gain }) => gain >= nearlyBest * best.gain))
    return limits;
  const names = runs.map(({ name }) => changeNames[name]);
  const main = best.gain >= least
    ? `Of what may limit this crawl and was run, ${most}, the most.`
    : `Nothing that was run stands out: ${listed(names)} brings less than ${percent(least)}.`;
  const others = limitKinds.filter((limit) => !ofNamed.some(({ name }) => name === changeOf[limit]));
  return others.length === 0 ? main : `${main} The counts of its run name ${listed(others.map(limitNoun))} too.`;
}

function listed(names: readonly string[]): string {
  return names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} or ${names.at(-1)!}`;
}

/** How much faster the goal is met, or how much more of it, or more rank. */
function gainOf(kind: Plan['objective']['kind'], base: Trial, after: Consequence): number {
  if (kind === 'rank') return after.rank / base.rank - 1;
  if (base.isReached && after.isReached) return base.seconds / after.seconds - 1;
  return (after.isReached ? 1 : after.progress) / (base.isReached ? 1 : base.progress) - 1;
}
