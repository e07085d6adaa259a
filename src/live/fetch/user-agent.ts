import { createRequire } from 'node:module';
import type { LiveSettings } from '../settings.ts';

const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };

/** The program and its version, by which archives name their producer. */
export const software = `orbweaver/${version}`;

/** The User-Agent of every request. */
export function userAgent({ agent, contact }: LiveSettings): string {
  return `${agent}/${version} (+${contact})`;
}
