import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { describeTwoProcesses } from '../support/two-processes.ts';
import { FIRST_WORD } from '../../src/server/relay/testing/plain-answer.ts';

/**
 * Limits of channels and races of two upstreams over two processes. The second is killed and comes back, as who sets them up
 * is signed in at the first.
 */

const DAY = 10;
const DEADLINE_MS = 300;
const WORD_MS = 40;

describeTwoProcesses(
  {
    ModelRatio: { day: 1, narrow: 1, raced: 1, silent: 1 },
    'upstream_setting.first_token': {
      raced: { deadline_ms: DEADLINE_MS, hedge: true },
      silent: { deadline_ms: DEADLINE_MS, hedge: true },
    },
    'upstream_setting.hedge_percent': 100,
  },
  (on) => {
    const chat = (at: number, model: string) => on.channels.chat(at, model);
    const came = (model: string) => on.channels.came(model);

    it('no call exceeds a limit of the day while a node is killed and comes back', async () => {
      await on.channels.channel('day', 'day', { setting: { capacity: { calls_per_day: DAY } } });
      for (const at of [0, 1]) await expect.poll(() => chat(at, 'day')).toBe(200);
      for (const at of [1, 1, 0, 1]) expect(await chat(at, 'day')).toBe(200);
      const used = came('day').length;
      const kept = async () =>
        (await on.site.database.writer.selectFrom('seat_days').select('calls').execute()).reduce(
          (sum, { calls }) => sum + Number(calls),
          0,
        );
      await expect.poll(kept).toBe(used);
      await on.site.kill(1);
      expect(await chat(0, 'day')).toBe(200);
      await expect.poll(kept).toBe(used + 1);
      await on.site.revive(1);
      const statuses: number[] = [];
      for (let call = 0; call < DAY; call += 1) statuses.push(await chat(1, 'day'));
      expect(statuses.filter((status) => status === 200)).toHaveLength(DAY - used - 1);
      expect(came('day')).toHaveLength(DAY);
      // It hears of the other's calls a fraction of a second later; a call before that would pass.
      await expect.poll(() => on.channels.leftOut(0, 'day')).toEqual({ day: 'no_room' });
      expect(await chat(0, 'day')).toBe(429);
      expect(came('day')).toHaveLength(DAY);
    });

    it('places of calls that ran on a killed node are free again, and one that comes back hears of those that run', async () => {
      await on.channels.channel('narrow', 'narrow', { setting: { capacity: { concurrent_calls: 2 } } });
      for (const at of [0, 1]) await expect.poll(() => chat(at, 'narrow')).toBe(200);
      const run = async (at: number) => {
        const before = came('narrow').length;
        on.upstream.rule.behaviour = ({ response }) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).write(FIRST_WORD);
          return 'handled';
        };
        const running = [chat(at, 'narrow'), chat(at, 'narrow')];
        await expect.poll(() => came('narrow').length).toBe(before + 2);
        on.upstream.rule.behaviour = () => undefined;
        return running;
      };
      const lost = await run(1);
      await expect.poll(() => chat(0, 'narrow')).toBe(429);
      await on.site.kill(1);
      expect(await Promise.all(lost)).toEqual([0, 0]);
      await expect.poll(() => chat(0, 'narrow')).toBe(200);
      const kept = await run(0);
      await on.site.revive(1);
      await expect.poll(() => chat(1, 'narrow')).toBe(429);
      for (const { response } of came('narrow')) response.end('data: [DONE]\n\n');
      expect(await Promise.all(kept)).toEqual([200, 200]);
      for (const at of [0, 1]) await expect.poll(() => chat(at, 'narrow')).toBe(200);
    });

    const race = async (model: string) => {
      const costs = (dollars: number) => ({
        cost: { models: { [model]: { input: dollars, output: dollars } } },
      });
      await on.channels.channel(`${model}-late`, model, { priority: 9, setting: costs(10) });
      await on.channels.channel(`${model}-next`, model, { setting: costs(1) });
      await expect.poll(() => chat(1, model)).toBe(200);
      on.upstream.calls.length = 0;
    };
    /** The newest one: nobody else calls meanwhile. */
    const newestHold = () =>
      on.site.database.writer
        .selectFrom('holds')
        .select(['id', 'state', 'checkpoint', 'settled'])
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst();
    const chargesOf = (requestId: string | undefined) =>
      on.site.database.writer
        .selectFrom('logs')
        .select(['quota', 'cost'])
        .where('request_id', '=', requestId ?? '')
        .where('type', '=', 2)
        .execute();

    /** Sends words until the connection is closed. */
    const speak = (response: ServerResponse): void => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const speaking = setInterval(() => response.write(FIRST_WORD), WORD_MS);
      response.on('close', () => clearInterval(speaking));
    };

    it('a race whose node is killed after it was won is charged once, and the loser’s cost is not counted as 0', async () => {
      await race('raced');
      on.upstream.rule.behaviour = ({ channel, response }) => {
        if (channel === 'raced-next') speak(response);
        return 'handled';
      };
      const lost = on.channels.chat(1, 'raced');
      const houseCosts = () =>
        on.site.database.writer
          .selectFrom('house_costs')
          .select(['calls', 'cost'])
          .where('kind', '=', 'hedge')
          .execute();
      await expect.poll(async () => (await houseCosts()).length).toBe(1);
      await expect.poll(async () => Number((await newestHold())?.checkpoint)).toBeGreaterThan(0);
      await on.site.kill(1);
      expect(await lost).toBe(0);
      await expect.poll(async () => (await newestHold())?.state).toBe('settled');
      const rows = await chargesOf((await newestHold())?.id);
      expect(rows).toHaveLength(1);
      expect(Number(rows[0]?.quota)).toBe(Number((await newestHold())?.settled));
      // The cost of the winner is unknown now, and is not recorded as 0; that of the loser was recorded before.
      expect(rows[0]?.cost).toBeNull();
      const [house] = await houseCosts();
      expect([Number(house?.calls), Number(house?.cost) > 0]).toEqual([1, true]);
      await on.site.revive(1);
      expect(await on.site.violated()).toEqual([]);
    });

    it('a race whose node is killed while both are silent holds nothing', async () => {
      await race('silent');
      on.upstream.rule.behaviour = () => 'handled';
      const lost = on.channels.chat(1, 'silent');
      await expect.poll(() => new Set(came('silent').map(({ channel }) => channel)).size).toBe(2);
      expect((await newestHold())?.state).toBe('open');
      await on.site.kill(1);
      expect(await lost).toBe(0);
      await expect.poll(async () => (await newestHold())?.state).not.toBe('open');
      expect((await chargesOf((await newestHold())?.id)).filter(({ quota }) => Number(quota) > 0)).toEqual(
        [],
      );
      await on.site.revive(1);
      expect(await on.site.violated()).toEqual([]);
    });
  },
);
