import type { Frontier } from '../frontier/index.ts';
import type { Outcome, World } from '../world/index.ts';

/**
 * Ends pages that rules deny: they cost no robot, no time and no turn of their hosts, and count towards no limit.
 * @param most how many are ended in one go.
 * @param sequence the number of the first start.
 * @param onOutcome called with each outcome, before the frontier processes it.
 * @returns whether there may be more.
 */
export function endDenied(
  frontier: Frontier, world: World, most: number, sequence: number, onOutcome: (outcome: Outcome) => void,
): boolean {
  const denied = frontier.takeDenied(most);
  for (const local of denied) {
    const attempt = frontier.attemptsOf(local);
    const outcome = world.deny?.({ page: frontier.states.pageAt(local), sequence, attempt });
    if (outcome === undefined) {
      frontier.admit(local);
      continue;
    }
    sequence++;
    onOutcome(outcome);
    frontier.completeDenied(outcome);
  }
  return denied.length === most;
}
