import { packageVersion } from '../../../base/index.ts';
import type { LiveSettings } from '../settings.ts';

/** The program and its version, by which archives name their producer. */
export const software = (): string => `orbweaver/${packageVersion()}`;

/** The User-Agent of every request. */
export function userAgent({ agent, contact }: LiveSettings): string {
  return `${agent}/${packageVersion()} (+${contact})`;
}
