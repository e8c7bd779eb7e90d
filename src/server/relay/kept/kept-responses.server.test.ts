import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allChannels } from '#core/channel/testing/all-channels.ts';
import { channelStatus } from '#contract/codes.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';
import { errorOf, startTwoAccounts } from '../../http/testing/two-accounts.ts';

/** Two accounts at one fake upstream serve the same model: what one keeps the other does not know. */

const MODEL = 'gpt-kept';
let site: Awaited<ReturnType<typeof startTwoAccounts>>;

beforeAll(async () => {
  site = await startTwoAccounts(MODEL);
  const prices = JSON.stringify({ [MODEL]: 1, 'claude-kept': 1 });
  await site.server().parts.stores.options.set('ModelRatio', prices, 1);
  const { url: baseUrl } = site.simulator;
  await site.stage().channel(site.root, { type: 14, baseUrl, models: 'claude-kept' });
});
afterAll(() => site.stop());

const say = (input: string, more: object = {}) =>
  site
    .client(site.aliceKey)
    .responses.create({ model: MODEL, input, ...more } as { model: string; input: string });
const paid = async () => (await site.server().parts.stores.users.byId(site.alice.id))?.usedQuotaUnits ?? 0;

describe('a response its upstream keeps', () => {
  it('is read again unchanged, with its input, at no cost', async () => {
    const { responses } = site.client(site.aliceKey);
    const made = await say('say keep this');
    const before = await paid();
    expect(before).toBeGreaterThan(0);
    const again = await responses.retrieve(made.id);
    expect(again.output_text).toBe('keep this');
    expect(again.usage).toEqual(made.usage);
    const items = await responses.inputItems.list(made.id, { limit: 5 });
    expect(items.data).toMatchObject([{ role: 'user', content: 'say keep this' }]);
    expect((await site.simulator.calls()).last?.path).toBe(`/v1/responses/${made.id}/input_items?limit=5`);
    expect(await paid()).toBe(before);
  });

  it("is streamed again from the caller's position", async () => {
    const made = await say('say one two three');
    const stream = await site
      .client(site.aliceKey)
      .responses.retrieve(made.id, { stream: true, starting_after: 2 });
    const seen: number[] = [];
    let last = '';
    for await (const event of stream) {
      seen.push(event.sequence_number);
      last = event.type;
    }
    expect([seen[0], last]).toEqual([3, 'response.completed']);
  });

  it('from a stream is found too, at the account that made it', async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      const stream = await site.client(site.aliceKey).responses.create({
        model: MODEL,
        input: `say turn ${String(turn)}`,
        stream: true,
      });
      let id = '';
      for await (const event of stream) if (event.type === 'response.created') ({ id } = event.response);
      expect((await site.client(site.aliceKey).responses.retrieve(id)).output_text).toBe(
        `turn ${String(turn)}`,
      );
    }
  });

  it('is always continued at the same account', async () => {
    let previous = await say('say first');
    for (let turn = 0; turn < 8; turn += 1)
      previous = await say(`say turn ${String(turn)}`, { previous_response_id: previous.id });
    expect(previous.output_text).toBe('turn 7');
  });

  it('is compacted at the account that keeps it, by its user alone', async () => {
    const accounts = new Set<unknown>();
    // Which account is asked is drawn: until each was, which six draws would miss once in 32 runs.
    for (let turn = 0; accounts.size < 2 && turn < 60; turn += 1) {
      const made = await say(`say turn ${String(turn)}`);
      const at = (await site.simulator.calls()).last?.headers['authorization'];
      const body = { model: MODEL, input: 'go on', previous_response_id: made.id };
      await site.ask('POST', '/compact', site.aliceKey, body);
      const { last } = await site.simulator.calls();
      expect([last?.path, last?.headers['authorization']]).toEqual(['/v1/responses/compact', at]);
      accounts.add(at);
      await site.simulator.reset();
      const refused = await site.ask('POST', '/compact', site.bobKey, body);
      expect([refused.status, errorOf(refused)['code']]).toEqual([400, 'previous_response_not_found']);
      expect((await site.simulator.calls()).count).toBe(0);
    }
    expect(accounts.size).toBe(2);
  });

  it('outlives the server', async () => {
    const made = await say('say I stay');
    await site.restart();
    expect((await site.client(site.aliceKey).responses.retrieve(made.id)).output_text).toBe('I stay');
  });

  it('is deleted once, and is then not found', async () => {
    const made = await say('say bye');
    expect(JSON.parse((await site.ask('DELETE', `/${made.id}`)).text)).toMatchObject({ deleted: true });
    expect((await site.ask('DELETE', `/${made.id}`)).status).toBe(404);
    expect((await site.ask('GET', `/${made.id}`)).status).toBe(404);
  });

  it("that has ended cannot be cancelled, in the upstream's words", async () => {
    const made = await say('say done');
    const refused = await site.ask('POST', `/${made.id}/cancel`);
    expect(refused.status).toBe(400);
    expect(errorOf(refused)['message']).toMatch(/^Cannot cancel a synchronous response\./);
  });
});

describe("another user's response", () => {
  it('is not found by any operation, and no upstream is called', async () => {
    const made = await say('say a secret');
    await site.simulator.reset();
    const unknown = await site.ask('GET', '/resp_never', site.bobKey);
    for (const [method, rest] of [
      ['GET', ''],
      ['GET', '?stream=true'],
      ['GET', '/input_items'],
      ['POST', '/cancel'],
      ['DELETE', ''],
    ] as const) {
      const refused = await site.ask(method, `/${made.id}${rest}`, site.bobKey);
      expect([method, rest, refused.status]).toEqual([method, rest, 404]);
      expect(errorOf(refused)['type']).toBe('invalid_request_error');
      expect(errorOf(refused)['code']).toBe(errorOf(unknown)['code']);
    }
    const chained = { model: MODEL, input: 'what was it?', previous_response_id: made.id };
    const refused = await site.ask('POST', '', site.bobKey, chained);
    expect(refused.status).toBe(400);
    expect(errorOf(refused)).toMatchObject({
      param: 'previous_response_id',
      code: 'previous_response_not_found',
    });
    expect((await site.simulator.calls()).count).toBe(0);
    expect((await site.ask('GET', `/${made.id}`, 'wrong')).status).toBe(401);
  });

  it('is no measure of what this caller’s prompt left in the cache; the caller’s own response is, at any channel', async () => {
    const made = await say('say a secret');
    const comparing = {
      model: MODEL,
      input: 'say it again',
      prompt_cache_options: { comparison_response_id: made.id },
    };
    for (let turn = 0; turn < 4; turn += 1)
      expect((await site.ask('POST', '', site.aliceKey, comparing)).status).toBe(200);
    await site.simulator.reset();
    const refused = await site.ask('POST', '', site.bobKey, comparing);
    expect([refused.status, errorOf(refused)['code'], errorOf(refused)['param']]).toEqual([
      400,
      'comparison_response_not_found',
      'prompt_cache_options',
    ]);
    expect((await site.simulator.calls()).count).toBe(0);
  });
});

describe('a response made elsewhere', () => {
  it('is left to the upstream, whose own error comes back', async () => {
    const body = { model: MODEL, input: 'hi', previous_response_id: 'resp_elsewhere' };
    const refused = await site.ask('POST', '', site.aliceKey, body);
    expect(refused.status).toBe(400);
    expect(errorOf(refused)['code']).toBe('previous_response_not_found');
    expect((await site.simulator.calls()).last?.body).toEqual(body);
    expect((await site.ask('GET', '/resp_elsewhere')).status).toBe(404);
    // It does not speak of the channel: the next call is a native one as before.
    expect((await say('say still here')).output_text).toBe('still here');
    expect((await site.simulator.calls()).last?.path).toBe('/v1/responses');
  });

  it('a conversation belongs to the first user who continues it', async () => {
    const body = { model: MODEL, input: 'say mine', conversation: 'conv_1' };
    expect((await site.ask('POST', '', site.aliceKey, body)).status).toBe(200);
    expect(
      (await site.ask('POST', '', site.aliceKey, { ...body, conversation: { id: 'conv_1' } })).status,
    ).toBe(200);
    const refused = await site.ask('POST', '', site.bobKey, body);
    expect(refused.status).toBe(400);
    expect(errorOf(refused)).toMatchObject({ param: 'conversation', code: 'conversation_not_found' });
  });
});

describe('what cannot be kept or continued', () => {
  it('is refused before anything is held, by the name of the field', async () => {
    for (const [field, body] of [
      ['store', { model: 'claude-kept', store: true }],
      ['previous_response_id', { model: 'claude-kept', previous_response_id: 'resp_1' }],
      ['background', { model: 'claude-kept', background: true }],
    ] as const) {
      const refused = await site.ask('POST', '', site.aliceKey, { input: 'hi', ...body });
      expect([field, refused.status]).toEqual([field, 400]);
      expect(errorOf(refused)['param']).toBe(field);
    }
  });

  it('a response with `store: false` is not recorded', async () => {
    const made = await say('say nothing stays', { store: false });
    expect((await site.ask('GET', `/${made.id}`)).status).toBe(404);
  });

  it("a disabled channel's responses are not found", async () => {
    const made = await say('say where?');
    for (const { id, models } of await allChannels(site.server().parts.stores.channels))
      if (models === MODEL)
        await site.server().parts.channels.update(site.root, id, { status: channelStatus.disabled });
    const gone = await site.ask('GET', `/${made.id}`);
    expect(gone.status).toBe(404);
    expect(errorOf(gone)['message']).toContain('no longer serves it');
    await site
      .stage()
      .channel(site.root, { type: 1, baseUrl: site.simulator.url, models: MODEL, key: 'sk-third-account' });
    const refused = await site.ask('POST', '', site.aliceKey, {
      model: MODEL,
      input: 'go on',
      previous_response_id: made.id,
    });
    expect(refused.status).toBe(400);
    expect(errorOf(refused)['param']).toBe('previous_response_id');
  });

  it('reads count as calls if the operator limits calls', async () => {
    const { options } = site.server().parts.stores;
    await options.set('ModelRequestRateLimitEnabled', 'true', 1);
    await options.set('ModelRequestRateLimitCount', '1', 1);
    await site.server().parts.refreshRouting();
    const statuses = [
      (await site.ask('GET', '/resp_1', site.bobKey)).status,
      (await site.ask('GET', '/resp_1', site.bobKey)).status,
    ];
    expect(statuses).toEqual([404, 429]);
  });

  it('leaves no hold open and every unit accounted for', async () => {
    const broken = await brokenRules(site.server().parts.stores.database);
    expect(broken).toEqual([]);
  });
});
