import { timingSafeEqual } from 'node:crypto';
import { createServer as createProbe } from 'node:http';
import { createSecureContext } from 'node:tls';
import { ServerCredentials } from '@grpc/grpc-js';
import { createServer, ServerError, Status, type Server, type ServerMiddleware } from 'nice-grpc';
import { HealthDefinition, HealthServiceImpl, HealthState } from 'nice-grpc-server-health';
import { ServerReflection, ServerReflectionService } from 'nice-grpc-server-reflection';
import { InputError } from '../../../base/index.ts';
import { shippedPolicies, type Policy, type PolicyRegistry } from '../../../core/policy/index.ts';
import type { OptionValue } from '../../../core/settings/index.ts';
import { authority, listen } from '../listen.ts';
import { callsOf, servedService } from './calls.ts';
import { capacityOf, type Capacity } from './capacity.ts';
import type { CrawlParts } from './crawl/crawl.ts';
import { FrontierCounts, frontierMetrics } from './counts.ts';
import { FrontierStore } from './store/frontier-store.ts';
import { descriptorSet } from './protocol/descriptor.ts';
import { serviceName } from './protocol/schema.ts';
import { UrlFrontier } from './url-frontier.ts';

/** Where a frontier is, how it ranks, and who may reach it. */
export interface FrontierServerOptions {
  /** Folder of its store: taken up if there is one, else made. */
  readonly store: string;
  /** Name of the policy that ranks discovered URLs; `opic` by default. */
  readonly policy?: string | undefined;
  /** Settings of the policy; those left out have their defaults. */
  readonly options?: Readonly<Record<string, OptionValue>> | undefined;
  /** Where the policy is from; the policies of Orbweaver by default. */
  readonly policies?: PolicyRegistry | undefined;
  /** Root seed of what the policy draws; 1 by default. */
  readonly seed?: number | undefined;
  /** 127.0.0.1 by default. */
  readonly address?: string | undefined;
  /** 0, the default: a free one. */
  readonly port?: number | undefined;
  /** Certificate and private key of the server, PEM; without them it speaks plaintext. */
  readonly tls?: { readonly certificate: Buffer; readonly key: Buffer } | undefined;
  /** What clients must send as `authorization: Bearer TOKEN`. */
  readonly token?: string | undefined;
  /** The time, in milliseconds since 1970; by default that of the system when it starts, counted on from there. */
  readonly now?: (() => number) | undefined;
}

/** A URLFrontier server over a stored frontier. */
export class FrontierServer {
  /** Where it listens. */
  readonly address: string;
  /** The port, also if the system chose it. */
  readonly port: number;
  readonly #frontier: UrlFrontier;
  readonly #counts: FrontierCounts;
  readonly #server: Server;
  readonly #health: ReturnType<typeof HealthState>;

  /**
   * Opens the store, makes it if it is new, and listens.
   *
   * @param options - where it is, how it ranks, and who may reach it.
   * @returns the server, which serves until it is closed.
   * @throws InputError if the store cannot be used, the policy needs what a frontier does not have, certificate and key
   * are not such, or the port is not free; WorldError if the disk is full or fails.
   */
  static async listen(options: FrontierServerOptions): Promise<FrontierServer> {
    const { address = '127.0.0.1', now = steadyClock(), token, tls } = options;
    const ranking = policyMaker(options);
    // Before the store, which would stay behind.
    const credentials = credentialsOf(tls);
    let port = options.port ?? 0;
    await checkAddress(address, port);
    const store = await FrontierStore.open(options.store);
    try {
      const frontier = new UrlFrontier({ store, now, ...ranking });
      await frontier.clean();
      const counts = new FrontierCounts();
      const health = HealthState();
      const server = serverOf(token);
      server.add(servedService, callsOf(frontier, counts, () => authority(address, port)));
      server.add(HealthDefinition, HealthServiceImpl(health));
      server.add(ServerReflectionService, ServerReflection(descriptorSet(), [serviceName]));
      health.setStatus('healthy', serviceName);
      port = await server.listen(authority(address, port), credentials);
      return new FrontierServer(address, port, { frontier, counts, server, health });
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  /** @internal */
  private constructor(address: string, port: number, { frontier, counts, server, health }: {
    readonly frontier: UrlFrontier; readonly counts: FrontierCounts; readonly server: Server;
    readonly health: ReturnType<typeof HealthState>;
  }) {
    this.address = address;
    this.port = port;
    this.#frontier = frontier;
    this.#counts = counts;
    this.#server = server;
    this.#health = health;
  }

  /** How many further URLs fit, as far as can be said. */
  get capacity(): Capacity {
    return capacityOf(this.#frontier);
  }

  /** URLs, queues and crawls that it has. */
  get contents(): { readonly urls: number; readonly queues: number; readonly crawls: number } {
    const crawls = [...this.#frontier.crawls.values()];
    const queues = crawls.flatMap((crawl) => [...crawl.queues.values()]);
    return {
      urls: queues.reduce((sum, { active, done }) => sum + active + done, 0),
      queues: queues.filter(({ isEmpty }) => !isEmpty).length, crawls: crawls.length,
    };
  }

  /**
   * Its metrics for Prometheus.
   *
   * @returns them in the text format 0.0.4.
   */
  metrics(): string {
    return frontierMetrics(this.#counts, this.#frontier);
  }

  /**
   * Ends it. Calls that are open are cut; what was acknowledged is stored.
   *
   * @throws WorldError if the disk failed.
   */
  async close(): Promise<void> {
    this.#health.setStatus('unhealthy', serviceName);
    this.#server.forceShutdown();
    await this.#frontier.store.close();
  }
}

/** The system's time when the process started, counted on by its steady clock: later jumps do not touch it. */
function steadyClock(): () => number {
  const startedAtMs = Date.now() - performance.now();
  return () => startedAtMs + performance.now();
}

/** @throws InputError for a policy, or a setting of it, that there is not, or that a frontier cannot serve. */
function policyMaker({
  policy, policies = shippedPolicies, options = {}, seed = 1,
}: FrontierServerOptions): Pick<CrawlParts, 'makePolicy' | 'reinsert'> {
  const settings = policies.settings.parseLiveCrawl({ policy, policyOptions: { ...options }, seed });
  const { policy: name, policyOptions, reinsert } = settings;
  const missing = policies.factsOf(name)?.needs.find((need) => need === 'ranks' || need === 'scores');
  if (missing !== undefined)
    throw new InputError(
      `policy ${name}: needs the ${missing} of pages, which a frontier cannot know`, { field: 'policy' },
    );
  const makePolicy = (seedPages: number): Policy => policies.make(name, {
    processor: 0, processors: 1, seed, seedPages, pendingTarget: () => 1, reinsert, options: policyOptions,
  });
  return { makePolicy, reinsert };
}

function serverOf(token: string | undefined): Server {
  const server = createServer();
  return token === undefined ? server : server.use(tokenMiddleware(token));
}

/** Refuses whoever does not send the token; health is open, for probes. */
function tokenMiddleware(token: string): ServerMiddleware {
  const expected = Buffer.from(`Bearer ${token}`);
  return async function* (call, context) {
    const header = Buffer.from(context.metadata.get('authorization') ?? '');
    const isIn = header.length === expected.length && timingSafeEqual(header, expected);
    if (!isIn && !call.method.path.startsWith(`/${HealthDefinition.fullName}/`))
      throw new ServerError(Status.UNAUTHENTICATED, 'this frontier needs its token: authorization: Bearer TOKEN');
    return yield* call.next(call.request, context);
  };
}

/** @throws InputError if nothing can listen there, with the reason, which gRPC does not give. */
async function checkAddress(address: string, port: number): Promise<void> {
  const probe = createProbe();
  await listen(probe, address, port);
  await new Promise((resolve) => probe.close(resolve));
}

/** @throws InputError if these are no certificate and its private key. */
function credentialsOf(tls: FrontierServerOptions['tls']): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  const { certificate, key } = tls;
  try {
    createSecureContext({ cert: certificate, key });
  } catch (error) {
    throw new InputError(`TLS: must be a certificate and its private key, PEM: ${(error as Error).message}`);
  }
  return ServerCredentials.createSsl(null, [{ cert_chain: certificate, private_key: key }]);
}
