import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hangUp, listening } from '../../../outbound/testing/local-server.ts';
import { openScene, type Scene, type Spender } from '../../testing/scene.ts';

/** What everybody may see of how available models are, from calls to the page. */

const USERS = 3;
/** More than the least, so that single calls do not decide. */
const CALLS = 8;

let upstream: Server;
let scene: Scene;
let spenders: Spender[];
let alone: Spender;

const answer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Fine.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
};
const streamed = `data: ${JSON.stringify({
  ...answer,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: { content: 'Fine.' }, finish_reason: 'stop' }],
})}\n\ndata: [DONE]\n\n`;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    let body = '';
    request
      .on('data', (piece: Buffer) => (body += piece.toString()))
      .on('end', () => {
        if (body.includes('please fail')) return response.writeHead(500).end('{}');
        if (body.includes('mistake')) return response.writeHead(400).end('{"error":{"message":"no"}}');
        if (!body.includes('"stream":true'))
          return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
        return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamed);
      });
  });
  await listening(upstream);
  scene = await openScene();
  const { port } = upstream.address() as AddressInfo;
  await scene.stage.channel(scene.root, {
    name: 'secret supplier',
    baseUrl: `http://127.0.0.1:${String(port)}`,
    models: 'gpt-4o,gpt-4o-mini,o3',
  });
  await scene.set('RetryTimes', 0);
  alone = await scene.spender('alone', 100_000_000);
  spenders = [];
  for (let at = 0; at < USERS; at += 1) spenders.push(await scene.spender(`user-${String(at)}`, 100_000_000));
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

const ask = async (who: Spender, model: string, text: string, stream = false): Promise<number> => {
  const reply = await fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${who.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: text }], ...(stream && { stream }) }),
  });
  await reply.text();
  return reply.status;
};

const read = async (query = '') => {
  const reply = await fetch(`${scene.server.url}/api/availability${query}`);
  const text = await reply.text();
  return { text, ...(JSON.parse(text) as { success: boolean; data: Data }) };
};
interface Data {
  readonly step_seconds: number;
  readonly models: readonly {
    readonly model: string;
    readonly percent: number | null;
    readonly bars: readonly (number | null)[];
    readonly first_token_ms: { readonly p50: number } | null;
  }[];
}

describe('the availability of models', () => {
  it('is hidden until the operator shows it', async () => {
    expect(await read()).toMatchObject({ success: false });
  });

  it('is the share of answered calls, without mistakes of callers, and never that of a single caller', async () => {
    await scene.set('availability_setting.enabled', true);
    for (const who of spenders) {
      for (let call = 0; call < CALLS; call += 1) expect(await ask(who, 'gpt-4o', 'hello', true)).toBe(200);
      expect(await ask(who, 'gpt-4o', 'mistake')).toBe(400);
      expect(await ask(who, 'gpt-4o', 'please fail')).toBeGreaterThanOrEqual(500);
    }
    for (let call = 0; call < 30; call += 1) expect(await ask(alone, 'gpt-4o-mini', 'hello')).toBe(200);
    await scene.restart();
    const { data } = await read();
    expect(data.models.map(({ model }) => model)).toEqual(['gpt-4o', 'gpt-4o-mini', 'o3']);
    const [asked, ofOne, unasked] = data.models;
    // 24 of 27 calls.
    expect(asked).toMatchObject({ percent: 88.8 });
    expect(asked?.bars.filter((bar) => bar !== null)).toEqual([88.5]);
    expect(asked?.first_token_ms?.p50).toBeGreaterThan(0);
    expect(ofOne).toMatchObject({ percent: null, first_token_ms: null });
    expect(ofOne?.bars).toEqual(unasked?.bars);
  });

  it.each([
    ['24h', 24, 3600],
    ['7d', 7, 86_400],
    ['30d', 30, 86_400],
    ['90d', 90, 86_400],
  ])('is kept for %s', async (span, bars, step) => {
    const { data } = await read(`?span=${span}`);
    expect(data).toMatchObject({ step_seconds: step });
    expect(data.models[0]?.bars).toHaveLength(bars);
    expect(data.models[0]?.bars.at(-1) ?? data.models[0]?.bars.at(-2)).toBe(88.5);
  });

  it('tells neither channels, users, groups, prices nor how many calls there were', async () => {
    const { text, data: shown } = await read('?span=7d');
    for (const secret of ['supplier', 'user-', 'alone', 'default', 'quota', 'calls'])
      expect(text).not.toContain(secret);
    // The 27 calls are in no field: only these exist, and none of them counts.
    expect(Object.keys(shown).toSorted()).toEqual([
      'from',
      'models',
      'more',
      'read_at',
      'span',
      'step_seconds',
    ]);
    expect(Object.keys((await read()).data.models[0] ?? {}).toSorted()).toEqual([
      'bars',
      'first_token_ms',
      'model',
      'percent',
    ]);
  });

  it('is of the models and groups that the operator shows, from the next call on', async () => {
    await scene.set('availability_setting.models', '["gpt-4o-*"]');
    expect((await read()).data.models.map(({ model }) => model)).toEqual(['gpt-4o-mini']);
    await scene.set('availability_setting.groups', '["vip"]');
    expect((await read()).data.models).toEqual([]);
    await scene.set('availability_setting.enabled', false);
    expect(await read()).toMatchObject({ success: false });
  });
});
