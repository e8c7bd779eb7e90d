import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { recentShare } from '../../src/server/relay/testing/hanging-upstream.ts';
import { rootPassword, signIn } from '../support/operator.ts';
import { describeTwoProcesses } from '../support/two-processes.ts';
import { answer, type WatchedCall } from '../support/upstreams/watched-upstream.ts';

/** What one of two processes learns about channels and keys, and how the other reacts. */

const KEYS = ['aaaa', 'bbbb', 'cccc', 'dddd'].map((end) => `sk-a-long-enough-key-${end}`);
const [BAD = ''] = KEYS;
/** Enough calls that each of four keys gets some. */
const ENOUGH_CALLS = 40;
/** A node that had an answer from a channel within the last second ignores news that the channel fails. */
const OWN_ANSWER_MS = 1500;
/** Often enough that the calls of two seconds show the share of the broken channel. */
const CALL_EVERY_MS = 40;
const TRY_EVERY_MS = 100;
/** During the cooldown of ten seconds, calls are only needed so that one of them can be the trial. */
const RESTS_CALL_EVERY_MS = 200;
const ENOUGH_TO_BEGIN = 60;
const FIRST_BYTE_MS = 1000;
const SESSIONS = 6;
/** Errors with which upstreams say that a key will never work again. */
const DEATHS = [
  [401, { code: 'invalid_api_key', message: 'no such key' }],
  [402, { code: 'insufficient_balance', message: 'no money is left' }],
  [429, { code: 'insufficient_quota', message: 'You exceeded your current quota' }],
] as const;

const ModelRatio = { told: 1, broken: 1, last: 1, hung: 1, key: 1, agent: 1, dying: 1 };
const USED_UP = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '60s' };

describeTwoProcesses({ ModelRatio, RetryTimes: 3 }, (on) => {
  const chat = (at: number, model: string, session?: string) => on.channels.chat(at, model, session);
  const came = (model: string) => on.channels.came(model);
  /** Both nodes know the channels of a model. */
  const bothServe = async (model: string): Promise<void> => {
    for (const at of [0, 1]) await expect.poll(() => chat(at, model)).toBe(200);
  };

  it('a key that one node hears to be used up is left alone by the other', async () => {
    await on.channels.channel('told', 'told', { keys: KEYS });
    await bothServe('told');
    let isTold = false;
    on.upstream.rule.behaviour = ({ key, response }) => {
      // The news is sent once, so the other node knows of it only by that.
      if (key !== BAD || isTold) return undefined;
      isTold = true;
      answer(response, USED_UP);
      return 'handled';
    };
    await expect.poll(async () => (await chat(0, 'told')) === 200 && isTold).toBe(true);
    const usedByOther = async (): Promise<ReadonlySet<string>> => {
      const before = came('told').length;
      for (let call = 0; call < ENOUGH_CALLS; call += 1) expect(await chat(1, 'told')).toBe(200);
      return new Set(
        came('told')
          .slice(before)
          .map(({ key }) => key),
      );
    };
    await expect.poll(usedByOther).toEqual(new Set(KEYS.slice(1)));
  });

  it('a channel that one node finds broken is tried by one call of both, and then serves both', async () => {
    await on.channels.channel('broken', 'broken');
    await on.channels.channel('sound', 'broken');
    await on.channels.channel('last', 'last', { priority: 1 });
    await on.channels.channel('other', 'last');
    await bothServe('broken');
    await bothServe('last');
    await pause(OWN_ANSWER_MS);
    let isBroken = true;
    const trials: (() => void)[] = [];
    on.upstream.rule.behaviour = ({ channel, response }) => {
      if (channel === 'last') answer(response, USED_UP);
      if (channel !== 'broken') return channel === 'last' ? 'handled' : undefined;
      if (isBroken) response.writeHead(500).end('{"error":{"message":"broken"}}');
      else trials.push(() => answer(response));
      return 'handled';
    };
    const toBroken = () => came('broken').filter(({ channel }) => channel === 'broken').length;
    /** Whether ten calls at a node all went elsewhere. */
    const isAvoided = async (at: number): Promise<boolean> => {
      const before = toBroken();
      for (let n = 0; n < 10; n += 1) expect(await chat(at, 'broken')).toBe(200);
      return toBroken() === before;
    };
    await expect.poll(() => isAvoided(0)).toBe(true);
    // The other node saw no failure itself. If the cooldown ends before the check, it begins again: the channel is still broken.
    const heardByOther = async () => {
      expect(await chat(0, 'broken')).toBe(200);
      return on.channels.leftOut(1, 'broken');
    };
    await expect.poll(heardByOther).toMatchObject({ broken: 'cooling' });
    await expect.poll(() => isAvoided(1)).toBe(true);
    isBroken = false;
    const calls: Promise<number>[] = [];
    while (trials.length === 0) {
      calls.push(chat(1, 'broken'));
      await pause(TRY_EVERY_MS);
    }
    // News arrives in order: a node that has the later news also knows of the trial.
    expect(await chat(1, 'last')).toBe(200);
    await expect.poll(() => on.channels.leftOut(0, 'last')).toMatchObject({ last: 'cooling' });
    const others = await Promise.all(Array.from({ length: 40 }, (_, at) => chat(at, 'broken')));
    expect(trials).toHaveLength(1);
    on.upstream.rule.behaviour = () => undefined;
    trials[0]?.();
    expect(new Set([...(await Promise.all(calls)), ...others])).toEqual(new Set([200]));
    for (const at of [0, 1]) await expect.poll(() => isAvoided(at), { timeout: 10_000 }).toBe(false);
  });

  /** Of each model that is tried now, the calls that hang. */
  const hanging = new Map<string, (call: WatchedCall) => boolean>();

  /** Calls a model at both nodes while a key or channel of its upstream hangs, and after that. @returns how many calls were late */
  const hangsAndComesBack = async (model: string, isBad: (call: WatchedCall) => boolean): Promise<number> => {
    const statuses: number[] = [];
    let isOver = false;
    let callEveryMs = CALL_EVERY_MS;
    const load = (async () => {
      const running = new Set<Promise<void>>();
      for (let at = 0; !isOver; at += 1) {
        const one: Promise<void> = chat(at, model)
          .then((status) => void statuses.push(status))
          .finally(() => running.delete(one));
        running.add(one);
        await pause(callEveryMs);
      }
      await Promise.all(running);
    })();
    const share = (): number => recentShare(came(model).filter(isBad), came(model));
    await expect.poll(() => statuses.length).toBeGreaterThan(ENOUGH_TO_BEGIN);
    hanging.set(model, isBad);
    await expect.poll(share, { timeout: 10_000 }).toBeLessThan(0.05);
    const trials = came(model).filter(isBad).length;
    hanging.delete(model);
    callEveryMs = RESTS_CALL_EVERY_MS;
    await expect.poll(() => came(model).filter(isBad).length).toBeGreaterThan(trials);
    callEveryMs = CALL_EVERY_MS;
    await expect.poll(share).toBeGreaterThan(0.2);
    isOver = true;
    await load;
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    await expect.poll(async () => (await rowsOf(model)).length).toBeGreaterThanOrEqual(statuses.length);
    const rows = await rowsOf(model);
    const late = rows.filter(({ attempts }) => attempts.length > 1);
    expect(late.filter(({ attempts }) => attempts.length > 2)).toEqual([]);
    const p99 = (lengthsMs: number[]): number =>
      lengthsMs.toSorted((a, b) => a - b)[Math.floor(lengthsMs.length * 0.99)] ?? 0;
    const prompt = rows.filter(({ attempts }) => attempts.length === 1);
    // A late call takes one deadline longer than the others on this machine.
    const restMs = late.map(({ attempts, lastMs }) => lastMs - (attempts[0]?.ms ?? 0));
    expect(p99(restMs) - p99(prompt.map(({ lastMs }) => lastMs))).toBeLessThan(FIRST_BYTE_MS);
    return late.length;
  };

  // At the same time, because most of it is the wait until what hung is tried again.
  it('of three channels one hangs, and one of four keys: under 5 of 100 calls go there within ten seconds, none waits twice', async () => {
    const setting = { first_byte_timeout_ms: FIRST_BYTE_MS };
    for (const name of ['hung', 'fine', 'good']) await on.channels.channel(name, 'hung', { setting });
    await on.channels.channel('keys', 'key', { keys: KEYS, setting });
    await bothServe('hung');
    await bothServe('key');
    on.upstream.rule.behaviour = (call) => (hanging.get(call.model)?.(call) === true ? 'handled' : undefined);
    const late = await Promise.all([
      hangsAndComesBack('hung', ({ channel }) => channel === 'hung'),
      hangsAndComesBack('key', ({ key }) => key === BAD),
    ]);
    expect(Math.min(...late)).toBeGreaterThan(0);
  });

  const rowsOf = async (model: string) => {
    const rows = await on.site.database.writer
      .selectFrom('logs')
      .select('other')
      .where('model_id', 'in', (names) => names.selectFrom('names').select('id').where('name', '=', model))
      .where('type', '=', 2)
      .execute();
    return rows.map(({ other }) => {
      const { admin_info: info } = JSON.parse(other) as {
        admin_info: { attempts?: { ms: number }[]; stages: { last?: number } };
      };
      return { attempts: info.attempts ?? [{ ms: 0 }], lastMs: info.stages.last ?? 0 };
    });
  };

  it('a session that comes to the other node keeps its channel and key', async () => {
    await on.channels.channel('one', 'agent', { keys: KEYS });
    await on.channels.channel('two', 'agent', { keys: KEYS.map((key) => `${key}-of-two`) });
    await bothServe('agent');
    const turn = async (at: number, session: number): Promise<string> => {
      expect(await chat(at, 'agent', `session ${String(session)}`)).toBe(200);
      const last = came('agent').at(-1);
      return `${last?.channel ?? ''} ${last?.key ?? ''}`;
    };
    const homes: string[] = [];
    for (let session = 0; session < SESSIONS; session += 1) homes.push(await turn(0, session));
    expect(new Set(homes).size).toBeGreaterThan(2);
    const there = await signIn(on.site.url(1), 'root', rootPassword);
    const known = async () =>
      ((await there.call('/api/channel/affinity')) as { sessions: number }[]).reduce(
        (sum, { sessions }) => sum + sessions,
        0,
      );
    await expect.poll(known).toBeGreaterThanOrEqual(SESSIONS);
    for (const at of [1, 0, 1])
      for (const [session, home] of homes.entries())
        expect([at, await turn(at, session)]).toEqual([at, home]);
  });

  it('keys that die one by one under running sessions: no call of either process fails, nor is a dead key asked for long', async () => {
    await on.channels.channel('dying', 'dying', { keys: KEYS });
    await bothServe('dying');
    const dead = new Map<string, (typeof DEATHS)[number]>();
    on.upstream.rule.behaviour = ({ key, response }) => {
      const [status, error] = dead.get(key) ?? [];
      if (status === undefined) return undefined;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      return 'handled';
    };
    const statuses: number[] = [];
    let isOver = false;
    const work = async (session: number): Promise<void> => {
      for (let turn = 0; !isOver; turn += 1)
        statuses.push(await chat((session + turn) % 2, 'dying', `worker ${String(session)}`));
    };
    const load = Promise.all(Array.from({ length: SESSIONS }, (_, session) => work(session)));
    const begun = came('dying').length;
    for (const [at, death] of DEATHS.entries()) {
      dead.set(KEYS[at] ?? '', death);
      const [from, since] = [came('dying').length, statuses.length];
      await expect.poll(() => statuses.length - since).toBeGreaterThan(2 * ENOUGH_CALLS);
      const refused = came('dying')
        .slice(from)
        .filter(({ key }) => key === KEYS[at]);
      // The calls that ran at either node when it was killed.
      expect(refused.length).toBeLessThanOrEqual(2 * SESSIONS);
    }
    isOver = true;
    await load;
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect((came('dying').length - begun) / statuses.length).toBeLessThan(1.2);
    const last = came('dying').slice(-ENOUGH_CALLS);
    expect(new Set(last.map(({ key }) => key))).toEqual(new Set(KEYS.slice(DEATHS.length)));
    on.upstream.rule.behaviour = () => undefined;
  });

  it('afterwards the audit is clean', async () => {
    expect(await on.site.violated()).toEqual([]);
  });
});
