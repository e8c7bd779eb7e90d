import { expect, test } from 'vitest';
import { z } from 'zod';
import { endpoints } from '#contract/api/endpoints.ts';
import type { EndpointShape } from '#contract/endpoint.ts';
import { fieldsOf, listOf, wordOf } from '#core/json/fields.ts';
import { openapi } from './openapi.ts';

/** The document names what the calls check. */

const all: readonly EndpointShape[] = endpoints;
const paths = fieldsOf(openapi(all, '1')['paths']);

/** The schema of a field of a body, as the document has it. */
const documented = (method: string, path: string, field: string): Record<string, unknown> => {
  const body = fieldsOf(fieldsOf(fieldsOf(paths[path])[method])['requestBody']);
  const schema = fieldsOf(fieldsOf(fieldsOf(body['content'])['application/json'])['schema']);
  return fieldsOf(schema['properties'])[field] as Record<string, unknown>;
};

test.each([
  ['post', '/api/channel', 'priority', '"minimum":-999,"maximum":1000000'],
  ['put', '/api/channel', 'weight', '"maximum":1000000'],
  ['post', '/api/user/register', 'email', 'must be an email address'],
  ['post', '/api/user/register', 'password', String.raw`"pattern":"^[^\\u0000]*$"`],
  ['post', '/api/user/register', 'username', 'must not contain NUL'],
  ['post', '/api/channel', 'setting', 'must be a JSON object'],
  ['put', '/api/user/setting', 'webhook_secret', 'ASCII'],
])('%s %s: %s has its bounds', (method, path, field, bounds) => {
  expect(JSON.stringify(documented(method, path, field))).toContain(bounds);
});

test('everything that a call checks by code of its own is named, in words or as a pattern', () => {
  const wordless = new Set<string>();
  const described = new Set<string>();
  for (const { method, path, params, query, body } of all)
    for (const schema of [params, query, body])
      if (schema !== undefined)
        z.toJSONSchema(schema, {
          io: 'input',
          unrepresentable: 'any',
          override: ({ zodSchema, path: place }) => {
            const at = `${method} ${path}: ${place.join('.')}`;
            // A schema that was described is another one than that before.
            if (z.globalRegistry.has(zodSchema)) described.add(at);
            const own = (zodSchema._zod.def.checks ?? []).map((check) => check._zod.def);
            // The document takes the words from the message, which code that finds its own does not have.
            if (own.some(({ check, error }) => check === 'custom' && error === undefined)) wordless.add(at);
          },
        });
  expect([...wordless.difference(described)]).toEqual([]);
  expect(wordless.size).toBeGreaterThan(5);
});

test('a call that may ask for the password again names 403, also where strangers may make it', () => {
  const asking = all.filter(({ fresh }) => fresh !== undefined);
  expect(asking.some(({ access }) => access === 'public')).toBe(true);
  for (const { method, path } of asking) {
    const operation = fieldsOf(fieldsOf(paths[path.replace(/:(\w+)/g, '{$1}')])[method.toLowerCase()]);
    expect([method, path, fieldsOf(fieldsOf(operation['responses'])['403'])['description']]).toEqual([
      method,
      path,
      expect.stringContaining('fresh_password_needed'),
    ]);
  }
});

test('a query that takes what its bounds exclude says so', () => {
  const silent = all.flatMap(({ method, path, query }) => {
    const operation = fieldsOf(fieldsOf(paths[path.replace(/:(\w+)/g, '{$1}')])[method.toLowerCase()]);
    return listOf(operation['parameters'])
      .map(fieldsOf)
      .filter(({ name, in: place, schema, description = '' }) => {
        const { type, pattern = '^[^\\u0000]*$', enum: words } = fieldsOf(schema);
        const isBound = type === 'integer' || pattern !== '^[^\\u0000]*$' || words !== undefined;
        const checks = place === 'query' && isBound ? query?.shape[wordOf(name)] : undefined;
        const takesAll = ['null', '-0.5', '?', ''].every((odd) => checks?.safeParse(odd).success === true);
        return takesAll && !wordOf(description).includes('nothing is refused');
      })
      .map(({ name }) => `${method} ${path} ${wordOf(name)}`);
  });
  expect(silent).toEqual([]);
});
