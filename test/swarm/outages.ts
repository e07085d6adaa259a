import type { Outcome } from '../../src/core/world/index.ts';

// Whose failure an outcome is, in the plainest way: all contacts are remembered, and the answers found by looking
// through them. A simulated host fails by `unreachable` alone.

interface Contact {
  readonly host: number;
  readonly page: number;
  readonly atUs: number;
  readonly what: 'answer' | 'soft' | 'hard';
}

/** The contacts of a processor with its hosts, in order; it can be cloned. */
export interface Contacts {
  readonly all: Contact[];
  /** By host: from when on its failures count, as outages of the network moved it. */
  readonly sinceUs: Map<number, number>;
  readonly givenUp: Set<number>;
}

export const noContacts = (): Contacts => ({ all: [], sinceUs: new Map(), givenUp: new Set() });

/** Failures of a host since its last answer, in order. */
function failuresOf({ all }: Contacts, host: number): Contact[] {
  const own = all.filter((contact) => contact.host === host);
  return own.slice(own.findLastIndex(({ what }) => what === 'answer') + 1);
}

/** Hosts that had answered, and whose failures all came after the last answer of any host. */
function fallen(contacts: Contacts): Contact[] {
  const { all, givenUp } = contacts;
  const lastAnswer = all.findLastIndex(({ what }) => what === 'answer');
  const hosts = new Set(all.slice(lastAnswer + 1).map(({ host }) => host).filter((host) => !givenUp.has(host)));
  return [...hosts]
    .filter((host) => all.some((contact) => contact.host === host && contact.what === 'answer'))
    .map((host) => failuresOf(contacts, host)[0])
    .filter((first) => all.indexOf(first) > lastAnswer)
    .sort((a, b) => all.indexOf(a) - all.indexOf(b));
}

/** Hosts that fail now. */
export function failing(contacts: Contacts): number {
  const hosts = new Set(contacts.all.map(({ host }) => host));
  return [...hosts].filter((host) => !contacts.givenUp.has(host) && failuresOf(contacts, host).length > 0).length;
}

/** Remembers an outcome. @returns whether it is its host's failure, and not its page's. */
export function contacted(
  contacts: Contacts, host: number, { page, kind, hostTrouble, finishedAtUs: atUs }: Outcome,
): boolean {
  if (kind === 'robotsDenied') return false;
  if (hostTrouble === undefined && kind !== 'timeout' && kind !== 'refused') {
    const down = fallen(contacts);
    contacts.sinceUs.delete(host);
    if (down.length >= 3) {
      for (const [other, sinceUs] of contacts.sinceUs)
        contacts.sinceUs.set(other, sinceUs + atUs - Math.max(sinceUs, down[0].atUs));
    }
    contacts.all.push({ host, page, atUs, what: 'answer' });
    return false;
  }
  contacts.all.push({ host, page, atUs, what: hostTrouble === undefined ? 'soft' : 'hard' });
  const failures = failuresOf(contacts, host);
  if (failures.length === 1) contacts.sinceUs.set(host, atUs);
  return failures.some((failure) => failure.what === 'hard' || failure.page !== failures[0].page);
}

/**
 * What is left of the patience after a failure of the host; undefined if it is given up.
 * @param hostsUp hosts with jobs that do not fail.
 */
export function patienceLeftUs(
  contacts: Contacts, host: number, { finishedAtUs, waitUs }: Outcome, patienceUs: number, hostsUp: number,
): number | undefined {
  const down = fallen(contacts);
  if (down.length >= 3 && down.length >= hostsUp && finishedAtUs - down[0].atUs <= 86_400e6) return Infinity;
  const leftUs = contacts.sinceUs.get(host)! + patienceUs - finishedAtUs;
  const hasAnswered = contacts.all.some((contact) => contact.host === host && contact.what === 'answer');
  return leftUs <= 0 || (waitUs > patienceUs && !hasAnswered) ? undefined : leftUs;
}

/** How long a host rests at least after its failures in a row. */
export function leastRestUs(contacts: Contacts, host: number, patienceUs: number): number {
  return Math.round(patienceUs * Math.min(0.2, 2 ** (failuresOf(contacts, host).length - 1) / 1000));
}

export function giveUp(contacts: Contacts, host: number): void {
  contacts.givenUp.add(host);
  contacts.sinceUs.delete(host);
}
