import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { channelStatus, role } from '#contract/codes.ts';
import type { User } from '#core/user/user.ts';
import { readConfig } from '../config.ts';
import { type RunningServer, startServer } from '../main.ts';
import { auditDatabase } from '../store/audit.ts';
import { type RunningSimulator, startSimulator } from '../../simulator/start.ts';
import { payingKey } from './testing/paying-key.ts';
import { type Stage, setStage } from './testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from './testing/test-config.ts';

/** Two accounts at one fake upstream serve the same model: what one keeps the other does not know. */

const MODEL = 'gpt-kept';
const folder = temporaryFolder();
let simulator: RunningSimulator;
let server: RunningServer;
let stage: Stage;
let root: User;
let alice: User;
let aliceKey: string;
let bobKey: string;

beforeAll(async () => {
  simulator = await startSimulator();
  server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
  stage = await setStage(server);
  root = await stage.person('root', role.root);
  const options = server.parts.stores.options;
  await options.set('ModelRatio', JSON.stringify({ [MODEL]: 1, 'claude-kept': 1 }), 1);
  for (const key of ['sk-first-account', 'sk-second-account'])
    await stage.channel(root, { type: 1, baseUrl: simulator.url, models: MODEL, key });
  await stage.channel(root, { type: 14, baseUrl: simulator.url, models: 'claude-kept' });
  alice = await stage.person('alice');
  aliceKey = await payingKey(server, alice);
  bobKey = await payingKey(server, await stage.person('bob'));
});
afterAll(async () => {
  await server.stop();
  await simulator.stop();
  folder.remove();
});

const client = (apiKey: string): OpenAI =>
  new OpenAI({ baseURL: `${stage.url}/v1`, apiKey: `sk-${apiKey}`, maxRetries: 0 });
const say = (input: string, more: object = {}) =>
  client(aliceKey).responses.create({ model: MODEL, input, ...more } as { model: string; input: string });
const ask = async (method: string, path: string, key = aliceKey, body?: object) => {
  const answer = await fetch(`${stage.url}/v1/responses${path}`, {
    method,
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
};
const errorOf = ({ text }: { text: string }) =>
  (JSON.parse(text) as { error: Record<string, unknown> }).error;
const paid = async () => (await server.parts.stores.users.byId(alice.id))?.usedQuotaUnits ?? 0;

describe('a response its upstream keeps', () => {
  it('is given again as it was, with its input, and costs nothing again', async () => {
    const { responses } = client(aliceKey);
    const made = await say('say keep this');
    const before = await paid();
    expect(before).toBeGreaterThan(0);
    const again = await responses.retrieve(made.id);
    expect(again.output_text).toBe('keep this');
    expect(again.usage).toEqual(made.usage);
    const items = await responses.inputItems.list(made.id, { limit: 5 });
    expect(items.data).toMatchObject([{ role: 'user', content: 'say keep this' }]);
    expect((await simulator.calls()).last?.path).toBe(`/v1/responses/${made.id}/input_items?limit=5`);
    expect(await paid()).toBe(before);
  });

  it('is streamed again from where the caller was', async () => {
    const made = await say('say one two three');
    const stream = await client(aliceKey).responses.retrieve(made.id, { stream: true, starting_after: 2 });
    const seen: number[] = [];
    let last = '';
    for await (const event of stream) {
      seen.push(event.sequence_number);
      last = event.type;
    }
    expect([seen[0], last]).toEqual([3, 'response.completed']);
  });

  it('of a stream is found as well, under the account that made it', async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      const stream = await client(aliceKey).responses.create({
        model: MODEL,
        input: `say turn ${String(turn)}`,
        stream: true,
      });
      let id = '';
      for await (const event of stream) if (event.type === 'response.created') ({ id } = event.response);
      expect((await client(aliceKey).responses.retrieve(id)).output_text).toBe(`turn ${String(turn)}`);
    }
  });

  it('is gone on from at the same account every time', async () => {
    let previous = await say('say first');
    for (let turn = 0; turn < 8; turn += 1)
      previous = await say(`say turn ${String(turn)}`, { previous_response_id: previous.id });
    expect(previous.output_text).toBe('turn 7');
  });

  it('outlives the server', async () => {
    const made = await say('say I stay');
    await server.stop();
    server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
    stage = await setStage(server);
    expect((await client(aliceKey).responses.retrieve(made.id)).output_text).toBe('I stay');
  });

  it('is deleted once, and then nobody knows it', async () => {
    const made = await say('say bye');
    expect(JSON.parse((await ask('DELETE', `/${made.id}`)).text)).toMatchObject({ deleted: true });
    expect((await ask('DELETE', `/${made.id}`)).status).toBe(404);
    expect((await ask('GET', `/${made.id}`)).status).toBe(404);
  });

  it('that is over cannot be cancelled, in the upstream’s words', async () => {
    const made = await say('say done');
    const refused = await ask('POST', `/${made.id}/cancel`);
    expect(refused.status).toBe(400);
    expect(errorOf(refused)['message']).toMatch(/^Cannot cancel a synchronous response\./);
  });
});

describe('a response of somebody else', () => {
  it('is not there, whatever is asked of it, and no upstream hears of it', async () => {
    const made = await say('say a secret');
    await simulator.reset();
    const unknown = await ask('GET', '/resp_never', bobKey);
    for (const [method, rest] of [
      ['GET', ''],
      ['GET', '?stream=true'],
      ['GET', '/input_items'],
      ['POST', '/cancel'],
      ['DELETE', ''],
    ] as const) {
      const refused = await ask(method, `/${made.id}${rest}`, bobKey);
      expect([method, rest, refused.status]).toEqual([method, rest, 404]);
      expect(errorOf(refused)['type']).toBe('invalid_request_error');
      expect(errorOf(refused)['code']).toBe(errorOf(unknown)['code']);
    }
    const chained = { model: MODEL, input: 'what was it?', previous_response_id: made.id };
    const refused = await ask('POST', '', bobKey, chained);
    expect(refused.status).toBe(400);
    expect(errorOf(refused)).toMatchObject({
      param: 'previous_response_id',
      code: 'previous_response_not_found',
    });
    expect((await simulator.calls()).count).toBe(0);
    expect((await ask('GET', `/${made.id}`, 'wrong')).status).toBe(401);
  });
});

describe('what was made elsewhere', () => {
  it('is the upstream’s business: its own words come back', async () => {
    const body = { model: MODEL, input: 'hi', previous_response_id: 'resp_elsewhere' };
    const refused = await ask('POST', '', aliceKey, body);
    expect(refused.status).toBe(400);
    expect(errorOf(refused)['code']).toBe('previous_response_not_found');
    expect((await simulator.calls()).last?.body).toEqual(body);
    expect((await ask('GET', '/resp_elsewhere')).status).toBe(404);
    // It does not speak of the channel: the next call is a native one as before.
    expect((await say('say still here')).output_text).toBe('still here');
    expect((await simulator.calls()).last?.path).toBe('/v1/responses');
  });

  it('a conversation belongs to whoever speaks in it first', async () => {
    const body = { model: MODEL, input: 'say mine', conversation: 'conv_1' };
    expect((await ask('POST', '', aliceKey, body)).status).toBe(200);
    expect((await ask('POST', '', aliceKey, { ...body, conversation: { id: 'conv_1' } })).status).toBe(200);
    const refused = await ask('POST', '', bobKey, body);
    expect(refused.status).toBe(400);
    expect(errorOf(refused)).toMatchObject({ param: 'conversation', code: 'conversation_not_found' });
  });
});

describe('what cannot be kept or gone on from', () => {
  it('is refused before anything is held, by the name of the field', async () => {
    for (const [field, body] of [
      ['store', { model: 'claude-kept', store: true }],
      ['previous_response_id', { model: 'claude-kept', previous_response_id: 'resp_1' }],
      ['background', { model: 'claude-kept', background: true }],
    ] as const) {
      const refused = await ask('POST', '', aliceKey, { input: 'hi', ...body });
      expect([field, refused.status]).toEqual([field, 400]);
      expect(errorOf(refused)['param']).toBe(field);
    }
  });

  it('a response nobody wanted kept is not remembered', async () => {
    const made = await say('say nothing stays', { store: false });
    expect((await ask('GET', `/${made.id}`)).status).toBe(404);
  });

  it('a channel that is switched off keeps nothing any more', async () => {
    const made = await say('say where?');
    for (const { id, models } of await server.parts.stores.channels.all())
      if (models === MODEL) await server.parts.channels.update(root, id, { status: channelStatus.disabled });
    const gone = await ask('GET', `/${made.id}`);
    expect(gone.status).toBe(404);
    expect(errorOf(gone)['message']).toContain('no longer serves it');
    await stage.channel(root, { type: 1, baseUrl: simulator.url, models: MODEL, key: 'sk-third-account' });
    const refused = await ask('POST', '', aliceKey, {
      model: MODEL,
      input: 'go on',
      previous_response_id: made.id,
    });
    expect(refused.status).toBe(400);
    expect(errorOf(refused)['param']).toBe('previous_response_id');
  });

  it('asks count as calls where the operator limits those', async () => {
    const { options } = server.parts.stores;
    await options.set('ModelRequestRateLimitEnabled', 'true', 1);
    await options.set('ModelRequestRateLimitCount', '1', 1);
    await server.parts.refreshRouting();
    const statuses = [
      (await ask('GET', '/resp_1', bobKey)).status,
      (await ask('GET', '/resp_1', bobKey)).status,
    ];
    expect(statuses).toEqual([404, 429]);
  });

  it('leaves no hold open and every unit accounted for', async () => {
    const broken = (await auditDatabase(server.parts.stores.database, Date.now())).filter(
      ({ violations }) => violations > 0,
    );
    expect(broken).toEqual([]);
  });
});
