import { expect, it } from 'vitest';
import type { z } from 'zod';
import { endpoints } from '../api/endpoints.ts';
import type { EndpointShape } from '../endpoint.ts';
import { messageFields } from './message-fields.ts';

const namesIn = (schema: z.ZodType | undefined): readonly string[] => {
  if (schema === undefined) return [];
  if ('shape' in schema) return Object.keys(schema.shape as object);
  // A check of the whole body, or one of several bodies.
  const { in: inner, options = [] } = schema.def as unknown as { in?: z.ZodType; options?: z.ZodType[] };
  return [inner, ...options].flatMap(namesIn);
};

it('a refusal names a field that some call has', () => {
  const known = new Set(
    (endpoints as readonly EndpointShape[]).flatMap(({ body, query }) => [body, query].flatMap(namesIn)),
  );
  const named = Object.values(messageFields).map((field) => field?.split('.')[0] ?? '');
  expect(named.filter((field) => !known.has(field))).toEqual([]);
});
