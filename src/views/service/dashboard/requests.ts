import type { FastifyReply } from 'fastify';
import type * as z from 'zod';
import { InputError } from '../../../base/index.ts';

/** The answer where a run or a file of it is not there. */
export function unknown(reply: FastifyReply, id: string): FastifyReply {
  return reply.code(404).send({ error: `there is no run ${id}, or no such file of it` });
}

/** @throws InputError naming the field. */
export function checked<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue.path.join('.');
  throw new InputError(`${field || 'the request'}: ${issue.message}`, { field });
}
