import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { tokenStatus } from '#contract/codes.ts';
import { type Asked, answerAtOnce, begin, say } from './testing/responses-upstream.ts';
import { openCaller } from './testing/socket-caller.ts';
import { create, types, useSockets } from './testing/use-sockets.ts';

/** Who calls over a WebSocket of responses: their key, and how they leave. */

const use = useSockets();

describe('the key', () => {
  it.each([
    ['none', {}, []],
    ['a wrong one', { authorization: 'Bearer sk-wrong' }, []],
    ['a wrong one among the protocols', {}, ['responses', 'openai-insecure-api-key.sk-wrong']],
  ])('%s is refused before there is a WebSocket', async (_, headers, protocols) => {
    await expect(openCaller(use.scene().server.url, headers, protocols)).rejects.toThrow('401');
  });

  it('may stand among the protocols, as browsers send it', async () => {
    const protocols = ['responses', `openai-insecure-api-key.sk-${use.spender().key}`];
    const browser = await openCaller(use.scene().server.url, {}, protocols);
    expect(browser.socket.protocol).toBe('responses');
    browser.send(create());
    expect(types(await browser.turn()).at(-1)).toBe('response.completed');
    browser.socket.terminate();
  });

  it('is looked at for each turn: a disabled one is refused, and its connection closed', async () => {
    use.caller().send(create());
    await use.caller().turn();
    const { tokens } = use.scene().server.parts;
    const [token] = (await tokens.list(use.spender().user, { page: 1, pageSize: 1 })).items;
    await tokens.update(use.spender().user, token?.id ?? 0, { status: tokenStatus.disabled });
    use.caller().send(create());
    expect(await use.caller().turn()).toMatchObject([{ type: 'error', status: 401 }]);
    expect(await use.caller().closed).toBe(1008);
    expect(use.asked()).toHaveLength(1);
  });

  it('without money is refused for that turn alone', async () => {
    const { ledger } = use.scene().server.parts.stores;
    use.caller().send(create());
    await use.caller().turn();
    await expect.poll(async () => (await use.charged()).length).toBe(1);
    const take = {
      kind: 'grant',
      ref: `take ${use.spender().user.id}`,
      reason: '',
      actorId: 0,
      nowMs: 1,
    } as const;
    await ledger.move({ ...take, userId: use.spender().user.id, deltaUnits: -(1_000_000 - 120) });
    use.caller().send(create());
    expect(await use.caller().turn()).toMatchObject([
      { type: 'error', status: 403, error: { type: 'insufficient_quota' } },
    ]);
    await ledger.move({
      ...take,
      ref: `give ${use.spender().user.id}`,
      userId: use.spender().user.id,
      deltaUnits: 100_000,
    });
    use.caller().send(create());
    expect(types(await use.caller().turn()).at(-1)).toBe('response.completed');
  });
});

describe('a key whose money ends in the middle of an answer', () => {
  const FEW = 2500;

  it('gets what it can pay for and the end of a response that reached its length, and is served again once there is more', async () => {
    const { ledger, users } = use.scene().server.parts.stores;
    const { user } = use.spender();
    const move = (ref: string, deltaUnits: number) =>
      ledger.move({ kind: 'grant', ref, reason: '', actorId: 0, nowMs: 1, userId: user.id, deltaUnits });
    await move(`most of ${String(user.id)}`, -(1_000_000 - FEW));
    let stopped: Promise<void> | undefined;
    use.answerBy(async (asked, number) => {
      if (number > 1) return answerAtOnce(asked, number);
      stopped = asked.gone;
      begin(asked, 'resp_1');
      for (let at = 0; at < 400 && !asked.response.destroyed; at += 1) {
        say(asked, `word ${String(at)} `.repeat(20));
        await setImmediate();
      }
    });
    use.caller().send(create());
    const events = await use.caller().turn();
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { id: 'resp_1', incomplete_details: { reason: 'max_output_tokens' } },
    });
    await stopped;
    await expect.poll(async () => (await use.charged()).length).toBe(1);
    const [row] = await use.charged();
    const left = (await users.byId(user.id))?.quotaUnits ?? -1;
    expect([left >= 0, (row?.quotaUnits ?? 0) + left]).toEqual([true, FEW]);
    // All but what is too little for one more piece.
    expect(left).toBeLessThan(300);

    use.caller().send(create({ previous_response_id: 'resp_1', input: 'on' }));
    const refused = await use.caller().turn();
    expect(refused).toMatchObject([{ type: 'error', status: 403 }]);
    await move(`more for ${String(user.id)}`, 1_000_000);
    use.caller().send(create());
    expect(types(await use.caller().turn()).at(-1)).toBe('response.completed');
  });
});

describe('a caller', () => {
  it('who leaves stops the upstream, and pays for what was said', async () => {
    let asked: Asked | undefined;
    use.answerBy((one, number) => {
      asked = one;
      begin(one, `resp_${String(number)}`);
      say(one, 'word '.repeat(100));
    });
    use.caller().send(create());
    for (let event = await use.caller().next(); event?.['type'] !== 'response.output_text.delta';)
      event = await use.caller().next();
    use.caller().socket.terminate();
    await asked?.gone;
    await expect
      .poll(async () => (await use.charged()).map(({ quotaUnits }) => quotaUnits > 0))
      .toEqual([true]);
  });

  it('who does not read makes the upstream wait', async () => {
    let sent = 0;
    let isStopped = false;
    use.answerBy(async (asked, number) => {
      begin(asked, `resp_${String(number)}`);
      while (!isStopped && !asked.response.destroyed && sent < 200_000_000) {
        const text = 'word '.repeat(2000);
        sent += text.length;
        if (!say(asked, text)) await Promise.race([once(asked.response, 'drain'), asked.gone]);
      }
    });
    use.caller().socket.pause();
    use.caller().send(create());
    let before = -1;
    await expect
      .poll(
        () => {
          const isStill = before === sent && sent > 0;
          before = sent;
          return isStill;
        },
        { interval: 700 },
      )
      .toBe(true);
    expect(sent).toBeLessThan(60_000_000);
    isStopped = true;
  });

  it('whose message is too large is closed with 1009', async () => {
    use.caller().send(JSON.stringify(create({ input: 'x'.repeat(33 * 1024 * 1024) })));
    expect(await use.caller().closed).toBe(1009);
    expect(use.asked()).toHaveLength(0);
  });
});

it('whose server stops is told so, and to come again', async () => {
  await use.scene().restart();
  expect(await use.caller().turn()).toMatchObject([
    { type: 'error', status: 503, headers: { 'x-should-retry': 'true', 'retry-after': '5' } },
  ]);
  expect(await use.caller().closed).toBe(1001);
});

it('leaves sound books', () => expect.poll(use.brokenBooks).toEqual([]));
