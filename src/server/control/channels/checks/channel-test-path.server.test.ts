import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allChannels } from '#core/channel/testing/all-channels.ts';
import { type RunningProxy, startProxy } from '../../../../simulator/proxy/start.ts';
import { type RunningSimulator, startSimulator } from '../../../../simulator/start.ts';
import type { Caller } from '../../../http/testing/caller.ts';
import { startSmallUpstream } from '../../../http/testing/small-upstream.ts';
import { openScene, type Scene } from '../../../http/testing/scene.ts';

/** A test of a channel sends what a call would, and shows it. */

const KEY = 'sk-canary-of-a-tested-channel';
const PASSWORD = 'canary-of-a-proxy';
const HOST = 'tested.example';
let scene: Scene;
let simulator: RunningSimulator;
let proxy: RunningProxy;
let call: Caller;
let payerKey: string;

beforeAll(async () => {
  [simulator, proxy, scene] = await Promise.all([startSimulator(), startProxy(), openScene()]);
  call = scene.stage.caller(await scene.stage.session(scene.root));
  payerKey = (await scene.spender('payer', 1_000_000)).key;
  await scene.stage.option(scene.root, 'ModelRatio', JSON.stringify({ alias: 1, embed: 1 }));
  const name = { name: HOST, to: new URL(simulator.url).host };
  await proxy.set({ fault: 'none', password: PASSWORD, ...name });
});
afterAll(async () => {
  await scene.close();
  await Promise.all([simulator.stop(), proxy.stop()]);
});

const wish = (type: number, model: string) => ({
  type,
  name: 'tested',
  key: KEY,
  models: model,
  base_url: `http://${HOST}`,
  openai_organization: 'org-1',
  model_mapping: JSON.stringify({ alias: 'gpt-small' }),
  param_override: JSON.stringify({ temperature: 0.25, top_p: 0.5 }),
  setting: JSON.stringify({
    proxy: `http://operator:${PASSWORD}@${proxy.host}`,
    system_prompt: 'Answer as a pirate.',
  }),
});
const onlyChannel = async (type: number, model: string): Promise<number> => {
  const { channels } = scene.server.parts;
  for (const { id } of await allChannels(scene.server.parts.stores.channels))
    await channels.delete(scene.root, id);
  expect((await call('/api/channel', { method: 'POST', body: wish(type, model) })).message).toBe('');
  return (await allChannels(scene.server.parts.stores.channels))[0]?.id ?? 0;
};
/** What the upstream saw of what this sends. */
const seen = async (send: () => Promise<unknown>) => {
  await simulator.reset();
  await send();
  const { count, last } = await simulator.calls();
  expect(count).toBe(1);
  return last;
};
const chat = async (stream: boolean): Promise<void> => {
  const answer = await fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${payerKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'alias',
      messages: [{ role: 'user', content: 'hi' }],
      max_tokens: 10,
      ...(stream && { stream }),
    }),
  });
  expect(answer.status).toBe(200);
  await answer.text();
};
interface Shown {
  readonly time: number;
  readonly report: {
    readonly format: string;
    readonly upstream_model: string;
    readonly first_token_ms: number | null;
    readonly total_ms: number;
    readonly output_tokens: number;
    readonly exchanges: readonly Record<string, unknown>[];
  };
}

describe.each([
  [1, 'openai-chat', '/v1/chat/completions'],
  [14, 'anthropic-messages', '/v1/messages'],
])('a channel of type %i', (type, format, path) => {
  it.each([false, true])('is tested with the request that a call would send (stream: %s)', async (stream) => {
    const id = await onlyChannel(type, 'alias');
    const asCall = await seen(() => chat(stream));
    const asTest = await seen(() => call(`/api/channel/test/${String(id)}?stream=${String(stream)}`));
    expect(asTest).toEqual(asCall);
    const body = { ...wish(type, 'alias'), stream };
    const asDraft = await seen(() => call('/api/channel/test', { method: 'POST', body }));
    expect(asDraft).toEqual(asCall);
    expect(asCall?.body).toMatchObject({ model: 'gpt-small', temperature: 0.25, top_p: 0.5 });
    expect(JSON.stringify(asCall?.body)).toContain('Answer as a pirate.');
  });

  it('shows requests and responses without secrets', async () => {
    const id = await onlyChannel(type, 'alias');
    const { text, success } = await call(`/api/channel/test/${String(id)}?stream=true`);
    expect(success).toBe(true);
    for (const secret of [KEY, PASSWORD]) expect(text).not.toContain(secret);
    const { report } = JSON.parse(text) as Shown;
    expect(report).toMatchObject({ format, upstream_model: 'gpt-small', output_tokens: expect.any(Number) });
    expect(report.first_token_ms).toBeLessThanOrEqual(report.total_ms);
    const { last } = await simulator.calls();
    expect(report.exchanges).toEqual([
      {
        method: 'POST',
        url: `http://${HOST}${path}`,
        proxy: `http://operator@${proxy.host}`,
        headers: expect.objectContaining({ 'content-type': 'application/json' }),
        body: JSON.stringify(last?.body),
        status: 200,
        head_ms: expect.any(Number),
        reply_headers: expect.objectContaining({
          'content-type': expect.stringContaining('text/event-stream'),
        }),
        reply: expect.stringContaining('data: '),
        reply_bytes: expect.any(Number),
      },
    ]);
  });
});

it('a stream is read to its end, where its usage is', async () => {
  const slow = await startSimulator({ speed: 50 });
  const body = { ...wish(1, 'alias'), base_url: slow.url, setting: '', stream: true };
  const got = await call('/api/channel/test', { method: 'POST', body });
  await slow.stop();
  const { report } = JSON.parse(got.text) as Shown;
  expect(report.exchanges).toEqual([
    expect.objectContaining({ reply: expect.stringMatching(/"usage":[^]*data: \[DONE\]/) }),
  ]);
  expect(report.output_tokens).toBeGreaterThan(0);
});

it('embeddings are tested for models of that name', async () => {
  const id = await onlyChannel(1, 'embed');
  const asTest = await seen(() => call(`/api/channel/test/${String(id)}`));
  expect(asTest).toMatchObject({ path: '/v1/embeddings', body: { model: 'embed', input: ['hello world'] } });
});

it('what an upstream refuses is shown with the refusal, without the key it repeats', async () => {
  const upstream = await startSmallUpstream();
  const base_url = `${upstream.url}/echo`;
  const body = { ...wish(1, 'alias'), base_url, setting: '' };
  const got = await call('/api/channel/test', { method: 'POST', body });
  await upstream.close();
  expect([got.success, got.message]).toEqual([false, expect.stringContaining('(401)')]);
  expect(got.text).not.toContain(KEY);
  const { report } = JSON.parse(got.text) as Shown;
  expect(report.exchanges).toEqual([
    expect.objectContaining({
      url: `${base_url}/v1/chat/completions`,
      status: 401,
      reply: expect.stringContaining('Incorrect API key provided: Bearer ***'),
    }),
  ]);
});
