import { resourceUsage } from 'node:process';

/** The most memory that this process has had so far, its threads included. */
export function peakResidentBytes(): number {
  return 1024 * resourceUsage().maxRSS;
}
