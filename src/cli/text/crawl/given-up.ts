import type { HostGivenUpRow } from '../../../core/measure/index.ts';
import { counted } from '../figures.ts';
import { printableShort } from '../printable.ts';

const maxNamed = 3;

export function givenUpInWords(hosts: readonly HostGivenUpRow[]): string {
  const named = hosts.slice(0, maxNamed).map(({ name, reason }) => `${printableShort(name, 100)} (${reason})`);
  const more = hosts.length - named.length;
  const list = [...named, ...(more > 0 ? [counted(more, 'other')] : [])].join(', ');
  return `${counted(hosts.length, 'host')} could not be reached and ${hosts.length === 1 ? 'was' : 'were'} given up: ${list}`;
}
