import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { role } from '#contract/codes.ts';
import type { User } from '#core/user/user.ts';
import { readConfig } from '../config.ts';
import { type RunningServer, startServer } from '../main.ts';
import { type RunningSimulator, startSimulator } from '../../simulator/start.ts';
import { payingKey } from './testing/paying-key.ts';
import { setStage } from './testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from './testing/test-config.ts';

/** Items of kept responses that later requests only name: what one account keeps the other does not know. */

/** What is looked for comes in its time, also where the machine has much else to do. */
const PATIENT = { timeout: 15_000 };

const MODEL = 'gpt-items';
const folder = temporaryFolder();
let simulator: RunningSimulator;
let server: RunningServer;
let alice: User;
let aliceKey: string;
let bobKey: string;

beforeAll(async () => {
  simulator = await startSimulator();
  server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
  const stage = await setStage(server);
  const root = await stage.person('root', role.root);
  await server.parts.stores.options.set('ModelRatio', JSON.stringify({ [MODEL]: 1 }), 1);
  for (const key of ['sk-first-account', 'sk-second-account'])
    await stage.channel(root, { type: 1, baseUrl: simulator.url, models: MODEL, key });
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
  new OpenAI({ baseURL: `${server.url}/v1`, apiKey: `sk-${apiKey}`, maxRetries: 0 });
const say = (input: string) => client(aliceKey).responses.create({ model: MODEL, input });
const ask = async (method: string, path: string, key: string, body: object) => {
  const answer = await fetch(`${server.url}/v1/responses${path}`, {
    method,
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
};
const errorOf = ({ text }: { text: string }) =>
  (JSON.parse(text) as { error: Record<string, unknown> }).error;

describe('an item its upstream keeps', () => {
  const goOn = (id: string, key = aliceKey) =>
    ask('POST', '', key, {
      model: MODEL,
      input: [
        { type: 'item_reference', id },
        { role: 'user', content: 'say on' },
      ],
    });

  it('is named at the account that made it, whether it came whole or in a stream', async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      const made = await say(`say item ${String(turn)}`);
      expect((await goOn(made.output[0]?.id ?? '')).status).toBe(200);
      const body = { model: MODEL, input: `say piece ${String(turn)}`, stream: true } as const;
      let id = '';
      for await (const event of await client(aliceKey).responses.create(body))
        if (event.type === 'response.output_item.added') id = event.item.id ?? '';
      expect((await goOn(id)).status).toBe(200);
    }
  });

  it('of somebody else is not there, and no upstream hears of it', async () => {
    const [item] = (await say('say mine alone')).output;
    await simulator.reset();
    const refused = await goOn(item?.id ?? '', bobKey);
    expect(refused.status).toBe(400);
    expect(errorOf(refused)).toMatchObject({ param: 'input', code: 'item_not_found' });
    const thought = { model: MODEL, input: [{ type: 'reasoning', id: item?.id, summary: [] }] };
    expect((await ask('POST', '', bobKey, thought)).status).toBe(400);
    expect((await simulator.calls()).count).toBe(0);
  });

  it('cannot be named together with what another account keeps', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => say('say where')));
    const channels = new Map<number, string>();
    await vi.waitFor(async () => {
      for (const { id } of made) {
        const kept = await server.parts.stores.keptResponses.find(alice.id, id, Date.now());
        if (kept !== undefined) channels.set(kept.channelId, id);
      }
      expect(channels.size).toBe(2);
    }, PATIENT);
    const ids = [...channels.values()];
    const item = `msg_${(ids[0] ?? '').replace('resp_', '')}`;
    const body = {
      model: MODEL,
      previous_response_id: ids[1],
      input: [{ type: 'item_reference', id: item }],
    };
    const refused = await ask('POST', '', aliceKey, body);
    expect(refused.status).toBe(400);
    expect(errorOf(refused)['message']).toContain('where the rest of the conversation is');
  });

  it('that nobody made here is the upstream’s business', async () => {
    const refused = await goOn('msg_elsewhere');
    expect(refused.status).toBe(400);
    expect(errorOf(refused)['message']).toMatch(/^Item with id 'msg_elsewhere' not found\./);
  });
});
