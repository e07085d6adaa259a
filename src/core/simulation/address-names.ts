import { DrawStream } from '../../base/index.ts';

/**
 * The address of each host, as a name: hosts are spread over so many addresses that each has `hostsPerAddress` on
 * average; of 1, each has its own. Drawn by host, so that partitions and Worlds agree.
 */
export function addressNames(hosts: number, hostsPerAddress: number, seed: number): (host: number) => string {
  if (hostsPerAddress === 1) return (host) => `address ${host}`;
  const draws = new DrawStream(seed, 'address');
  const addresses = Math.max(1, Math.round(hosts / hostsPerAddress));
  return (host) => `address ${Math.floor(draws.uniform(host) * addresses)}`;
}
