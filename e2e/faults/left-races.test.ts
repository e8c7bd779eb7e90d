import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeToken, setOption } from '../support/operator.ts';
import { FIRST_WORD } from '../../src/server/relay/testing/plain-answer.ts';
import { answer } from '../support/upstreams/watched-upstream.ts';
import {
  CHEAP,
  DEADLINE_MS,
  DEAR,
  NANO_EACH,
  type RaceSite,
  speak,
  startRaceSite,
  tellPrompt,
  WORD_MS,
} from './race-site.ts';

/**
 * What may happen while two channels work on one stream: its caller leaves, a key dies, a limit is reached, the money ends, a
 * channel is deleted. Each time there is one charge at most, both sides stop, and what the other used is in the books.
 */

const PROMPT = 40;

describe.each(['SQLite', 'PostgreSQL'] as const)('a race on %s', (engine) => {
  let on: RaceSite;
  beforeAll(async () => {
    on = await startRaceSite(engine);
  });
  afterAll(() => on.stop());
  beforeEach(() => {
    on.upstream.calls.length = 0;
    on.upstream.rule.behaviour = () => undefined;
  });
  afterEach(async () => {
    await on.allStopped();
    await on.clean();
  });

  it('whose caller leaves while both are silent charges nothing, and books the usage that each reported', async () => {
    const [late, next] = await on.pair('silent');
    on.upstream.rule.behaviour = ({ response }) => (tellPrompt(response, PROMPT), 'handled');
    const caller = new AbortController();
    const gone = on.ask('silent', { signal: caller.signal, session: 'an-agent' }).catch(() => undefined);
    await on.bothAsked('silent');
    caller.abort();
    await gone;
    await on.allStopped();
    const [row] = await on.rowsOf('silent');
    const asked = row?.info.attempts.map(({ channel }) => channel);
    expect([row?.quota, asked?.toSorted((one, other) => one - other)]).toEqual([0, [late, next]]);
    await expect
      .poll(() => on.houseOf(late, next))
      .toMatchObject([
        { channel_id: late, count: 1, cost_nano_usd: PROMPT * DEAR * NANO_EACH },
        { channel_id: next, count: 1, cost_nano_usd: PROMPT * CHEAP * NANO_EACH },
      ]);
    // Neither has answered, so the session is not bound.
    on.upstream.rule.behaviour = () => undefined;
    await (await on.ask('silent', { session: 'an-agent' })).text();
    const [, again] = await on.rowsOf('silent', 2);
    expect(again?.info.session).toBeDefined();
    expect(again?.info.session?.bound_to).toBeUndefined();
  });

  it('whose caller leaves after the first text is charged once by the winner, to which its session stays bound', async () => {
    const [late, next] = await on.pair('spoken');
    on.upstream.rule.behaviour = ({ channel, response }) => {
      if (channel === 'spoken-next') speak(response);
      return 'handled';
    };
    const caller = new AbortController();
    const response = await on.ask('spoken', { signal: caller.signal, session: 'an-agent' });
    await response.body?.getReader().read();
    caller.abort();
    await on.allStopped();
    const [row] = await on.rowsOf('spoken');
    expect([row?.channel, row?.info.attempts.map(({ race }) => race)]).toEqual([next, ['lost', 'won']]);
    expect(row?.quota).toBeGreaterThan(0);
    const tokens = (row?.prompt_tokens ?? 0) + (row?.completion_tokens ?? 0);
    expect(row?.cost_nano_usd).toBe(tokens * CHEAP * NANO_EACH);
    await expect
      .poll(() => on.houseOf(late, next))
      .toMatchObject([{ channel_id: late, kind: 'hedge', count: 1 }]);
    on.upstream.rule.behaviour = () => undefined;
    await (await on.ask('spoken', { session: 'an-agent' })).text();
    const [, again] = await on.rowsOf('spoken', 2);
    expect([again?.info.session?.bound_to, again?.channel]).toEqual([next, next]);
  });

  it('in which a key dies goes on with the next key, and the silent one stays in it', async () => {
    const dead = 'sk-a-key-that-is-dead';
    const [late, next] = await on.pair('dying', {
      key: `${dead}\nsk-a-key-that-works`,
      pool_mode: 'in_turn',
    });
    on.upstream.rule.behaviour = ({ channel, key, response }) => {
      if (channel === 'dying-late') return 'handled';
      if (key !== dead) return undefined;
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"bad key","code":"invalid_api_key"}}');
      return 'handled';
    };
    expect(await (await on.ask('dying')).text()).toContain('[DONE]');
    const [row] = await on.rowsOf('dying');
    expect(row?.info.attempts.map(({ channel, race, status }) => [channel, race, status])).toEqual([
      [next, 'lost', 401],
      [late, 'lost', 0],
      [next, 'won', 200],
    ]);
    expect(row?.quota).toBe(15);
    await expect
      .poll(async () => ((await on.root.call(`/api/channel/${next}/keys`)) as { counts: object }).counts)
      .toMatchObject({ enabled: 1, revoked: 1 });
    await expect
      .poll(() => on.houseOf(late, next))
      .toMatchObject([{ channel_id: late, kind: 'hedge', count: 1 }]);
  });

  it('for whose second channel there is no room waits for it, and the silent one may win until then', async () => {
    const [late, next] = await on.pair('full', {
      models: 'full,beside',
      setting: { capacity: { concurrent_calls: 1 } },
    });
    await setOption(on.root, 'ModelRatio', { full: 1, beside: 1 });
    on.upstream.rule.behaviour = ({ channel, model, response }) => {
      if (model === 'beside') speak(response);
      return channel === 'full-late' || model === 'beside' ? 'handled' : undefined;
    };
    const caller = new AbortController();
    const beside = await on.ask('beside', { signal: caller.signal });
    const asked = on.ask('full');
    await expect.poll(() => on.came('full-late').length).toBe(1);
    // By the time so many words are sent, the deadline has long passed.
    const words = beside.body?.getReader();
    for (let heard = 0; heard < (3 * DEADLINE_MS) / WORD_MS; heard += 1) await words?.read();
    expect(on.came('full-next').map(({ model }) => model)).toEqual(['beside']);
    caller.abort();
    await words?.cancel().catch(() => undefined);
    expect(await (await asked).text()).toContain('[DONE]');
    const [row] = await on.rowsOf('full');
    expect([row?.quota, row?.info.attempts.map(({ channel, race }) => [channel, race])]).toEqual([
      15,
      [
        [late, 'lost'],
        [next, 'won'],
      ],
    ]);
  });

  it('whose money ends in the answer ends like an answer that is long enough, and takes no more than there was', async () => {
    const [late, next] = await on.pair('poor');
    const { key: token, id } = await makeToken(on.root, { unlimited_quota: false, remain_quota: 3000 });
    on.upstream.rule.behaviour = ({ channel, response }) => {
      if (channel === 'poor-late') return 'handled';
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const pour = () => {
        while (!response.destroyed && response.write(FIRST_WORD));
        if (!response.destroyed) response.once('drain', pour);
      };
      pour();
      return 'handled';
    };
    expect(await (await on.ask('poor', { token })).text()).toContain('[DONE]');
    const [row] = await on.rowsOf('poor');
    expect([row?.channel, row?.info.attempts.map(({ race }) => race)]).toEqual([next, ['lost', 'won']]);
    const left = (await on.root.call(`/api/token/${id}`)) as { remain_quota: number; used_quota: number };
    expect([left.remain_quota + left.used_quota, left.used_quota]).toEqual([3000, row?.quota]);
    expect(left.remain_quota).toBeGreaterThanOrEqual(0);
    await expect
      .poll(() => on.houseOf(late, next))
      .toMatchObject([{ channel_id: late, kind: 'hedge', count: 1 }]);
  });

  it('whose channels are deleted or repriced in the middle is charged as it began, and the next call goes nowhere', async () => {
    const [late, next] = await on.pair('gone');
    const words: (() => void)[] = [];
    on.upstream.rule.behaviour = ({ channel, response }) => {
      if (channel === 'gone-next') words.push(() => answer(response));
      return 'handled';
    };
    const asked = on.ask('gone');
    await on.bothAsked('gone');
    const dear = { cost: { models: { gone: { input: 99, output: 99 } } } };
    await on.root.call('/api/channel', { method: 'PUT', body: { id: next, setting: JSON.stringify(dear) } });
    await on.root.call('/api/option', { method: 'PUT', body: { key: 'ModelRatio', value: '{"gone":7}' } });
    for (const id of [late, next]) await on.root.call(`/api/channel/${id}`, { method: 'DELETE' });
    words.forEach((say) => say());
    expect(await (await asked).text()).toContain('[DONE]');
    const [row] = await on.rowsOf('gone');
    expect([row?.channel, row?.quota, row?.cost_nano_usd]).toEqual([next, 15, 15 * CHEAP * NANO_EACH]);
    await expect
      .poll(() => on.houseOf(late, next))
      .toMatchObject([{ channel_id: late, kind: 'hedge', count: 1 }]);
    expect((await on.ask('gone')).status).toBe(404);
  });
});
