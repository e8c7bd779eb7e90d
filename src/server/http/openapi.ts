import { z } from 'zod';
import type { EndpointShape } from '#contract/endpoint.ts';
import { USER_ID_HEADER } from '#contract/limits.ts';
import { isMessageKey, say } from '#contract/messages.ts';

type Json = Record<string, unknown>;

/** The contract as an OpenAPI 3.1 document. */
export const openapi = (endpoints: readonly EndpointShape[], version: string): Json => {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tollgate',
      version,
      description: 'The control plane: accounts, channels, tokens, logs and options.',
    },
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'session' },
        accessToken: { type: 'apiKey', in: 'header', name: 'Authorization' },
        userId: { type: 'apiKey', in: 'header', name: USER_ID_HEADER },
      },
    },
  };
};

const operation = (endpoint: EndpointShape): Json => ({
  summary: endpoint.summary,
  tags: [endpoint.path.split('/')[2]],
  'x-access': endpoint.access,
  ...(endpoint.fresh === undefined ? {} : { 'x-fresh': endpoint.fresh }),
  ...(endpoint.access === 'public'
    ? {}
    : {
        security: [
          { session: [], userId: [] },
          { accessToken: [], userId: [] },
        ],
      }),
  parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query')],
  ...(endpoint.body === undefined
    ? {}
    : {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } },
        },
      }),
  ...(endpoint.upload === undefined
    ? {}
    : {
        requestBody: {
          required: true,
          content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
        },
      }),
  responses: {
    200: {
      description: 'The envelope; `success` is false when the business refused',
      content: {
        'application/json': { schema: { anyOf: [envelope(endpoint), REFUSAL] } },
        ...(endpoint.download === true && { '*/*': { schema: { type: 'string' } } }),
      },
    },
    ...failures(endpoint),
  },
});

const envelope = (endpoint: EndpointShape): Json => {
  const beside =
    endpoint.fields === undefined ? {} : (schemaOf(endpoint.fields, 'output')['properties'] as Json);
  return {
    type: 'object',
    required: ['success', 'message', 'data'],
    properties: {
      success: { const: true },
      message: { type: 'string' },
      data: schemaOf(endpoint.data, 'output'),
      ...beside,
    },
  };
};

/**
 * A refusal by a business rule: `message` says why; for a few payment calls `data` does. `field` is the field it is about, if it
 * is about one.
 */
const REFUSAL: Json = {
  type: 'object',
  required: ['message', 'data'],
  properties: {
    success: { const: false },
    message: { type: 'string' },
    data: { type: ['null', 'string'] },
    field: { type: 'string' },
  },
};

const failures = (endpoint: EndpointShape): Json => {
  const signedIn = endpoint.access !== 'public';
  const descriptions: Record<string, string | false> = {
    400: 'A parameter is invalid; the message names it, and so does `field`',
    401: signedIn && `Not signed in, or ${USER_ID_HEADER} is not the signed-in user`,
    403:
      (signedIn || endpoint.fresh !== undefined) &&
      'The role is too low, the call came from another site, or the password is asked for again (`fresh_password_needed`)',
    404: endpoint.params !== undefined && 'There is nothing of this id, or a part of the path is no id',
    413: endpoint.body !== undefined && 'The body is too large',
    415: endpoint.body !== undefined && 'The body is not application/json',
    429: 'Too many requests; see Retry-After',
    431: 'The address and the headers are too long together',
    500: 'An internal error; the message has the request id',
  };
  return Object.fromEntries(
    Object.entries(descriptions).flatMap(([status, description]) =>
      description === false ? [] : [[status, { description }]],
    ),
  );
};

const parameters = (schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] => {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Json;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(takesAnything(schema.shape[name] as z.core.$ZodType) && { description: LENIENT }),
    schema: property,
  }));
};

const LENIENT = 'nothing is refused: a value that does not fit counts as none, or as the nearest that does';

/** Whether a parameter that does not fit its schema is replaced by another, not refused. */
const takesAnything = (schema: z.core.$ZodType): boolean => {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'catch') return true;
  if (def.type === 'pipe') return takesAnything(def.in);
  return 'innerType' in def && takesAnything(def.innerType);
};

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (io === 'input') Object.assign(jsonSchema, boundsOf(zodSchema, jsonSchema));
    },
  });
  return rest;
};

/** PostgreSQL cannot store NUL. */
const WITHOUT_NUL = '^[^\\u0000]*$';

/** The checks of a schema that are our own code, in words, and the bounds it checks after a transformation. */
const boundsOf = (
  schema: z.core.$ZodTypes,
  { description, pattern, allOf }: z.core.JSONSchema.BaseSchema,
): Json => {
  const { def } = schema._zod;
  const messages = (def.checks ?? []).map(messageOf).filter((message) => message !== undefined);
  const isPlain = pattern === undefined && allOf === undefined;
  const hasPattern = messages.includes('issue_nul') && isPlain;
  const words = messages
    .filter((message) => !(hasPattern && message === 'issue_nul'))
    .map((message) => (isMessageKey(message) ? say(message, 'en') : message));
  return {
    ...(def.type === 'pipe' && rangeOf(def.out)),
    ...(hasPattern && { pattern: WITHOUT_NUL }),
    ...(words.length > 0 && { description: [description, ...words].filter(Boolean).join('; ') }),
  };
};

/** The message of such a check; undefined if the document can express it, or if the code chooses its message. */
const messageOf = (check: z.core.$ZodCheck<never>): string | undefined => {
  const { check: kind, error } = check._zod.def;
  if (kind !== 'custom') return undefined;
  const message = (error as (() => unknown) | undefined)?.();
  return typeof message === 'string' ? message : undefined;
};

/** The bounds of a number after a transformation of the input. */
const rangeOf = (schema: z.core.$ZodType): Json => {
  const { minimum, maximum, multipleOf, type } = z.toJSONSchema(schema, { unrepresentable: 'any' });
  if (type !== 'number' && type !== 'integer') return {};
  return {
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(type === 'integer' ? { multipleOf: 1 } : multipleOf !== undefined && { multipleOf }),
  };
};
