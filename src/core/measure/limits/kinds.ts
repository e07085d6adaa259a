/**
 * What a crawl can wait for. `politeness`: the delays of hosts. `robots`: all robots download. `superstepLimit`: R_x is
 * reached. `pendingJobs`: robots are idle while queued pages are of hosts without a job. `processorBandwidth`,
 * `hostBandwidth`: downloads wait for bytes. `barriers`: their price, and pages found that wait for the next one.
 * `frontier`: no page is known that is not being fetched. `retries`: hosts that back off after failures or asked for
 * a pause.
 */
export const limitKinds = [
  'politeness', 'robots', 'superstepLimit', 'pendingJobs', 'processorBandwidth', 'hostBandwidth', 'barriers',
  'frontier', 'retries',
] as const;
export type LimitKind = (typeof limitKinds)[number];
