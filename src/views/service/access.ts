import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import fastify, {
  type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, type FastifyServerOptions,
} from 'fastify';
import { InputError } from '../../base/index.ts';
import { authority, refusal } from './listen.ts';

/** Random bytes of a token; as base64url it has 43 characters. */
const TOKEN_BYTES = 32;

/** What the page may load and do: its own files, and requests to its own server. */
function pagePolicy(formAction: string): string {
  return [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data: blob:",
    "worker-src 'self'", `form-action ${formAction}`, "base-uri 'none'", "frame-ancestors 'none'",
  ].join('; ');
}

export interface AccessOptions {
  /** What is served, in messages: `the dashboard`. */
  readonly what: string;
  /** The command that printed the URL. */
  readonly command: string;
  /** Whether the answer to a wrong request names its field. */
  readonly namesFields?: true;
  /** Where forms of the page may lead: `'none'` or `'self'`, with the quotes. */
  readonly formAction: string;
}

/** Where a server is. */
export interface Listening {
  /** 127.0.0.1 unless the user asks for another. */
  readonly address?: string | undefined;
  /** 0: a free one. */
  readonly port?: number | undefined;
}

/**
 * Who may use the server: whoever opened the URL with its token, which is exchanged for a cookie, and programs that
 * send the token. Loopback alone is no protection, for other users of the machine and any page in the user's browser
 * reach it too; hence also the checks of Host (rebound names) and of Origin (other sites).
 */
export class Access {
  readonly token = randomBytes(TOKEN_BYTES).toString('base64url');
  readonly #session = randomBytes(TOKEN_BYTES).toString('base64url');
  readonly #options: AccessOptions;
  #authorities: readonly string[] = [];

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  /**
   * Listens.
   *
   * @returns the URL that lets in who opens it.
   * @throws InputError if the port is not free.
   */
  async open(app: FastifyInstance, { address = '127.0.0.1', port = 0 }: Listening): Promise<string> {
    try {
      await app.listen({ host: address, port });
    } catch (error) {
      await app.close();
      throw new InputError(`${authority(address, port)}: ${refusal(error as NodeJS.ErrnoException)}`);
    }
    const { port: listening } = app.server.address() as AddressInfo;
    this.#authorities = [address, 'localhost', '127.0.0.1', '::1'].map((host) => authority(host, listening));
    return `http://${authority(address, listening)}/?token=${this.token}`;
  }

  /** A server that checks the rights of each request, and answers errors as JSON. */
  app(options: FastifyServerOptions): FastifyInstance {
    const { what, namesFields } = this.#options;
    const app: FastifyInstance = fastify({ ...options, forceCloseConnections: true });
    this.#guard(app);
    app.setErrorHandler(async (error: FastifyError, _request, reply) => {
      if (error instanceof InputError)
        return reply.code(400).send({ error: error.message, ...(namesFields && { field: error.field }) });
      const status = error.statusCode ?? 500;
      const message = status < 500 ? error.message : `${what} failed: ${error.message}`;
      return reply.code(status).send({ error: message });
    });
    app.setNotFoundHandler(async ({ method, url }, reply) =>
      reply.code(404).send({ error: `there is no ${method} ${url}` }));
    return app;
  }

  #guard(app: FastifyInstance): void {
    const policy = pagePolicy(this.#options.formAction);
    app.addHook('onRequest', async (request, reply) => {
      void reply.headers({
        'Content-Security-Policy': policy, 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer',
        'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Resource-Policy': 'same-origin',
        'Cache-Control': 'no-store',
      });
      // Some parsers take what follows the slashes for a host.
      if (!/^\/(?![/\\])/.test(request.url))
        return reply.code(404).send({ error: `there is no ${request.method} ${request.url}` });
      const refusal = this.#refusal(request);
      if (refusal !== undefined) return reply.code(refusal.status).send({ error: refusal.error });
      return this.#isIn(request) ? undefined : this.#letIn(request, reply);
    });
  }

  #refusal({ headers, method }: FastifyRequest): { status: number; error: string } | undefined {
    if (!this.#authorities.includes((headers.host ?? '').toLowerCase()))
      return { status: 403, error: `host ${headers.host ?? '(none)'}: ${this.#options.what} is at ${this.#authorities[0]}` };
    const { origin } = headers;
    const isOwn = origin !== undefined && this.#authorities.some((authority) => origin === `http://${authority}`);
    const isForeign = !['same-origin', 'none', undefined].includes(headers['sec-fetch-site']);
    if ((origin !== undefined && !isOwn) || (isForeign && method !== 'GET'))
      return { status: 403, error: 'the request comes from another site' };
    return undefined;
  }

  /** Whether a request carries the cookie, or the token. */
  #isIn(request: FastifyRequest): boolean {
    const { authorization = '', cookie = '' } = request.headers;
    if (isSame(authorization, `Bearer ${this.token}`)) return true;
    return cookie.split(';').some((part) => isSame(part.trim(), `${this.#cookieName}=${this.#session}`));
  }

  /** The opened URL: its token becomes a cookie, and leaves the address bar. */
  async #letIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const [path, query = ''] = request.url.split(/\?(.*)/s);
    const token = new URLSearchParams(query).get('token') ?? '';
    const isOpened = request.method === 'GET' && path === '/' && isSame(token, this.token);
    if (!isOpened)
      return reply.code(401).send({ error: `open the URL that ${this.#options.command} printed: it contains a token` });
    return reply
      .header('Set-Cookie', `${this.#cookieName}=${this.#session}; Path=/; HttpOnly; SameSite=Strict`)
      .redirect('/', 303);
  }

  /** Cookies do not distinguish ports: two dashboards need two names. */
  get #cookieName(): string {
    return `orbweaver-${this.#authorities[0]?.split(':').at(-1) ?? ''}`;
  }
}

/** Compares in a time that does not depend on the first difference. */
function isSame(first: string, other: string): boolean {
  const [a, b] = [Buffer.from(first), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
