import { afterEach, expect, test } from 'vitest';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import { chatDialects } from '../../src/server/dialects/chat-dialects.ts';
import { callerRequest } from '../support/caller-request.ts';
import { formats } from '../support/one-format.ts';
import { eventsOf, saidIn } from '../support/said.ts';
import { LAST_WORDS, startScriptedUpstream } from '../support/upstreams/scripted-upstream.ts';
import { useFormats } from './use-formats.ts';

/** Routes, keys, errors, token counts and lists of the four formats, and features that no other format has. */

const { rig, upstream, post } = useFormats(startScriptedUpstream);
// A call is settled after its answer has left: the caller may know it before the ledger does.
afterEach(() => expect.poll(rig().openHolds).toBe(0));

test.each(formats)(
  'a key is taken from all four places by callers of %s, and a wrong one is told in its shape',
  async (format) => {
    const { path, body } = callerRequest(format, 'gemini', { stream: false });
    const places: [string, Record<string, string>][] = [
      [path, { authorization: `Bearer ${rig().key}` }],
      [path, { 'x-api-key': rig().key }],
      [path, { 'x-goog-api-key': rig().key }],
      [`${path}?key=${rig().key}`, {}],
    ];
    for (const [at, headers] of places) expect((await post(at, body, headers)).status).toBe(200);
    const wrong = await post(path, body, { 'x-api-key': 'sk-wrong' });
    expect(wrong.status).toBe(401);
    const shapes: Readonly<Record<DialectName, unknown>> = {
      'openai-chat': { error: { type: 'authentication_error', code: 'invalid_api_key' } },
      'openai-responses': { error: { type: 'authentication_error', code: 'invalid_api_key' } },
      'anthropic-messages': { type: 'error', error: { type: 'authentication_error' } },
      gemini: { error: { code: 401, status: 'UNAUTHENTICATED' } },
    };
    expect(await wrong.json()).toMatchObject(shapes[format] as object);
  },
);

test.each(formats)(
  'the log row of a call of %s names the formats on both sides, and costs what the upstream reports',
  async (format) => {
    const { path, body } = callerRequest(format, 'gemini', { stream: true });
    const before = await rig().balance();
    const response = await post(path, body);
    const said = saidIn(
      await eventsOf(chatDialects[format], Buffer.from(await response.arrayBuffer()), { stream: true }),
    );
    expect(said.text).toBe(LAST_WORDS);
    await expect.poll(() => rig().openHolds()).toBe(0);
    const row = (await rig().logs()).at(-1);
    const other = JSON.parse(row?.other ?? '{}') as { request_conversion?: unknown };
    expect(other.request_conversion).toEqual(format === 'gemini' ? ['gemini'] : [format, 'gemini']);
    // 20 tokens in and 10 out at a ratio of 1 each, whatever the caller was shown.
    expect(before.left - (await rig().balance()).left).toBe(row?.quota);
    expect(row).toMatchObject({ prompt_tokens: 20, completion_tokens: 10 });
  },
);

test('a Gemini stream is a JSON list for callers who do not request events', async () => {
  for (const model of formats) {
    const { body } = callerRequest('gemini', model, { stream: true });
    const response = await post(`/v1beta/models/${model}:streamGenerateContent`, body);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    const list = (await response.json()) as {
      candidates?: { content?: { parts?: { text?: string }[] } }[];
    }[];
    const text = list.map((item) => item.candidates?.[0]?.content?.parts?.[0]?.text ?? '').join('');
    expect(text).toBe(LAST_WORDS);
  }
});

test('a feature that no channel supports is refused by name, before anything is held or sent', async () => {
  const sent = upstream().asked.length;
  const rows = (await rig().logs()).length;
  const refused: [string, unknown, string][] = [
    [
      '/v1/responses',
      { model: 'gemini', input: 'x', previous_response_id: 'resp_1' },
      'previous_response_id',
    ],
    [
      '/v1/chat/completions',
      { ...callerRequest('openai-chat', 'anthropic-messages', { stream: false }).body, n: 2 },
      'n',
    ],
    [
      '/v1/messages',
      {
        ...callerRequest('anthropic-messages', 'openai-chat', { stream: false }).body,
        tools: [{ type: 'code_execution_20250825', name: 'code_execution' }],
      },
      'tools.0',
    ],
  ];
  for (const [path, body, field] of refused) {
    const response = await post(path, body);
    expect(response.status, path).toBe(400);
    expect(await response.text()).toContain(field);
  }
  expect(upstream().asked.length).toBe(sent);
  expect((await rig().logs()).length).toBe(rows);
});

test('a signature another format made goes back to its maker alone', async () => {
  const weather = { name: 'get_weather', input_schema: { type: 'object' } };
  const ask = { max_tokens: 100, tools: [weather] };
  const first = (await (
    await post('/v1/messages', { ...ask, model: 'gemini', messages: [{ role: 'user', content: 'weather?' }] })
  ).json()) as { content: { type: string; id?: string }[] };
  const call = first.content.find(({ type }) => type === 'tool_use');
  const messages = [
    { role: 'user', content: 'weather?' },
    { role: 'assistant', content: first.content },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: call?.id, content: 'sunny' }] },
  ];
  for (const model of formats) {
    const response = await post('/v1/messages', { ...ask, model, messages });
    expect(response.status).toBe(200);
    const { text = '' } = upstream().asked.at(-1) ?? {};
    expect(text).not.toContain('from.gemini');
    expect(text.includes('c2lnbmVk')).toBe(model === 'gemini');
  }
});

test('the tokens of a prompt are counted in three formats, for nothing', async () => {
  const before = await rig().balance();
  const body = { model: 'gemini', messages: [{ role: 'user', content: 'How many tokens are these words?' }] };
  const anthropic = await (await post('/v1/messages/count_tokens', body)).json();
  const contents = [{ role: 'user', parts: [{ text: 'How many tokens are these words?' }] }];
  const gemini = await (await post('/v1beta/models/gemini:countTokens', { contents })).json();
  const responses = await (
    await post('/v1/responses/input_tokens', { model: 'gemini', input: 'How many tokens are these words?' })
  ).json();
  const { input_tokens: count } = anthropic as { input_tokens: number };
  expect(count).toBeGreaterThan(6);
  expect(count).toBeLessThan(25);
  expect(gemini).toMatchObject({ totalTokens: count });
  expect(responses).toEqual({ object: 'response.input_tokens', input_tokens: count });
  expect((await post('/v1/messages/count_tokens', body, { 'x-api-key': 'sk-wrong' })).status).toBe(401);
  expect((await rig().balance()).left).toBe(before.left);
});

test('unsupported operations and unknown models are reported in the caller’s format', async () => {
  const missing = await post('/v1/messages', {
    ...callerRequest('anthropic-messages', 'none', { stream: false }).body,
  });
  expect(missing.status).toBe(404);
  expect(await missing.json()).toMatchObject({ type: 'error', error: { type: 'not_found_error' } });
  const batches = await post('/v1/messages/batches', {});
  expect(batches.status).toBe(501);
  expect(await batches.json()).toMatchObject({ type: 'error' });
  const cached = await post('/v1beta/cachedContents', {});
  expect(cached.status).toBe(501);
  expect(await cached.json()).toMatchObject({ error: { code: 501, status: 'UNIMPLEMENTED' } });
});
