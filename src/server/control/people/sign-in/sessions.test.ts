import { expect, it } from 'vitest';
import type { Session, SessionStore } from '#core/session/session-store.ts';
import { standIn } from '#core/testing/stand-in.ts';
import { createSessions, type Sessions, sha256 } from './sessions.ts';

const NOW_MS = 1_000_000;
const session: Session = {
  userId: 7,
  createdAtMs: NOW_MS,
  lastSeenAtMs: NOW_MS,
  expiresAtMs: NOW_MS * 2,
  freshUntilMs: NOW_MS,
};

/** One session, of which the first look takes until it is let go. */
const slowStore = () => {
  const rows = new Map([[sha256('id'), session]]);
  const gate = Promise.withResolvers<void>();
  const store = standIn<SessionStore>({
    find: async (hash) => {
      const row = rows.get(hash);
      await gate.promise;
      return row;
    },
    end: async (hash) => void rows.delete(hash),
    endOwn: async (_, hash) => rows.delete(hash),
    endAllOf: async () => rows.clear(),
    endAccessOf: async () => rows.clear(),
  });
  return { store, letGo: gate.resolve };
};

const DAY_MS = 86_400_000;

const storeOf = (rows: Map<string, Session>): SessionStore => {
  const change = (hash: string, changes: Partial<Session>): void => {
    const row = rows.get(hash);
    if (row) rows.set(hash, { ...row, ...changes });
  };
  return standIn<SessionStore>({
    create: async (hash, made) => rows.set(hash, made).has(hash),
    find: async (hash) => rows.get(hash),
    touch: async (hash, lastSeenAtMs) => change(hash, { lastSeenAtMs }),
    setFresh: async (hash, freshUntilMs) => change(hash, { freshUntilMs }),
  });
};

it.each([-40, -1, 1, 40])(
  'a session outlives a clock that is %i days wrong for a while, and is not fresh because of it',
  async (days) => {
    const rows = new Map<string, Session>();
    const clock = { now: () => nowMs, monotonic: () => 5 };
    let nowMs = 100 * DAY_MS;
    const sessions = createSessions(storeOf(rows), clock);
    const from = { ip: '', userAgent: '' };
    const before = (await sessions.start(7, from)) ?? '';
    nowMs += days * DAY_MS;
    const meanwhile = (await sessions.start(7, from)) ?? '';
    await sessions.find(before);
    nowMs -= days * DAY_MS - 1000;
    expect(await sessions.find(before)).toMatchObject({ userId: 7, freshUntilMs: nowMs + 599_000 });
    const found = await sessions.find(meanwhile);
    expect(days < 0 ? 0 : (found?.freshUntilMs ?? NaN)).toBe(0);
  },
);

it('a session ends where it was not used for seven days, and thirty days after it began', async () => {
  let nowMs = 100 * DAY_MS;
  const clock = { now: () => nowMs, monotonic: () => nowMs };
  const sessions = createSessions(storeOf(new Map<string, Session>()), clock);
  const begin = async () => (await sessions.start(7, { ip: '', userAgent: '' })) ?? '';
  const isFoundAfter = async (id: string, ms: number): Promise<boolean> => {
    nowMs += ms;
    return (await sessions.find(id)) !== undefined;
  };
  const used = await begin();
  for (let week = 0; week < 4; week += 1) expect(await isFoundAfter(used, 7 * DAY_MS - 1)).toBe(true);
  expect([await isFoundAfter(used, 2 * DAY_MS + 3), await isFoundAfter(used, 1)]).toEqual([true, false]);
  expect(await isFoundAfter(await begin(), 7 * DAY_MS)).toBe(false);
});

it('a session is fresh for ten minutes after its owner proved to be there, at once', async () => {
  let nowMs = NOW_MS;
  const sessions = createSessions(storeOf(new Map<string, Session>()), {
    now: () => nowMs,
    monotonic: () => NOW_MS,
  });
  const id = (await sessions.start(7, { ip: '', userAgent: '' })) ?? '';
  const freshUntil = async () => (await sessions.find(id))?.freshUntilMs;
  expect(await freshUntil()).toBe(NOW_MS + 600_000);
  nowMs += 5000;
  await sessions.refresh(sha256(id));
  expect(await freshUntil()).toBe(NOW_MS + 605_000);
});

const ends: readonly [string, (sessions: Sessions) => Promise<unknown>][] = [
  ['with all others', (sessions) => sessions.endAllOf(7)],
  ['with its account’s access', (sessions) => sessions.endAccessOf(7)],
  ['by its owner', (sessions) => sessions.endOwn(7, sha256('id'))],
  ['by signing out', (sessions) => sessions.end(sha256('id'))],
];

it.each(ends)('a session that ends %s while it is looked up is not believed afterwards', async (_, end) => {
  const { store, letGo } = slowStore();
  const sessions = createSessions(store, { now: () => NOW_MS, monotonic: () => NOW_MS });
  const looking = sessions.find('id');
  await end(sessions);
  letGo();
  await looking;
  expect(await sessions.find('id')).toBeUndefined();
});

it.each(ends)('a session that is looked up while it ends %s is not believed afterwards', async (_, end) => {
  const rows = new Map([
    [sha256('id'), session],
    [sha256('of another'), { ...session, userId: 8 }],
  ]);
  const gate = Promise.withResolvers<void>();
  const ended = () => gate.promise.then(() => rows.delete(sha256('id')));
  const store = standIn<SessionStore>({
    find: async (hash) => rows.get(hash),
    end: async () => void (await ended()),
    endOwn: ended,
    endAllOf: async () => void (await ended()),
    endAccessOf: async () => void (await ended()),
  });
  const sessions = createSessions(store, { now: () => NOW_MS, monotonic: () => NOW_MS });
  const ending = end(sessions);
  expect([await sessions.find('id'), await sessions.find('of another')]).toMatchObject([
    { userId: 7 },
    { userId: 8 },
  ]);
  gate.resolve();
  await ending;
  expect(await sessions.find('id')).toBeUndefined();
  rows.clear();
  expect(await sessions.find('of another')).toMatchObject({ userId: 8 });
});
