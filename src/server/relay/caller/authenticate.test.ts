import { expect, it } from 'vitest';
import { createAuthenticate } from './authenticate.ts';
import type { TokenCache } from './token-cache.ts';

const cache: TokenCache = {
  read: () => Promise.resolve(undefined),
  find: () => Promise.resolve(undefined),
  isKnown: () => false,
  invalidateToken: () => {},
  cached: () => undefined,
  invalidateUser: () => {},
};

/** Counts without limit. */
const counted = () => {
  const counts = new Map<string, number>();
  const count = (key: string): number => counts.get(key) ?? 0;
  return { count, add: (key: string) => void counts.set(key, count(key) + 1) };
};

const knock = (at: number) => ({
  headers: { authorization: `Bearer sk-${String(at).padStart(48, 'x')}` },
  queryKey: undefined,
  ip: `2001:db8:1:2::${at.toString(16)}`,
});

it('wrong keys are limited by network, because an IPv6 customer has very many addresses', async () => {
  const clock = { now: () => 1, monotonic: () => 1 };
  const wrongKeys = counted();
  const authenticate = createAuthenticate({ clock, wrongKeys }, cache);
  const codes: string[] = [];
  for (let at = 1; at <= 61; at += 1)
    codes.push(
      await Promise.resolve(0)
        .then(() => authenticate(knock(at)))
        .then(
          () => 'in',
          (error) => String(error.code),
        ),
    );
  expect([codes[0], codes[59], codes[60]]).toEqual(['unauthenticated', 'unauthenticated', 'rate_limited']);
  const elsewhere = async () => authenticate({ ...knock(1), ip: '2001:db8:1:3::1' });
  await expect(elsewhere()).rejects.toMatchObject({ code: 'unauthenticated' });
  // A caller with a good key is not locked out by a neighbour's wrong ones: its key is still checked.
  const known = createAuthenticate({ clock, wrongKeys }, { ...cache, isKnown: () => true });
  const neighbour = async () => known(knock(1));
  await expect(neighbour()).rejects.toMatchObject({ code: 'unauthenticated' });
});

it('a program that repeats a wrong key locks nobody out behind its address, not even a key made since', async () => {
  const clock = { now: () => 1, monotonic: () => 1 };
  const asked: string[] = [];
  const find = (key: string) => (asked.push(key), Promise.resolve(undefined));
  const authenticate = createAuthenticate({ clock, wrongKeys: counted() }, { ...cache, find });
  const code = async (at: number): Promise<unknown> => {
    const knocked = async () => authenticate({ ...knock(at), ip: '192.0.2.1' });
    return knocked().catch((error: { code: unknown }) => error.code);
  };
  const repeated: unknown[] = [];
  for (let time = 1; time <= 61; time += 1) repeated.push(await code(1));
  expect([repeated[59], repeated[60], asked.length]).toEqual(['unauthenticated', 'rate_limited', 60]);
  // Every other key is looked up, until there are too many that are wrong.
  for (let at = 2; at <= 60; at += 1) expect(await code(at)).toBe('unauthenticated');
  expect([await code(61), asked.length]).toEqual(['rate_limited', 119]);
});

it('of a connection that sends one key after another, each key is looked up as itself', async () => {
  const clock = { now: () => 1, monotonic: () => 1 };
  const asked: string[] = [];
  const authenticate = createAuthenticate(
    { clock, wrongKeys: counted() },
    { ...cache, find: (key) => (asked.push(key), Promise.resolve(undefined)) },
  );
  const seenKey = { sent: '', key: '', channelId: undefined, digest: '' };
  for (const at of [1, 1, 2, 1]) {
    const knocked = async () => authenticate({ ...knock(at), seenKey });
    await expect(knocked()).rejects.toMatchObject({ code: 'unauthenticated' });
  }
  expect(asked.map((key) => Number(key.replaceAll('x', '')))).toEqual([1, 1, 2, 1]);
});
