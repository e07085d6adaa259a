import { resourceUsage } from 'node:process';

/** Peak memory of this process so far, including its threads. */
export function peakResidentBytes(): number {
  return 1024 * resourceUsage().maxRSS;
}
