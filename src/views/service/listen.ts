import type { Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { InputError } from '../../base/index.ts';

/** Resolves when `server` listens. @throws InputError if the system does not provide this address or port. */
export async function listen(server: Server, address: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new InputError(`${authority(address, port)}: ${refusal(error)}`)));
    server.listen({ host: address, port }, resolve);
  });
  server.removeAllListeners('error');
}

/** As spelled in URLs. */
export function authority(address: string, port: number): string {
  return `${isIPv6(address) ? `[${address}]` : address}:${port}`;
}

/** Whether a Host header names this machine's loopback, with any port. */
export function isLoopbackName(host: string | undefined): boolean {
  return /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d{1,5})?$/i.test(host ?? '');
}

/** Why a server cannot listen. */
export function refusal({ code, message }: NodeJS.ErrnoException): string {
  switch (String(code)) {
    case 'EADDRINUSE':
      return 'is in use; name another port, or none';
    case 'EACCES':
      return 'cannot be listened on: permission denied';
    case 'EADDRNOTAVAIL':
      return 'is not an address of this machine';
    default:
      return `cannot be listened on: ${message}`;
  }
}
