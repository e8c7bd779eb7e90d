import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, startTwoAccounts } from '../../http/testing/two-accounts.ts';

/** Items of kept responses that later requests only name: what one account keeps the other does not know. */

const MODEL = 'gpt-items';
let site: Awaited<ReturnType<typeof startTwoAccounts>>;
beforeAll(async () => void (site = await startTwoAccounts(MODEL)));
afterAll(() => site.stop());

const say = (input: string) => site.client(site.aliceKey).responses.create({ model: MODEL, input });

describe('an item its upstream keeps', () => {
  const goOn = (id: string, key = site.aliceKey) =>
    site.ask('POST', '', key, {
      model: MODEL,
      input: [
        { type: 'item_reference', id },
        { role: 'user', content: 'say on' },
      ],
    });

  it('can be referred to at the account that made it, whether streamed or not', async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      const made = await say(`say item ${String(turn)}`);
      expect((await goOn(made.output[0]?.id ?? '')).status).toBe(200);
      const body = { model: MODEL, input: `say piece ${String(turn)}`, stream: true } as const;
      let id = '';
      for await (const event of await site.client(site.aliceKey).responses.create(body))
        if (event.type === 'response.output_item.added') id = event.item.id ?? '';
      expect((await goOn(id)).status).toBe(200);
    }
  });

  it('of another user is not found, and no upstream is called', async () => {
    const [item] = (await say('say mine alone')).output;
    await site.simulator.reset();
    const refused = await goOn(item?.id ?? '', site.bobKey);
    expect(refused.status).toBe(400);
    expect(errorOf(refused)).toMatchObject({ param: 'input', code: 'item_not_found' });
    const thought = { model: MODEL, input: [{ type: 'reasoning', id: item?.id, summary: [] }] };
    expect((await site.ask('POST', '', site.bobKey, thought)).status).toBe(400);
    expect((await site.simulator.calls()).count).toBe(0);
  });

  it('of another user is not reached by an id that an upstream may read as the same', async () => {
    const made = await say('say mine alone');
    const item = made.output[0]?.id ?? '';
    await site.simulator.reset();
    const [named, said] = [{ type: 'item_reference' }, { role: 'user', content: 'say on' }];
    for (const body of [
      ...[`${made.id} `, `\u200b${made.id}`, `${made.id}\n`, [made.id], { id: [made.id] }, '', 7].map(
        (id) => ({
          input: 'x',
          previous_response_id: id,
        }),
      ),
      ...['conv_1 ', ['conv_1'], { id: ['conv_1'] }].map((id) => ({ input: 'x', conversation: id })),
      ...[`${item} `, [item], 7].map((id) => ({ input: [{ ...named, id }, said] })),
    ]) {
      const refused = await site.ask('POST', '', site.bobKey, { model: MODEL, ...body });
      expect([refused.status, errorOf(refused)['code']], JSON.stringify(body)).toEqual([
        400,
        'invalid_value',
      ]);
    }
    expect((await site.simulator.calls()).count).toBe(0);
  });

  it('cannot be combined with one that another account keeps', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => say('say where')));
    const channels = new Map<number, string>();
    const seen = async (): Promise<number> => {
      for (const { id } of made) {
        const kept = await site.server().parts.stores.keptResponses.find(site.alice.id, id, Date.now());
        if (kept !== undefined) channels.set(kept.channelId, id);
      }
      return channels.size;
    };
    await expect.poll(seen).toBe(2);
    const ids = [...channels.values()];
    const item = `msg_${(ids[0] ?? '').replace('resp_', '')}`;
    const body = {
      model: MODEL,
      previous_response_id: ids[1],
      input: [{ type: 'item_reference', id: item }],
    };
    const refused = await site.ask('POST', '', site.aliceKey, body);
    expect(refused.status).toBe(400);
    expect(errorOf(refused)['message']).toContain('where the rest of the conversation is');
  });

  it('that was not made here is left to the upstream', async () => {
    const refused = await goOn('msg_elsewhere');
    expect(refused.status).toBe(400);
    expect(errorOf(refused)['message']).toMatch(/^Item with id 'msg_elsewhere' not found\./);
  });
});
