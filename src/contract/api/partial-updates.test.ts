import { expect, it } from 'vitest';
import { z } from 'zod';
import { channel, createChannel, updateChannel } from './channels/channels.ts';
import { channelKey, updateKey } from './channels/channel-keys.ts';
import { endpoints } from './endpoints.ts';
import { redemption, updateRedemption } from './wallet/redemptions.ts';
import { readSelf, updateSelf } from './people/session.ts';
import { createToken, token, updateToken } from './people/tokens.ts';
import { updateUser, user } from './people/users.ts';

/** Calls that change part of an object: fields that are not sent must stay the same. */
const updates = endpoints.flatMap(({ method, path, body }) =>
  method === 'PUT' && body instanceof z.ZodObject ? [{ path, fields: Object.entries(body.shape) }] : [],
);

it('every update is looked at', () => {
  const paths = endpoints.filter(({ method }) => method === 'PUT').map(({ path }) => path);
  expect(updates.map(({ path }) => path)).toEqual(paths);
  expect(paths).toContain('/api/channel');
});

/** Fields that get a default if not sent; for a body of several shapes, of all of them. */
const filledInBy = (body: unknown): string[] => {
  if (body instanceof z.ZodUnion) return body.options.flatMap(filledInBy);
  if (!(body instanceof z.ZodObject)) return [];
  return Object.entries(body.shape).flatMap(([name, schema]) => {
    const read = z.safeParse(schema as z.ZodType, undefined);
    return read.success && read.data !== undefined ? [`${name}: ${JSON.stringify(read.data)}`] : [];
  });
};

it('of the other calls only those fill anything in that make something new or change nothing kept', () => {
  const filling = endpoints.flatMap(({ method, path, body }) =>
    method !== 'PUT' && filledInBy(body).length > 0 ? [`${method} ${path}`] : [],
  );
  expect(filling.toSorted()).toEqual([
    'POST /api/channel',
    'POST /api/channel/:id/keys/:key_id/test',
    'POST /api/channel/explain',
    'POST /api/channel/fetch_models',
    'POST /api/channel/preview',
    'POST /api/channel/prices',
    'POST /api/channel/test',
    'POST /api/option/test_mail',
    'POST /api/price_book/draft',
    'POST /api/pricing/example',
    'POST /api/redemption',
    'POST /api/setup',
    'POST /api/token',
    'POST /api/token/many',
    'POST /api/usage_link',
    'POST /api/usage_link/user/:id',
    'POST /api/user',
    'POST /api/user/login',
    'POST /api/user/manage',
  ]);
  const manage = endpoints.find(({ path }) => path === '/api/user/manage')?.body;
  expect(filledInBy(manage)).toEqual(['reason: ""', 'key: ""']);
});

it.each(updates)('PUT $path: a field that is not sent is not filled in', ({ fields }) => {
  const filledIn = fields.flatMap(([name, schema]) => {
    const read = z.safeParse(schema, undefined);
    return read.success && read.data !== undefined ? [`${name}: ${JSON.stringify(read.data)}`] : [];
  });
  expect(filledIn).toEqual([]);
});

const bodies = endpoints.flatMap(({ method, path, body }) =>
  body instanceof z.ZodObject ? [{ call: `${method} ${path}`, fields: Object.entries(body.shape) }] : [],
);

it.each(bodies)(
  '$call: true and a list are no number, so that they name no object and no amount',
  ({ fields }) => {
    const becameAnother = fields.flatMap(([name, schema]) =>
      [true, [5], [true], [[5]]].flatMap((odd) => {
        const read = z.safeParse(schema, odd);
        return read.success &&
          typeof read.data !== 'string' &&
          JSON.stringify(read.data) !== JSON.stringify(odd)
          ? [`${name}: ${JSON.stringify(odd)} is ${JSON.stringify(read.data)}`]
          : [];
      }),
    );
    expect(becameAnother).toEqual([]);
  },
);

/** Scripts read an object, change a field and send all of it; a copy is made the same way. */
it.each([
  ['own account', readSelf.data, updateSelf.body],
  ['account', user, updateUser.body],
  ['channel', channel, updateChannel.body],
  ['channel, as a copy', channel, createChannel.body],
  ['key of a channel', channelKey, updateKey.body],
  ['token', token, updateToken.body],
  ['token, as a copy', token, createToken.body],
  ['code', redemption, updateRedemption.body],
])('no field of a read %s is unknown where it is sent back', (_, { shape: read }, { shape: sent }) => {
  expect(Object.keys(read).filter((field) => !Object.hasOwn(sent, field))).toEqual([]);
});
