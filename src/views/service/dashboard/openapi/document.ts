import * as z from 'zod';
import { apiErrorSchema } from '../api.ts';
import { nameOf, namedJsonSchemas, type Endpoint } from './endpoint.ts';

type Json = Readonly<Record<string, unknown>>;

/** As far as programs here look into it. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Json;
  readonly security: readonly Json[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>>; readonly securitySchemes: Json };
}

/** Errors that any request can get. */
const anyErrors = {
  401: 'The request has neither the token nor the cookie.',
  403: 'The request is addressed to another host, or comes from another site.',
  500: 'The dashboard failed.',
};
const checkedErrors = { 400: 'The request is wrong; `field` names where.' };

/**
 * OpenAPI 3.1 of these endpoints.
 * @param version - of Orbweaver.
 */
export function documentOf(endpoints: readonly Endpoint[], version: string): OpenApiDocument {
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[endpoint.method.toLowerCase()] = operationOf(endpoint);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Orbweaver dashboard', version,
      description: 'Runs of Orbweaver: listed, started, followed, steered and forked. The page uses this API alone.',
    },
    security: [{ token: [] }, { cookie: [] }],
    paths,
    components: {
      schemas: componentsOf(),
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The token in the URL that the dashboard prints.' },
        cookie: {
          type: 'apiKey', in: 'cookie', name: 'orbweaver-PORT',
          description: 'Set by the dashboard when that URL is opened; PORT is that of the dashboard.',
        },
      },
    },
  };
}

function operationOf({ summary, description, params, query, body, answer, errors }: Endpoint): Json {
  const { status = 200, type = 'application/json', schema } = answer;
  const isChecked = params !== undefined || query !== undefined || body !== undefined;
  const refused = { ...(isChecked && checkedErrors), ...anyErrors, ...errors };
  return {
    summary,
    ...(description !== undefined && { description }),
    ...((params ?? query) && { parameters: [...parametersOf('path', params), ...parametersOf('query', query)] }),
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body) } } } }),
    responses: {
      [status]: { description: answer.description, content: { [type]: schema ? { schema: schemaOf(schema) } : {} } },
      ...Object.fromEntries(Object.entries(refused).map(([code, text]) => [
        code, { description: text, content: { 'application/json': { schema: schemaOf(apiErrorSchema) } } },
      ])),
    },
  };
}

function parametersOf(place: 'path' | 'query', schema: z.ZodObject | undefined): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property as Json;
    return {
      name, in: place, required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }), schema: rest,
    };
  });
}

const refOf = (id: string): string => `#/components/schemas/${id}`;

function componentsOf(): Record<string, Json> {
  const schemas = Object.entries(namedJsonSchemas(refOf));
  // A component is known by its place in the document.
  const bare = (schema: Json): Json =>
    Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema' && key !== '$id'));
  return Object.fromEntries(schemas.map(([name, schema]) => [name, bare(schema)]));
}

function schemaOf(schema: z.ZodType): Json {
  return { $ref: refOf(nameOf(schema)) };
}
