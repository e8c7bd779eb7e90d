import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Asked, answerAtOnce, begin, beginText, end, say } from './testing/responses-upstream.ts';
import { create, types, user, useSockets } from './testing/use-sockets.ts';

/**
 * A stored response that ends because its payer has no money left: its upstream was stopped, and may keep it or not
 * (OpenAI does not find it any more). It is continued all the same.
 */

const use = useSockets();
const FEW = 2500;
const NOT_FOUND = {
  message: "Previous response with id 'resp_1' not found.",
  type: 'invalid_request_error',
  param: 'previous_response_id',
  code: 'previous_response_not_found',
};

/** Says more in its first answer than the payer can pay; later finds its own responses, or does not. */
const talkWithoutEnd = async (asked: Asked, number: number, keeps: boolean): Promise<void> => {
  if (number === 1) {
    begin(asked, 'resp_1');
    beginText(asked);
    for (let at = 0; at < 400 && !asked.response.destroyed; at += 1) {
      say(asked, `word ${String(at)} `.repeat(20));
      await setImmediate();
    }
  } else if (asked.body['previous_response_id'] === undefined || keeps) answerAtOnce(asked, number);
  else
    asked.response
      .writeHead(400, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: NOT_FOUND }));
};

const move = (name: string, deltaUnits: number) =>
  use.scene().server.parts.stores.ledger.move({
    kind: 'grant',
    ref: `${name} of ${String(use.spender().user.id)}`,
    reason: '',
    actorId: 0,
    nowMs: 1,
    userId: use.spender().user.id,
    deltaUnits,
  });
const textOf = (output: unknown): string =>
  JSON.stringify(output)
    .match(/word \d+ /g)
    ?.join('') ?? '';

describe('on the same WebSocket', () => {
  it.each([true, false])(
    'goes on with what was said of it, also after a turn without money (upstream keeps it: %s)',
    async (keeps) => {
      await move('most', -(1_000_000 - FEW));
      use.answerBy((asked, number) => talkWithoutEnd(asked, number, keeps));
      use.caller().send(create({ store: true }));
      const cut = (await use.caller().turn()).at(-1) as { type: string; response: { output: unknown } };
      expect(cut).toMatchObject({ type: 'response.incomplete', response: { id: 'resp_1' } });
      const said = textOf(cut.response.output);
      expect(said).toContain('word 0 ');

      const next = create({ store: true, previous_response_id: 'resp_1', input: [user('on')] });
      use.caller().send(next);
      expect(await use.caller().turn()).toMatchObject([{ type: 'error', status: 403 }]);
      await move('more', 1_000_000);
      use.caller().send(next);
      expect(types(await use.caller().turn()).at(-1)).toBe('response.completed');
      const body = use.asked()[1]?.body ?? {};
      expect(body).toMatchObject({
        input: [user('first'), { type: 'message', role: 'assistant' }, user('on')],
      });
      expect(body).not.toHaveProperty('previous_response_id');
      expect(textOf(body['input'])).toBe(said);
    },
  );
});

describe('over HTTP', () => {
  const post = (fields: object) =>
    fetch(`${use.scene().server.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${use.spender().key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-5-mini', stream: true, store: true, ...fields }),
    });

  it.each([true, false])('is asked of the upstream that may keep it (it does: %s)', async (keeps) => {
    await move('most', -(1_000_000 - FEW));
    use.answerBy((asked, number) => talkWithoutEnd(asked, number, keeps));
    expect(await (await post({ input: 'first' })).text()).toContain('response.incomplete');
    await move('more', 1_000_000);
    const next = await post({ previous_response_id: 'resp_1', input: 'on' });
    expect(use.asked()[1]?.body).toMatchObject({ previous_response_id: 'resp_1' });
    expect(next.status).toBe(keeps ? 200 : 400);
    expect(await next.text()).toContain(keeps ? 'response.completed' : NOT_FOUND.code);
  });
});

describe('one that its upstream itself has ended at a limit', () => {
  it('is continued with all of it, too', async () => {
    use.answerBy((asked, number) => {
      begin(asked, `resp_${String(number)}`);
      say(asked, 'half');
      end(asked, `resp_${String(number)}`, 'half', number === 1 ? 'incomplete' : 'completed');
    });
    use.caller().send(create({ store: true }));
    expect(types(await use.caller().turn()).at(-1)).toBe('response.incomplete');
    use.caller().send(create({ store: true, previous_response_id: 'resp_1', input: [user('on')] }));
    expect(types(await use.caller().turn()).at(-1)).toBe('response.completed');
    const body = use.asked()[1]?.body ?? {};
    expect(body).not.toHaveProperty('previous_response_id');
    expect(JSON.stringify(body['input'])).toMatch(/first.*half.*on/);
  });
});
