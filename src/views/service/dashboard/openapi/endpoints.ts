import type { FastifyInstance, FastifyReply } from 'fastify';
import type * as z from 'zod';
import { InputError } from '../../../../base/index.ts';
import type { Asked, Endpoint } from './endpoint.ts';
import { documentOf, type OpenApiDocument } from './document.ts';

/** The API of a server: an endpoint that is added has a route, and a place in the document. */
export class Endpoints {
  readonly #app: FastifyInstance;
  readonly #added: Endpoint[] = [];

  constructor(app: FastifyInstance) {
    this.#app = app;
  }

  /**
   * @param answer - gets the checked request; its result is sent with the status of the endpoint. Undefined: there is
   * no such run, or no such file of it.
   */
  add<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
    endpoint: Endpoint<P, Q, B>, answer: (request: Asked<P, Q, B>, reply: FastifyReply) => unknown,
  ): void {
    const { method, path: url, params, query, body, answer: { status = 200 } } = endpoint;
    this.#added.push(endpoint);
    this.#app.route({
      method, url,
      handler: async (request, reply) => {
        void reply.code(status);
        const result = await answer({
          params: (params && checked(params, request.params)) as z.output<P>,
          query: (query && checked(query, request.query)) as z.output<Q>,
          body: (body && checked(body, request.body)) as z.output<B>,
        }, reply);
        if (result !== undefined) return result;
        const { id } = request.params as { readonly id?: string };
        return reply.code(404).send({ error: `there is no run ${id}, or no such file of it` });
      },
    });
  }

  /** OpenAPI 3.1, of all that were added. */
  document(version: string): OpenApiDocument {
    return documentOf(this.#added, version);
  }
}

/** @throws InputError naming the field. */
function checked<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue.path.join('.');
  throw new InputError(`${field || 'the request'}: ${issue.message}`, { field });
}
