import * as z from 'zod';

const names = z.registry<{ readonly id: string }>();

/** Gives a schema a name in the document of the API. Every body and answer needs one; parts of them may have one. */
export function named<S extends z.ZodType>(id: string, schema: S): S {
  names.add(schema, { id });
  return schema;
}

/** The named schemas, as JSON Schemas that refer to each other by `uri`. */
export function namedJsonSchemas(uri: (id: string) => string): Record<string, Readonly<Record<string, unknown>>> {
  return z.toJSONSchema(names, { uri }).schemas;
}

/** @throws Error if it has none. */
export function nameOf(schema: z.ZodType): string {
  const id = names.get(schema)?.id;
  if (id === undefined) throw new Error('a body or answer of the API has no name');
  return id;
}

type Immutable<T> = T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T;
/** What an answer with this schema is. */
export type Answered<S extends z.ZodType> = Immutable<z.output<S>>;

/** What an endpoint answers if all is well. */
export interface EndpointAnswer {
  /** 200 if it is left out. */
  readonly status?: 200 | 201;
  readonly description: string;
  /** Media type; JSON if it is left out. */
  readonly type?: string;
  /** The schema of the answer, or of each event of a stream; undefined if it is not JSON. */
  readonly schema?: z.ZodType;
}

/** An endpoint of the API: what its route checks, and what the document of the API says of it. */
export interface Endpoint<
  P extends z.ZodObject = z.ZodObject, Q extends z.ZodObject = z.ZodObject, B extends z.ZodType = z.ZodType,
> {
  readonly method: 'GET' | 'POST';
  /** With `:name` for what `params` has. */
  readonly path: string;
  /** One sentence without a full stop. */
  readonly summary: string;
  readonly description?: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly answer: EndpointAnswer;
  /** Errors of this endpoint by their status; errors that any request can get are left out. */
  readonly errors?: Readonly<Record<number, string>>;
}

/** Returns its argument: the compiler infers the types. */
export function endpoint<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
  described: Endpoint<P, Q, B>,
): Endpoint<P, Q, B> {
  return described;
}

/** What was asked of an endpoint, checked. */
export interface Asked<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType> {
  readonly params: z.output<P>;
  readonly query: z.output<Q>;
  readonly body: z.output<B>;
}
