import type { FastifyInstance, FastifyReply } from 'fastify';
import type * as z from 'zod';
import { checked } from '../requests.ts';
import type { Asked, Endpoint } from './endpoint.ts';
import { documentOf, type OpenApiDocument } from './document.ts';

/** The API of a server: an endpoint that is added has a route, and a place in the document. */
export class Endpoints {
  readonly #app: FastifyInstance;
  readonly #added: Endpoint[] = [];

  constructor(app: FastifyInstance) {
    this.#app = app;
  }

  /** @param answer - gets what was asked, checked; what it returns is sent with the status of the endpoint. */
  add<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
    endpoint: Endpoint<P, Q, B>, answer: (request: Asked<P, Q, B>, reply: FastifyReply) => unknown,
  ): void {
    const { method, path: url, params, query, body, answer: { status = 200 } } = endpoint;
    this.#added.push(endpoint);
    this.#app.route({
      method, url,
      handler: async (request, reply) => {
        void reply.code(status);
        return answer({
          params: (params && checked(params, request.params)) as z.output<P>,
          query: (query && checked(query, request.query)) as z.output<Q>,
          body: (body && checked(body, request.body)) as z.output<B>,
        }, reply);
      },
    });
  }

  /** OpenAPI 3.1, of all that were added. */
  document(version: string): OpenApiDocument {
    return documentOf(this.#added, version);
  }
}
