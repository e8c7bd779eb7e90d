import { describe, expect, test } from 'vitest';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import { useFormats } from './use-formats.ts';
import { startStepwiseUpstream } from './stepwise-upstream.ts';

/** Tools and names that an upstream cannot take unchanged: what it gets instead, and what the caller sees. */

type Json = Readonly<Record<string, unknown>>;

const { rig, upstream, post } = useFormats(startStepwiseUpstream);

const ask = async (path: string, body: Json): Promise<{ status: number; text: string }> => {
  const response = await post(path, body);
  return { status: response.status, text: await upstream().read(response) };
};

const chunk = (choice: Json): string =>
  `data: ${JSON.stringify({ id: 'c1', model: 'up', choices: [{ index: 0, ...choice }] })}\n\n`;
const SAID: Json = {
  id: 'c1',
  model: 'up',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
};
const lastLog = async (): Promise<Json> => {
  await expect.poll(rig().openHolds).toBe(0);
  return JSON.parse((await rig().logs()).at(-1)?.other ?? '{}') as Json;
};
const toolsOf = (body: Json | undefined): unknown =>
  (body?.['tools'] as Json[] | undefined)?.map((tool) => (tool['function'] as Json)['name']);

const f = { type: 'function', name: 'f', parameters: { type: 'object', properties: {} } };
const ofMessages = { name: 'f', input_schema: { type: 'object', properties: {} } };
const search = { type: 'web_search_20250305', name: 'web_search' };

describe('a tool that a chat upstream has not and an answer can do without', () => {
  test.each<[string, string, Json, string[]]>([
    [
      'a search among the functions of Messages',
      '/v1/messages',
      { max_tokens: 9, messages: [{ role: 'user', content: 'hi' }], tools: [search, ofMessages] },
      ['web_search'],
    ],
    [
      'a search and what draws among those of Responses',
      '/v1/responses',
      {
        input: 'hi',
        tools: [
          f,
          { type: 'web_search' },
          { type: 'image_generation' },
          { type: 'tool_search', execution: 'client' },
        ],
      },
      ['web_search', 'image_generation', 'tool_search'],
    ],
    [
      'a search among the functions of Gemini, one of which must be called',
      '/v1beta/models/openai-chat:generateContent',
      {
        contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
        tools: [{ googleSearch: {} }, { functionDeclarations: [{ name: 'f' }] }],
        toolConfig: { functionCallingConfig: { mode: 'ANY' } },
      },
      ['googleSearch'],
    ],
  ])('%s: is left out, and the row says so', async (_, path, body, names) => {
    upstream().say(SAID);
    expect(
      await ask(path, { ...(!path.includes('models') && { model: 'openai-chat' }), ...body }),
    ).toMatchObject({ status: 200 });
    expect(toolsOf(upstream().asked.at(-1))).toEqual(['f']);
    const row = await lastLog();
    expect(row['left_out_tools']).toEqual(names);
    const spoken = { messages: 'anthropic-messages', responses: 'openai-responses' };
    const caller = Object.entries(spoken).find(([end]) => path.endsWith(end))?.[1] ?? 'gemini';
    expect(row['request_conversion']).toEqual([caller, 'openai-chat']);
  });

  test.each<[string, Json, string]>([
    [
      'by its name',
      { tools: [search, ofMessages], tool_choice: { type: 'tool', name: 'web_search' } },
      'tools.0',
    ],
    ['since nothing else is there', { tools: [search], tool_choice: { type: 'any' } }, 'tools.0'],
    [
      'that brings what the question is about',
      { tools: [ofMessages, { type: 'code_execution_20250825', name: 'code_execution' }] },
      'tools.1',
    ],
  ])('is refused by name where it has to be there: %s', async (_, body, param) => {
    const before = upstream().asked.length;
    const messages = [{ role: 'user', content: 'hi' }];
    const { status, text } = await ask('/v1/messages', {
      model: 'openai-chat',
      max_tokens: 9,
      messages,
      ...body,
    });
    expect([status, text.includes(param)]).toEqual([400, true]);
    expect(upstream().asked.length).toBe(before);
  });

  test('is sent to channels that support it', async () => {
    upstream().say({ id: 'm', type: 'message', role: 'assistant', content: [{ type: 'text', text: 'ok' }] });
    await ask('/v1/responses', {
      model: 'anthropic-messages',
      input: 'hi',
      tools: [f, { type: 'web_search' }],
    });
    expect(upstream().asked.at(-1)?.['tools']).toMatchObject([{ name: 'f' }, search]);
    expect(await lastLog()).not.toHaveProperty('left_out_tools');
  });
});

describe('names outside the letters or the length of another format', () => {
  const long = `mcp__plugin_with_a_long_name__${'tool_'.repeat(10)}`;
  const names = ['fs.read:v1', `${long}a`, `${long}b`];
  const call = (path: string, body: Json, name: string): Promise<{ text: string }> => {
    upstream().say({
      pieces: [
        chunk({
          delta: { tool_calls: [{ index: 0, id: 'functions.x:0', function: { name, arguments: '{}' } }] },
          finish_reason: null,
        }) +
          chunk({ delta: {}, finish_reason: 'tool_calls' }) +
          'data: [DONE]\n\n',
      ],
    });
    return ask(path, body);
  };

  test('are rewritten to fit, in choices and calls too, and returned with the caller’s names', async () => {
    const contents = (id: string): Json[] => [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: [{ functionCall: { id, name: names[1], args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { id, name: names[1], response: { output: 'x' } } }] },
    ];
    const body = {
      contents: contents('c1'),
      tools: [{ functionDeclarations: names.map((name) => ({ name })) }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [names[0]] } },
    };
    upstream().say(SAID);
    await ask('/v1beta/models/openai-chat:generateContent', body);
    const sent = upstream().asked.at(-1);
    const given = toolsOf(sent) as string[];
    expect(new Set(given.filter((name) => /^[\w-]{1,64}$/.test(name))).size).toBe(3);
    expect(sent).toMatchObject({
      tool_choice: { type: 'function', function: { name: given[0] } },
      messages: [{}, { tool_calls: [{ id: 'c1', function: { name: given[1] } }] }, { tool_call_id: 'c1' }],
    });
    for (const [at, name] of names.entries()) {
      const { text } = await call(
        '/v1beta/models/openai-chat:streamGenerateContent?alt=sse',
        body,
        given[at] ?? '',
      );
      expect(text).toContain(`"name":${JSON.stringify(name)}`);
    }
  });

  test("a call's id fits the caller's format, and is the upstream's own again in the next turn", async () => {
    const body = {
      model: 'openai-chat' satisfies DialectName,
      max_tokens: 9,
      stream: true,
      messages: [{ role: 'user', content: 'hi' }],
      tools: [ofMessages],
    };
    const { text } = await call('/v1/messages', body, 'f');
    const [, id = ''] = /"type":"tool_use","id":"([^"]*)"/.exec(text) ?? [];
    expect(id).toMatch(/^[\w-]+$/);
    upstream().say(SAID);
    await ask('/v1/messages', {
      ...body,
      stream: false,
      messages: [
        ...body.messages,
        { role: 'assistant', content: [{ type: 'tool_use', id, name: 'f', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'x' }] },
      ],
    });
    expect(upstream().asked.at(-1)?.['messages']).toMatchObject([
      {},
      { tool_calls: [{ id: 'functions.x:0' }] },
      { tool_call_id: 'functions.x:0' },
    ]);
  });
});

test('more stop sequences than an upstream takes end the answer all the same', async () => {
  upstream().say({
    pieces: [chunk({ delta: { content: 'one E two' }, finish_reason: null }), 'data: [DONE]\n\n'],
  });
  const { text } = await ask('/v1/messages', {
    model: 'openai-chat',
    max_tokens: 9,
    stream: true,
    messages: [{ role: 'user', content: 'hi' }],
    stop_sequences: ['A', 'B', 'C', 'D', 'E'],
  });
  expect(upstream().asked.at(-1)?.['stop']).toEqual(['A', 'B', 'C', 'D']);
  expect(text).toContain('"stop_sequence":"E"');
  expect(text).not.toContain('two');
});

test('the name of an end user is shortened to the limit, and still distinguishes users', async () => {
  const sent = async (end: string): Promise<unknown> => {
    upstream().say(SAID);
    const metadata = { user_id: `user_${'0123456789'.repeat(9)}_${end}` };
    const messages = [{ role: 'user', content: 'hi' }];
    await ask('/v1/messages', { model: 'openai-chat', max_tokens: 9, messages, metadata });
    return upstream().asked.at(-1)?.['user'];
  };
  const [one, other] = [await sent('a'), await sent('b')];
  expect(String(one)).toHaveLength(64);
  expect(one).not.toBe(other);
});
