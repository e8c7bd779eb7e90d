import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { endpoints } from '#contract/api/endpoints.ts';
import type { EndpointShape } from '#contract/endpoint.ts';
import { drawing } from '#core/task/testing/drawing.ts';
import type { User } from '#core/user/user.ts';
import { givenCall } from '../store/testing/accounts.ts';
import { sessionHeaders } from './testing/caller.ts';
import { matrix } from './testing/matrix-cases.ts';
import { openScene, type Scene } from './testing/scene.ts';

/**
 * Everything that Alice has is named by Bob, in every field of every call that is for a user's own things: in paths, queries
 * and bodies, whatever the field is called. He reads nothing of hers, and nothing of hers changes.
 */

type Named = string | number;

let scene: Scene;
let alice: User;
/** How Alice's things are called, which Bob may know. */
let names: Named[];
/** The content of Alice's objects, which nobody else may read. */
const contents = [
  'canary-display',
  'canary-content',
  'canary-model',
  'canary-prompt',
  'canary-passkey',
  'canary-note',
];
let count = 0;
const HOUR_MS = 3_600_000;

const ownCalls = endpoints.filter(({ access, owner }) => access === 'user' && owner === 'self');
/**
 * Whether the call can be made again, to the same end. Some GETs of the family change their caller: a new access token, an
 * identity.
 */
const isRepeatable = ({ method, path }: EndpointShape): boolean =>
  method === 'PUT' || (method === 'GET' && path !== '/api/user/token' && !path.endsWith('/bind'));
const nameOf = ({ method, path }: EndpointShape): string => `${method} ${path}`;
const shapeOf = (schema: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> =>
  schema !== undefined && 'shape' in schema ? (schema.shape as Record<string, z.ZodType>) : {};
const fieldsOf = (schema: z.ZodType | undefined): readonly string[] => Object.keys(shapeOf(schema));

beforeAll(async () => {
  scene = await openScene();
  const { stage, server } = scene;
  const { stores, sessions, usageLinks } = server.parts;
  alice = await stage.person('alice');
  await stores.identities.setEmail(alice.id, 'alice@site.example');
  await stores.users.updateProfile(alice.id, { displayName: 'canary-display' });
  const grant = { kind: 'grant', ref: 'a gift', reason: 'canary-content', actorId: 0, nowMs: 1 } as const;
  await stores.ledger.move({ ...grant, userId: alice.id, deltaUnits: 777_777 });
  const token = await stage.token(alice, 'the token of alice');
  const link = await usageLinks.create(alice, alice, {
    tokenId: token.id,
    note: 'canary-note',
    expiresAtMs: null,
  });
  const passkey = await stage.passkey(alice);
  await stores.passkeys.rename(alice.id, passkey.id, 'canary-passkey');
  const session = (await sessions.start(alice.id, { ip: '198.51.100.7', userAgent: 'canary-content' })) ?? '';
  const call = { tokenId: token.id, tokenName: token.name, model: 'canary-model', content: 'canary-content' };
  const nowMs = Date.now();
  await givenCall(stores.ledger, 77, {
    ...call,
    requestId: 'request-of-alice',
    userId: alice.id,
    username: alice.username,
    createdAtMs: nowMs - 2 * HOUR_MS,
  });
  // What follows by itself has followed.
  await stores.hourTotals.addUpHours(nowMs, 100);
  await server.parts.seals.sealDue();
  const times = { createdAtMs: nowMs, submittedAtMs: nowMs, finishedAtMs: nowMs };
  const task = { userId: alice.id, username: alice.username, prompt: 'canary-prompt', ...times };
  await stores.tasks.create(drawing({ ...task, publicId: 'drawing-of-alice' }));
  await stores.tasks.create(drawing({ ...task, platform: 'suno', publicId: 'song-of-alice' }));
  const rowsOf = (table: 'logs' | 'journal' | 'tasks') =>
    stores.database.writer.selectFrom(table).select('id').where('user_id', '=', alice.id).execute();
  // Many of the ids are the same number.
  const all: readonly Named[] = [
    alice.id,
    alice.username,
    'alice@site.example',
    alice.affCode,
    token.id,
    token.name,
    token.key,
    `sk-${token.key}`,
    link.id,
    link.open,
    passkey.id,
    passkey.credentialId,
    session,
    ...(await sessions.listOf(alice.id)).map(({ idHash }) => idHash),
    'request-of-alice',
    'drawing-of-alice',
    'song-of-alice',
    ...(await rowsOf('logs')).map(({ id }) => id),
    ...(await rowsOf('journal')).map(({ id }) => id),
    ...(await rowsOf('tasks')).map(({ id }) => id),
  ];
  names = [...new Set(all)];
  tables = await tablesOfUsers();
});
afterAll(() => scene.close());

/** The tables with rows of users, and the column that says whose they are. */
const tablesOfUsers = async () => {
  const tables = await scene.server.parts.stores.database.writer.introspection.getTables();
  return tables
    .map(({ name, columns }) => ({ name, columns, column: name === 'users' ? 'id' : 'user_id' }))
    .filter(({ columns, column }) => columns.some(({ name }) => name === column));
};
let tables: Awaited<ReturnType<typeof tablesOfUsers>>;

/** Every row of Alice's, in every table. */
const hers = async (): Promise<string> => {
  const { writer } = scene.server.parts.stores.database;
  const all: unknown[] = [];
  for (const { name, column } of tables) {
    const table = writer.dynamic.table(name as 'tokens').as('t');
    all.push(
      name,
      await writer
        .selectFrom(table)
        .selectAll()
        .where(`t.${column}` as 't.user_id', '=', alice.id)
        .execute(),
    );
  }
  return JSON.stringify(all, undefined, 1);
};

interface Place {
  readonly part: 'params' | 'query' | 'body';
  readonly field: string;
}

/** The call of the matrix, with this in this field. */
const named = (
  { path, params }: EndpointShape,
  request: { readonly path: string; readonly body?: unknown },
  { part, field }: Place,
  value: unknown,
): { path: string; body?: unknown } => {
  if (part === 'body') return { path: request.path, body: { ...(request.body as object), [field]: value } };
  const url = new URL(request.path, 'http://gate.example');
  if (part === 'query') {
    url.searchParams.set(field, String(value));
    return { ...request, path: url.pathname + url.search };
  }
  const steps = path.split('/').map((step, at) => {
    if (step === `:${field}`) return encodeURIComponent(String(value));
    return step.startsWith(':') && params !== undefined ? (url.pathname.split('/')[at] ?? '') : step;
  });
  return { ...request, path: steps.join('/') + url.search };
};

/**
 * In queries all are texts; in bodies an id may be a number, a text, or one of many. Of what the field refuses as it stands, which
 * no handler ever sees, the first is sent all the same.
 */
const ways = (endpoint: EndpointShape, { part, field }: Place): readonly unknown[] => {
  const all = names.flatMap((name): readonly unknown[] => {
    if (part !== 'body') return [String(name)];
    return [name, [name], ...(typeof name === 'number' ? [String(name)] : [])];
  });
  const schema = shapeOf(endpoint[part])[field];
  const refused = all.filter((value) => schema?.safeParse(value).success === false);
  return all.filter((value) => value === refused[0] || !refused.includes(value));
};

describe('what is another’s is neither read nor changed by', () => {
  it('any call, for all are walked', () => {
    expect(ownCalls.length).toBeGreaterThan(50);
    const withoutFields = ownCalls.filter(({ body }) => body !== undefined && fieldsOf(body).length === 0);
    expect(withoutFields.map(nameOf)).toEqual([]);
  });

  it.each(ownCalls.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s', async (name, endpoint) => {
    const { stage, root } = scene;
    const places: Place[] = (['params', 'query', 'body'] as const).flatMap((part) =>
      fieldsOf(endpoint[part]).map((field) => ({ part, field })),
    );
    const before = await hers();
    const read: string[] = [];
    /** A new Bob, and the call as he would make it for something of his own. */
    const arrive = async () => {
      const bob = await stage.person(`bob${(count += 1)}`);
      const request = await matrix[name]!.request({
        stage,
        root,
        self: bob,
        other: bob,
        unique: `b${count}`,
        get upstream(): never {
          throw new Error('own calls reach no channel');
        },
      });
      return { call: stage.caller(await stage.session(bob)), request };
    };
    let bob = await arrive();
    for (const place of places)
      for (const value of ways(endpoint, place)) {
        const { path, body } = named(endpoint, bob.request, place, value);
        const got = await bob.call(path, { method: endpoint.method, body });
        expect(got.status, `${path} ${JSON.stringify(body)}`).toBeLessThan(500);
        const seen = contents.filter((content) => got.text.includes(content));
        if (seen.length > 0) read.push(`${path} ${JSON.stringify(body)}: ${seen.join()}`);
        // He may have changed himself, or used up or lost what the call is about, or his session.
        if ((got.success && !isRepeatable(endpoint)) || got.status === 401) bob = await arrive();
      }
    expect(read).toEqual([]);
    expect(await hers()).toBe(before);
  });
});

it('what is hers is there to be read, by Alice', async () => {
  const { stage } = scene;
  const session = await scene.server.parts.sessions.start(alice.id, {
    ip: '198.51.100.7',
    userAgent: 'mine',
  });
  const call = stage.caller(sessionHeaders(session ?? '', alice.id));
  const texts = await Promise.all(
    [
      'user/self',
      'log/self',
      'user/passkeys',
      'user/sessions',
      'mj/self',
      'task/self',
      `usage_link?token_id=${names[4]}`,
    ].map(async (path) => (await call(`/api/${path}`)).text),
  );
  expect(contents.filter((content) => !texts.some((text) => text.includes(content)))).toEqual([]);
});
