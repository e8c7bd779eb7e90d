import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import { readConfig } from '../../config.ts';
import { type RunningServer, startServer } from '../../main.ts';
import { type RunningSimulator, startSimulator } from '../../../simulator/start.ts';
import { type Stage, setStage } from '../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';

/** What is special about single formats, through the whole server. */

const folder = temporaryFolder();
let simulator: RunningSimulator;
let server: RunningServer;
let stage: Stage;
let key: string;

beforeAll(async () => {
  simulator = await startSimulator();
  server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
  stage = await setStage(server);
  const { options } = server.parts.stores;
  const ratios = { 'gemini-list': 1, 'gemini-any': 1, 'claude-any': 1, 'kimi-any': 1, 'whisper-set': 1 };
  await options.set('ModelRatio', JSON.stringify(ratios), 1);
  const root = await stage.person('root', role.root);
  await stage.channel(root, { type: 24, baseUrl: simulator.url, models: 'gemini-list,gemini-any' });
  await stage.channel(root, { type: 14, baseUrl: simulator.url, models: 'claude-any' });
  await stage.channel(root, { type: 25, baseUrl: simulator.url, models: 'kimi-any' });
  const paramOverride = JSON.stringify({ language: 'de', temperature: 0.5, nested: { left: 'out' } });
  await stage.channel(root, { type: 1, baseUrl: simulator.url, models: 'whisper-set', paramOverride });
  key = await stage.spendingKey(await stage.person('alice'));
});
afterAll(async () => {
  await server.stop();
  await simulator.stop();
  folder.remove();
});

const post = (path: string, body: object): Promise<Response> =>
  fetch(`${stage.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('an upstream that answers Gemini streams as one list, whatever was requested', () => {
  const body = { contents: [{ role: 'user', parts: [{ text: 'say one two' }] }] };
  const stream = '/v1beta/models/gemini-list:streamGenerateContent';
  const textOf = (answers: readonly unknown[]): string =>
    (answers as { candidates: { content: { parts: { text: string }[] } }[] }[])
      .map(({ candidates }) => candidates[0]?.content.parts[0]?.text)
      .join('');

  it('becomes a list for callers that want a list, and events for callers that want events', async () => {
    const list = await post(stream, body);
    expect(list.headers.get('content-type')).toMatch(/^application\/json/);
    expect(textOf((await list.json()) as unknown[])).toBe('one two');
    const events = await post(`${stream}?alt=sse`, body);
    expect(events.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const data = (await events.text()).split('\n\n').filter((event) => event.startsWith('data: '));
    expect(textOf(data.map((event) => JSON.parse(event.slice(6)) as unknown))).toBe('one two');
  });

  it('becomes a stream for callers of other formats, and is charged by its report', async () => {
    const messages = [{ role: 'user', content: 'say one two' }];
    const answer = await post('/v1/chat/completions', { model: 'gemini-list', messages, stream: true });
    expect(await answer.text()).toMatch(/"one[^]*"finish_reason":"stop"[^]*data: \[DONE\]/);
    await expect
      .poll(async () => {
        const { items } = await server.parts.stores.logs.page({}, { page: 1, pageSize: 1 });
        const other = JSON.parse(items[0]?.other ?? '{}') as { admin_info?: Record<string, unknown> };
        return other.admin_info?.['local_count_tokens'];
      })
      .toBe(false);
  });
});

describe('a tool that takes free text, whatever the upstream speaks', () => {
  const tools = [{ type: 'custom' as const, name: 'apply_patch', description: 'Changes files' }];
  const question = { role: 'user' as const, content: 'apply it in Berlin' };
  const responses = () => new OpenAI({ baseURL: `${stage.url}/v1`, apiKey: key }).responses;

  it.each(['gemini-any', 'claude-any', 'kimi-any'])(
    'is called with its text by %s, whole and streamed, and its result read',
    async (model) => {
      const ask = { model, input: [question], tools, store: false };
      const whole = await responses().create(ask);
      const called = { type: 'custom_tool_call', name: 'apply_patch', input: 'Berlin', status: 'completed' };
      expect(whole.output.filter(({ type }) => type !== 'reasoning')).toMatchObject([called]);

      const stream = await responses().create({ ...ask, stream: true });
      const said: Record<string, unknown>[] = [];
      for await (const event of stream) said.push({ ...event });
      const spoken = said.filter(({ type }) => String(type).includes('custom_tool_call'));
      const deltas = spoken.flatMap(({ delta }) => (typeof delta === 'string' ? [delta] : []));
      expect(deltas.join('')).toBe('Berlin');
      // Gemini gives calls whole; of the others the text comes as it is written.
      expect(deltas.length > 1).toBe(model !== 'gemini-any');
      expect(spoken.at(-1)?.['type']).toBe('response.custom_tool_call_input.done');
      expect(said.filter(({ type }) => type === 'response.custom_tool_call_input.done')).toMatchObject([
        { input: 'Berlin' },
      ]);
      const last = said.at(-1)?.['response'] as OpenAI.Responses.Response;
      const [call] = last.output.filter(({ type }) => type === 'custom_tool_call');
      expect(call).toMatchObject(called);

      const output = {
        type: 'custom_tool_call_output',
        call_id: String(Object(call).call_id),
        output: 'done',
      };
      const next = [question, ...last.output, output] as OpenAI.Responses.ResponseInput;
      const answer = await responses().create({ ...ask, input: next });
      expect(answer.output_text).toMatch(/^The tool says: .*done/);
    },
  );
});

describe('a form', () => {
  it("goes out with the operator's overrides, its file unchanged", async () => {
    const form = new FormData();
    form.set('model', 'whisper-set');
    form.set('language', 'en');
    form.set('prompt', 'names: Ada');
    form.set('file', new Blob([Buffer.alloc(3000, 7)], { type: 'audio/wav' }), 'a.wav');
    const headers = { authorization: `Bearer ${key}` };
    const url = `${stage.url}/v1/audio/transcriptions`;
    const answer = await fetch(url, { method: 'POST', headers, body: form });
    expect(answer.status).toBe(200);
    const { last } = await simulator.calls();
    const sent = { model: 'whisper-set', language: 'de', temperature: '0.5', prompt: 'names: Ada' };
    expect(last?.body).toEqual({ ...sent, stream: false });
    const added = 'content-disposition: form-data; name="temperature"\r\n\r\n0.5\r\n'.length;
    expect(Number(last?.headers['content-length'])).toBeGreaterThan(3000 + added);
  });
});

describe('what is not offered of realtime', () => {
  it.each(['/v1/realtime/client_secrets', '/v1/realtime/calls', '/v1/realtime/sessions'])(
    '%s answers 501 in the caller’s format',
    async (path) => {
      const answer = await post(path, { session: { type: 'realtime', model: 'gpt-realtime' } });
      expect(answer.status).toBe(501);
      expect(await answer.json()).toMatchObject({ error: { code: 'api_not_implemented' } });
    },
  );
});

describe('the old functions field', () => {
  it('is sent unchanged to upstreams of the same format, and as tools to others', async () => {
    const messages = [{ role: 'user', content: 'hi' }];
    const functions = [{ name: 'look', parameters: { type: 'object' } }];
    const ask = (model: string) => post('/v1/chat/completions', { model, messages, functions });
    expect((await ask('claude-any')).status).toBe(200);
    expect((await simulator.calls()).last?.body).toMatchObject({ tools: [{ name: 'look' }] });
    expect((await ask('kimi-any')).status).toBe(200);
    expect((await simulator.calls()).last?.body).toMatchObject({ functions });
  });
});
