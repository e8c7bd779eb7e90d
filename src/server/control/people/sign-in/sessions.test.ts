import { expect, it } from 'vitest';
import type { Session, SessionStore } from '#core/session/session-store.ts';
import { standIn } from '#core/testing/stand-in.ts';
import { createSessions, sha256 } from './sessions.ts';

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
  });
  return { store, letGo: gate.resolve };
};

const DAY_MS = 86_400_000;

it.each([-40, -1, 1, 40])(
  'a session outlives a clock that is %i days wrong for a while, and is not fresh because of it',
  async (days) => {
    const rows = new Map<string, Session>();
    const clock = { now: () => nowMs, monotonic: () => 5 };
    let nowMs = 100 * DAY_MS;
    const sessions = createSessions(
      standIn<SessionStore>({
        create: async (hash, made) => rows.set(hash, made).has(hash),
        find: async (hash) => rows.get(hash),
        touch: async (hash, lastSeenAtMs) => {
          const row = rows.get(hash);
          if (row) rows.set(hash, { ...row, lastSeenAtMs });
        },
      }),
      clock,
    );
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

it.each([
  ['with all others', (sessions: ReturnType<typeof createSessions>) => sessions.endAllOf(7)],
  ['by its owner', (sessions: ReturnType<typeof createSessions>) => sessions.endOwn(7, sha256('id'))],
  ['by signing out', (sessions: ReturnType<typeof createSessions>) => sessions.end(sha256('id'))],
] as const)('a session that ends %s while it is looked up is not believed afterwards', async (_, end) => {
  const { store, letGo } = slowStore();
  const sessions = createSessions(store, { now: () => NOW_MS, monotonic: () => NOW_MS });
  const looking = sessions.find('id');
  await end(sessions);
  letGo();
  await looking;
  expect(await sessions.find('id')).toBeUndefined();
});
