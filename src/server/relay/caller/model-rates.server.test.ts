import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import type { User } from '#core/user/user.ts';
import { readConfig } from '../../config.ts';
import { hasRedis, type RunningRedis, startRedis } from '../../limits/testing/redis-server.ts';
import { type RunningServer, startServer } from '../../main.ts';
import type { Caller } from '../../http/testing/caller.ts';
import { type SmallUpstream, startSmallUpstream } from '../../http/testing/small-upstream.ts';
import { type Stage, setStage } from '../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';

/** The limit of model requests as callers meet it: the same whether this process counts or Redis does. */

const MODEL = 'gpt-small';

for (const store of ['memory', 'Redis']) {
  describe.skipIf(store === 'Redis' && !hasRedis)(`the limit of requests, counted in ${store}`, () => {
    const folder = temporaryFolder();
    let redis: RunningRedis | undefined;
    let upstream: SmallUpstream;
    let server: RunningServer;
    let stage: Stage;
    let root: Caller;
    let people = 0;

    beforeAll(async () => {
      redis = store === 'Redis' ? await startRedis() : undefined;
      upstream = await startSmallUpstream();
      const environment = testEnvironment(folder.path);
      if (redis !== undefined) environment['REDIS_URL'] = redis.url;
      server = await startServer(readConfig(environment), { log: keptLog() });
      stage = await setStage(server);
      const rootUser = await stage.person('root', role.root);
      root = stage.caller(await stage.session(rootUser));
      await stage.channel(rootUser, { baseUrl: upstream.url, models: MODEL, groups: 'default,vip' });
      await set('ModelRatio', JSON.stringify({ [MODEL]: 0.01 }));
      await set('ModelRequestRateLimitEnabled', true);
    });
    afterAll(async () => {
      await server.stop();
      await upstream.close();
      redis?.stop();
      folder.remove();
    });

    const set = async (name: string, value: unknown): Promise<void> => {
      const got = await root('/api/option', { method: 'PUT', body: { key: name, value: String(value) } });
      expect(got.message).toBe('');
    };
    const limit = async (total: number, succeeded: number, groups: object = {}, minutes = 1) => {
      await set('ModelRequestRateLimitCount', total);
      await set('ModelRequestRateLimitSuccessCount', succeeded);
      await set('ModelRequestRateLimitDurationMinutes', minutes);
      await set('ModelRequestRateLimitGroup', JSON.stringify(groups));
    };
    const somebody = async (): Promise<User> => {
      const user = await stage.person(`caller${(people += 1)}`);
      await server.parts.stores.ledger.move({
        kind: 'grant',
        ref: `start:${user.id}`,
        userId: user.id,
        deltaUnits: 1_000_000,
        reason: '',
        actorId: 0,
        nowMs: 1,
      });
      return user;
    };
    const keyOf = async (user: User, group = ''): Promise<Caller> => {
      const token = await stage.token(user);
      await server.parts.tokens.update(user, token.id, { group });
      return stage.caller({ authorization: `Bearer sk-${token.key}` });
    };
    const ask = (call: Caller, model = MODEL) =>
      call('/v1/chat/completions', {
        method: 'POST',
        body: { model, max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] },
      });
    const statuses = async (call: Caller, times: number, model = MODEL): Promise<number[]> => {
      const found = [];
      for (let time = 0; time < times; time += 1) found.push((await ask(call, model)).status);
      return found;
    };

    it('refuses calls over the total, per user across all tokens, and names the limit', async () => {
      await limit(2, 1000);
      const user = await somebody();
      const [one, other] = [await keyOf(user), await keyOf(user)];
      const another = await keyOf(await somebody());
      expect(await statuses(one, 1)).toEqual([200]);
      expect(await statuses(other, 2)).toEqual([200, 429]);
      const refused = await ask(one);
      expect(refused.text).toContain('too many requests: at most 2 in a minute, failed ones included');
      expect(await statuses(another, 1)).toEqual([200]);
    });

    it('counts failed calls in the total, and only successful ones in the other limit', async () => {
      const failing = async (): Promise<Caller> => {
        const call = await keyOf(await somebody());
        await set('ModelRatio', JSON.stringify({ [MODEL]: 1e6 }));
        expect(await statuses(call, 2)).toEqual([403, 403]);
        await set('ModelRatio', JSON.stringify({ [MODEL]: 0.01 }));
        expect(await statuses(call, 1, 'served by nobody')).toEqual([404]);
        return call;
      };
      await limit(3, 1000);
      expect(await statuses(await failing(), 1)).toEqual([429]);
      await limit(0, 1);
      const call = await failing();
      expect(await statuses(call, 1)).toEqual([200]);
      await expect.poll(async () => (await ask(call)).status).toBe(429);
      expect((await ask(call)).text).toContain('too many requests: at most 1 that succeed in a minute');
    });

    it('allows no more concurrent calls than may succeed, and failed ones free their slots', async () => {
      await limit(0, 2);
      const call = await keyOf(await somebody());
      await set('ModelRatio', JSON.stringify({ [MODEL]: 1e6 }));
      expect(await statuses(call, 3)).toEqual([403, 403, 403]);
      await set('ModelRatio', JSON.stringify({ [MODEL]: 0.01 }));
      const found = await Promise.all(Array.from({ length: 10 }, async () => (await ask(call)).status));
      expect(found.filter((status) => status === 200)).toHaveLength(2);
      expect(found.filter((status) => status === 429)).toHaveLength(8);
    });

    it("uses the limits set for a group: the token's, else the user's", async () => {
      await limit(1, 1000, { vip: [3, 1000] });
      const [vip, plain] = [await keyOf(await somebody(), 'vip'), await keyOf(await somebody())];
      expect(await statuses(vip, 4)).toEqual([200, 200, 200, 429]);
      expect(await statuses(plain, 2)).toEqual([200, 429]);
    });

    it("is in every answer's headers: how many calls are left, and when the limit resets", async () => {
      await limit(3, 1000);
      const call = await keyOf(await somebody());
      const told = [];
      for (let time = 0; time < 4; time += 1) {
        const { status, headers } = await ask(call);
        const remaining = headers.get('x-ratelimit-remaining-requests');
        told.push([status, headers.get('x-ratelimit-limit-requests'), remaining]);
        expect(headers.get('x-ratelimit-reset-requests')).toMatch(/^\d+s$/);
      }
      expect(told).toEqual([
        [200, '3', '2'],
        [200, '3', '1'],
        [200, '3', '0'],
        [429, '3', '0'],
      ]);
      const refused = await call('/v1/messages', {
        method: 'POST',
        body: { model: MODEL, max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] },
      });
      const { headers } = refused;
      expect([refused.status, headers.get('x-should-retry')]).toEqual([429, 'true']);
      expect(headers.get('anthropic-ratelimit-requests-limit')).toBe('3');
      expect(headers.get('anthropic-ratelimit-requests-remaining')).toBe('0');
      const waitS = Number(headers.get('retry-after'));
      // What came in this window counts until it is over, and fades in the next.
      expect(waitS).toBeGreaterThan(50);
      expect(waitS).toBeLessThanOrEqual(61);
      const resetMs = Date.parse(headers.get('anthropic-ratelimit-requests-reset') ?? '') - Date.now();
      expect(Math.abs(resetMs / 1000 - waitS)).toBeLessThan(3);
    });

    it('sends no headers if nothing is limited', async () => {
      await set('ModelRequestRateLimitEnabled', false);
      const { headers } = await ask(await keyOf(await somebody()));
      await set('ModelRequestRateLimitEnabled', true);
      expect(headers.get('x-ratelimit-limit-requests')).toBeNull();
    });

    it('does not apply at 0 and −1 calls, at 0 minutes, and while it is disabled', async () => {
      for (const [total, minutes] of [
        [0, 1],
        [-1, 1],
        [1, 0],
      ] as const) {
        await limit(total, 1000, {}, minutes);
        expect(await statuses(await keyOf(await somebody()), 3)).toEqual([200, 200, 200]);
      }
      await limit(1, 1000);
      await set('ModelRequestRateLimitEnabled', false);
      expect(await statuses(await keyOf(await somebody()), 3)).toEqual([200, 200, 200]);
      await set('ModelRequestRateLimitEnabled', true);
    });
  });
}
