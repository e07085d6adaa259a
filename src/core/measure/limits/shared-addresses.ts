import type { GraphPages } from '../../../graphs/graph/index.ts';
import type { HostAddresses, OutcomeKind } from '../../world/index.ts';
import type { RunEvents } from '../record/events.ts';

/** An address that several hosts share, and what was asked there. */
export interface SharedAddress {
  readonly name: string;
  /** Those that answered. */
  readonly hosts: number;
  /** All its delays and downloads. */
  readonly busyUs: number;
  /** No crawl has these answers sooner: there is a delay after each. */
  readonly leastUs: number;
}

/** Failures that an address answered for sure: a name that cannot be resolved, say, has none. */
const answers: ReadonlySet<string> = new Set<OutcomeKind>(['notFound', 'serverError']);

/** The addresses at which at least two hosts answered; none where addresses have no delay. O(outcomes + hosts). */
export function sharedAddresses({ events, graph: { hosts }, addresses }: {
  readonly events: RunEvents; readonly graph: GraphPages; readonly addresses?: HostAddresses | undefined;
}): SharedAddress[] {
  if (addresses === undefined) return [];
  const { nameOf, delayUs, sharersOf } = addresses;
  const uses = new Map<string, { hosts: Set<number>; requests: number; downloadUs: number }>();
  const add = (page: number, us: number): void => {
    const host = hosts.ofPage[page];
    const name = nameOf(host);
    let address = uses.get(name);
    if (address === undefined) uses.set(name, (address = { hosts: new Set(), requests: 0, downloadUs: 0 }));
    address.hosts.add(host);
    address.requests++;
    address.downloadUs += us;
  };
  const { order, times } = events;
  for (let i = 0; i < order.length; i++) add(order[i], times[2 * i + 1] - times[2 * i]);
  for (const { page, kind, startedUs, finishedUs } of events.failures)
    if (answers.has(kind)) add(page, finishedUs - startedUs);
  const shared = [...uses].filter(([, address]) => address.hosts.size > 1);
  return shared.map(([name, { hosts: hostsThere, requests, downloadUs }]) => {
    // Each processor may begin with a request at once. A page is read and stored while its address rests already.
    const leastUs = Math.max(0, requests - sharersOf([...hostsThere][0])) * delayUs;
    return { name, hosts: hostsThere.size, busyUs: requests * delayUs + downloadUs, leastUs };
  });
}

/** As sentences name it. */
export function addressInWords({ name, hosts }: SharedAddress): string {
  return `${name} with its ${hosts} hosts`;
}
