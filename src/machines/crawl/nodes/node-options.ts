import type { LogOptions, MemberClock, Meeting } from '../../cluster/index.ts';
import { InputError } from '../../../base/index.ts';
import type { LiveSettings } from '../../../core/live/index.ts';
import type { LiveCrawlSettings } from '../../../core/settings/index.ts';

/** The part of this machine in a crawl on several. */
export interface NodeOptions extends Pick<LogOptions, 'node' | 'nodes' | 'onIdle'> {
  readonly meeting: Meeting;
  /** Called when all nodes have agreed where to go on, with the superstep. */
  readonly onAgreed?: ((superstep: number, epoch: number) => void) | undefined;
  /**
   * Called when supersteps have turned out to be shorter than the nodes need for one: the clock of the crawl falls
   * behind, and the crawl does not end. With the milliseconds that a superstep takes, and that the clock is behind.
   */
  readonly onBehind?: ((superstepMs: number, behindMs: number) => void) | undefined;
  /** A clock for leases; the system's by default. */
  readonly clock?: MemberClock | undefined;
}

/** What a node's folder says of its part. */
export interface StoredNode extends Pick<NodeOptions, 'node' | 'nodes'> {
  readonly id: string;
}

interface NodeSettings {
  readonly experiment: LiveCrawlSettings;
  readonly live: LiveSettings;
}

/** @throws InputError for a node that there is not, and for settings that cannot hold on several machines. */
export function checkNode(
  { node, nodes }: Pick<NodeOptions, 'node' | 'nodes'>,
  { experiment, live }: NodeSettings,
): void {
  const refused = (field: string, message: string): InputError => new InputError(message, { field });
  if (node >= nodes) throw refused('node', `node ${node}: nodes are numbered from 0 to ${nodes - 1}`);
  const { processors, partition } = experiment;
  if (nodes > processors)
    throw refused('nodes', `${nodes} nodes: each needs a processor, and there are ${processors}`);
  const never = (field: string, why: string): InputError => refused(field, `${field}: not on several nodes: ${why}`);
  if (partition === 'lpt') throw never('partition', 'lpt needs the pages of all hosts; use host-hash');
  if (live.contentSeen) throw never('live.contentSeen', 'a node does not know the bodies that others have fetched');
}

/**
 * How long hosts and addresses may still rest when a process takes over from another one, milliseconds; longer rests
 * of hosts, which asked for them or failed, are in the store.
 */
export function longestDelayMs({ experiment, live }: NodeSettings): number {
  return Math.max(experiment.politenessMs, live.addressDelayMs);
}
