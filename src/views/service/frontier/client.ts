import { ChannelCredentials, createChannel, createClient, Metadata } from 'nice-grpc';
import { urlFrontierService, type URLFrontierClient } from './protocol/service.ts';

/** Where a frontier is. */
export interface FrontierAt {
  /** HOST:PORT. */
  readonly address: string;
  /** What it is sent as `authorization: Bearer TOKEN`. */
  readonly token?: string | undefined;
  /** The certificate that it must have, PEM; without it the connection is plaintext. */
  readonly certificate?: Buffer | undefined;
}

/** A connection to a frontier, of whatever make. */
export interface FrontierConnection {
  /** The 19 calls. */
  readonly calls: URLFrontierClient;
  /** Ends it; calls under way are cut. */
  readonly close: () => void;
}

/**
 * A client of a URLFrontier server. It connects with its first call; calls fail with a ClientError of `nice-grpc`.
 *
 * @param at - where the frontier is.
 * @returns the connection, to be closed.
 * @throws Error for a certificate that is not one.
 */
export function connectFrontier(at: FrontierAt): FrontierConnection {
  const { address, token, certificate } = at;
  const credentials = certificate === undefined
    ? ChannelCredentials.createInsecure()
    : ChannelCredentials.createSsl(certificate);
  const channel = createChannel(address, credentials);
  const metadata = new Metadata(token === undefined ? {} : { authorization: `Bearer ${token}` });
  const calls = createClient(urlFrontierService, channel, { '*': { metadata } });
  return { calls, close: () => { channel.close(); } };
}
