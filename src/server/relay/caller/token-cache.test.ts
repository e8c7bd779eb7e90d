import { expect, it } from 'vitest';
import { silentNews } from '#core/news.ts';
import { unlimitedToken } from '#core/token/testing/unlimited-token.ts';
import type { Token } from '#core/token/token.ts';
import type { User } from '#core/user/user.ts';
import { createTokenCache, digestOf, TOKEN_CHANGED, USER_CHANGED } from './token-cache.ts';

const token: Token = {
  ...unlimitedToken,
  id: 3,
  userId: 7,
  name: 'one',
  status: 1,
  createdAtMs: 0,
  accessedAtMs: 0,
  heldUnits: 0,
  usedQuotaUnits: 0,
};
const owner = { id: 7, username: 'ada' } as User;

/** A store whose answers can be delayed, and a clock set by hand. */
const stage = () => {
  const time = { nowMs: 0 };
  let looks = 0;
  let name = 'one';
  let hasEnded = false;
  let open: Promise<void> = Promise.resolve();
  const heard = new Map<string, (body: string) => void>();
  const desk = {
    ...silentNews,
    hear: (topic: string, listener: (body: string) => void) => {
      heard.set(topic, listener);
      return () => undefined;
    },
  };
  const cache = createTokenCache({
    news: desk,
    clock: { now: () => time.nowMs, monotonic: () => time.nowMs },
    vault: { mac: (key) => `mac of ${key}` },
    tokens: {
      byKeyMac: async (mac) => {
        looks += 1;
        const found = mac === 'mac of good' && !hasEnded ? { token: { ...token, name }, owner } : undefined;
        await open;
        return found;
      },
    },
  });
  const nameOf = async (key: string) => (await cache.find(key))?.token.name;
  return {
    cache,
    time,
    nameOf,
    tell: (topic: string, body: string) => heard.get(topic)?.(body),
    looks: () => looks,
    end: () => void (hasEnded = true),
    rename: (to: string) => void (name = to),
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      open = promise;
      return resolve;
    },
  };
};

it('a key is read once, and again after ten seconds, because another node may have changed it', async () => {
  const { cache, time, nameOf, looks, rename } = stage();
  expect(await nameOf('good')).toBe('one');
  rename('two');
  time.nowMs = 9_999;
  expect([await nameOf('good'), looks(), cache.isKnown('good')]).toEqual(['one', 1, true]);
  time.nowMs = 10_000;
  expect([await nameOf('good'), looks()]).toEqual(['two', 2]);
});

it('a key stays cached while its token exists, however long it was unused, and no longer', async () => {
  const { cache, time, nameOf, end } = stage();
  await nameOf('good');
  time.nowMs = 3_600_000;
  expect([cache.isKnown('good'), cache.isKnown('bad')]).toEqual([true, false]);
  cache.invalidateToken(3);
  expect(cache.isKnown('good')).toBe(true);
  end();
  expect([await nameOf('good'), cache.isKnown('good')]).toEqual([undefined, false]);
});

it('a change on this node is seen at once, by token and by owner', async () => {
  const { cache, nameOf, rename } = stage();
  await nameOf('good');
  rename('two');
  cache.invalidateToken(3);
  expect(await nameOf('good')).toBe('two');
  rename('three');
  cache.invalidateUser(7);
  expect(await nameOf('good')).toBe('three');
});

it('a change announced by another node is seen at once; a message without a valid id changes nothing', async () => {
  const { nameOf, rename, tell, looks } = stage();
  await nameOf('good');
  rename('two');
  for (const body of ['', 'x', '4', '{}']) tell(TOKEN_CHANGED, body);
  expect([await nameOf('good'), looks()]).toEqual(['one', 1]);
  tell(TOKEN_CHANGED, '3');
  expect(await nameOf('good')).toBe('two');
  rename('three');
  tell(USER_CHANGED, '7');
  expect(await nameOf('good')).toBe('three');
});

it('a value read before a change is not used after it', async () => {
  const { cache, nameOf, rename, hold } = stage();
  const letGo = hold();
  const asked = nameOf('good');
  rename('two');
  cache.invalidateToken(3);
  letGo();
  expect([await asked, await nameOf('good')]).toEqual(['one', 'two']);
});

it('many calls of one key ask once together, and those after a change ask again', async () => {
  const { cache, nameOf, looks, rename, hold } = stage();
  const go = hold();
  const before = Array.from({ length: 64 }, () => nameOf('good'));
  rename('two');
  cache.invalidateToken(3);
  const after = Array.from({ length: 64 }, () => nameOf('good'));
  go();
  expect(new Set(await Promise.all(before))).toEqual(new Set(['one']));
  expect(new Set(await Promise.all(after))).toEqual(new Set(['two']));
  expect(looks()).toBe(2);
});

it('an unknown key is not cached, because it may be created at any time', async () => {
  const { cache, nameOf, looks } = stage();
  expect([await nameOf('bad'), await nameOf('bad'), looks(), cache.isKnown('bad')]).toEqual([
    undefined,
    undefined,
    2,
    false,
  ]);
});

it('nobody is known before the routing knows their groups, so that nothing cached is newer than it', async () => {
  const asked: string[] = [];
  let isRead: () => void = () => undefined;
  const cache = createTokenCache({
    news: silentNews,
    clock: { now: () => 0, monotonic: () => 0 },
    vault: { mac: (key) => key },
    tokens: {
      byKeyMac: async () => ({ token: { ...token, group: 'gold' }, owner: { ...owner, group: 'vip' } }),
    },
    groupsReady: (...names) => {
      asked.push(...names);
      return new Promise((resolve) => (isRead = resolve));
    },
  });
  const found = cache.find('good');
  await expect.poll(() => asked).toEqual(['vip', 'gold']);
  expect(cache.cached(digestOf('good'))).toBeUndefined();
  isRead();
  expect((await found)?.token.group).toBe('gold');
  expect(cache.cached(digestOf('good'))?.owner.group).toBe('vip');
});
