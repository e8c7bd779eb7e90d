import { expect, it } from 'vitest';
import { z } from 'zod';
import { endpoints } from './endpoints.ts';

/** Calls that change a part of something: what is not sent has to stay as it is. */
const updates = endpoints.flatMap(({ method, path, body }) =>
  method === 'PUT' && body instanceof z.ZodObject ? [{ path, fields: Object.entries(body.shape) }] : [],
);

it('every update is looked at', () => {
  const paths = endpoints.filter(({ method }) => method === 'PUT').map(({ path }) => path);
  expect(updates.map(({ path }) => path)).toEqual(paths);
  expect(paths).toContain('/api/channel');
});

it.each(updates)('PUT $path: a field that is not sent is not filled in', ({ fields }) => {
  const filledIn = fields.flatMap(([name, schema]) => {
    const read = z.safeParse(schema, undefined);
    return read.success && read.data !== undefined ? [`${name}: ${JSON.stringify(read.data)}`] : [];
  });
  expect(filledIn).toEqual([]);
});
