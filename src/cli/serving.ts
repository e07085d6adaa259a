import { BlockList, isIP } from 'node:net';
import { InputError } from '../base/index.ts';
import { remark } from './text/output.ts';
import { printableShort } from './text/printable.ts';

/**
 * The address that `--listen` names; warns if others can reach it.
 * @param what the words for the service in the warning.
 * @throws InputError for an invalid address.
 */
export function listenAddress(text = '127.0.0.1', what = 'everything served there'): string {
  if (isIP(text) === 0)
    throw new InputError(`--listen ${printableShort(text) || "''"}: must be an IP address, such as 127.0.0.1`);
  const loopback = new BlockList();
  loopback.addSubnet('127.0.0.0', 8);
  loopback.addAddress('::1', 'ipv6');
  if (!loopback.check(text, isIP(text) === 6 ? 'ipv6' : 'ipv4'))
    remark(`warning: other machines can reach ${text} and ${what}`);
  return text;
}

/**
 * Resolves when the process is asked to end. That is how a server normally ends, so the exit code is not that of a
 * fault.
 */
export function endSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(undefined));
  });
}
