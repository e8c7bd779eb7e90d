import { describe, expect, test } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import type { ChatRequest, DialectName } from '#core/chat/request.ts';
import { AppError } from '#core/error.ts';
import { chatDialects } from './chat-dialects.ts';
import type { Fields } from '#core/json/fields.ts';
import { readStream, writeStream } from './testing/streams.ts';

/** How features that only some formats have are converted. */

const chat = chatDialects['openai-chat'];
const hello = [{ role: 'user', content: 'hello' }];
const parameters = { type: 'object', properties: {} };
const functions = ['a', 'b', 'c'].map((name) => ({ name, parameters }));

describe('a choice among some of the tools', () => {
  const asked = chat.readRequest({
    model: 'm',
    messages: hello,
    tools: functions.map((inner) => ({ type: 'function', function: inner })),
    tool_choice: {
      type: 'allowed_tools',
      allowed_tools: {
        mode: 'required',
        tools: ['a', 'c'].map((name) => ({ type: 'function', function: { name } })),
      },
    },
  });

  test('is told in the words of Responses and Gemini', () => {
    expect(chatDialects['openai-responses'].writeRequest(asked)['tool_choice']).toEqual({
      type: 'allowed_tools',
      mode: 'required',
      tools: [
        { type: 'function', name: 'a' },
        { type: 'function', name: 'c' },
      ],
    });
    expect(chatDialects.gemini.writeRequest(asked)['toolConfig']).toEqual({
      functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['a', 'c'] },
    });
    expect(chat.writeRequest(asked)['tool_choice']).toMatchObject({ type: 'allowed_tools' });
  });

  test('shows no others to an upstream that has no word for it', () => {
    const written = chatDialects['anthropic-messages'].writeRequest(asked);
    expect(written).toMatchObject({ tools: [{ name: 'a' }, { name: 'c' }], tool_choice: { type: 'any' } });
    const open = chatDialects['openai-responses'].readRequest({
      model: 'm',
      input: 'hello',
      tools: functions.map((inner) => ({ type: 'function', ...inner })),
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'b' }] },
    });
    expect(chat.writeRequest(open)).toMatchObject({
      tools: [{ function: { name: 'b' } }],
      tool_choice: 'auto',
    });
    expect(chatDialects.gemini.writeRequest(open)).toMatchObject({
      tools: [{ functionDeclarations: [{ name: 'b' }] }],
      toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
    });
  });
});

describe('a search of the web', () => {
  const place = { city: 'Lyon', country: 'FR' };
  const asked = chatDialects['anthropic-messages'].readRequest({
    model: 'm',
    max_tokens: 10,
    messages: hello,
    tools: [
      {
        type: 'web_search_20250305',
        name: 'web_search',
        max_uses: 2,
        allowed_domains: ['example.com'],
        user_location: { type: 'approximate', ...place },
      },
    ],
  });

  test('is asked for in the words of each format whose upstreams search', () => {
    expect(chatDialects['openai-responses'].writeRequest(asked)).toMatchObject({
      tools: [
        {
          type: 'web_search',
          filters: { allowed_domains: ['example.com'] },
          user_location: { type: 'approximate', ...place },
        },
      ],
      max_tool_calls: 2,
    });
    const google = chatDialects.gemini.readRequest({
      model: 'm',
      contents: [{ role: 'user', parts: [{ text: 'hello' }] }],
      tools: [{ google_search: {} }],
    });
    expect(chatDialects['anthropic-messages'].writeRequest(google)['tools']).toEqual([
      { type: 'web_search_20250305', name: 'web_search' },
    ]);
    const options = {
      search_context_size: 'high',
      user_location: { type: 'approximate', approximate: place },
    };
    const searching = chat.readRequest({ model: 'm', messages: hello, web_search_options: options });
    expect(chatDialects['openai-responses'].writeRequest(searching)['tools']).toEqual([
      { type: 'web_search', search_context_size: 'high', user_location: { type: 'approximate', ...place } },
    ]);
    expect(chat.writeRequest(searching)).toEqual({
      model: 'm',
      messages: hello,
      web_search_options: options,
    });
    expect(chatDialects.gemini.writeRequest(searching)['tools']).toEqual([{ googleSearch: {} }]);
  });

  test('is refused by name where it could be left out in silence', () => {
    for (const target of ['openai-chat', 'gemini'] as const)
      expect(() => chatDialects[target].writeRequest(asked)).toThrow(AppError);
    expect(() => chat.writeRequest(asked)).toThrow("'tools.0'");
  });
});

describe('how likely the words of an answer are', () => {
  const logprobs = [
    {
      token: 'Hi',
      logprob: -0.25,
      top: [
        { token: 'Hi', logprob: -0.25 },
        { token: 'Yo', logprob: -2 },
      ],
    },
  ];
  const reply: ChatEvent[] = [
    { type: 'start', id: 'r1', model: 'm', createdAtMs: 1000 },
    { type: 'text-delta', choice: 0, text: 'Hi', logprobs },
    { type: 'finish', choice: 0, reason: 'stop' },
  ];
  const formats = ['openai-chat', 'openai-responses', 'gemini'] as const;

  test.each(formats.flatMap((from) => formats.map((to): [DialectName, DialectName] => [from, to])))(
    'is asked for by a caller of %s of an upstream of %s',
    (from, to) => {
      const request: ChatRequest = {
        model: 'm',
        stream: false,
        messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
        logprobs: { top: 2 },
        extras: {},
      };
      const read = chatDialects[from].readRequest({
        ...chatDialects[from].writeRequest(request),
        model: 'm',
      });
      const again = chatDialects[to].readRequest({ ...chatDialects[to].writeRequest(read), model: 'm' });
      expect(again.logprobs).toEqual({ top: 2 });
      expect(() => chatDialects['anthropic-messages'].writeRequest(read)).toThrow('how likely');
    },
  );

  test.each(formats)('comes out for a caller of %s, whole and streamed', async (name) => {
    const dialect = chatDialects[name];
    const told = (events: readonly ChatEvent[]) =>
      events.flatMap((event) => (event.type === 'text-delta' ? (event.logprobs ?? []) : []));
    const plain = (list: ReturnType<typeof told>): unknown =>
      list.map(({ token, logprob, top }) => [token, logprob, top?.map((one) => [one.token, one.logprob])]);
    const whole = dialect.readWhole(JSON.parse(JSON.stringify(dialect.writeWhole(reply))));
    const streamed = await Array.fromAsync(readStream(dialect, writeStream(dialect, reply)));
    expect(plain(told(whole))).toEqual(plain(logprobs));
    expect(plain(told(streamed))).toEqual(plain(logprobs));
  });
});

test('what the caller itself runs has its fields told to models of other makers', () => {
  const asked = chatDialects['anthropic-messages'].readRequest({
    model: 'm',
    max_tokens: 10,
    messages: hello,
    tools: [
      { type: 'bash_20250124', name: 'bash' },
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
      { type: 'computer_20250124', name: 'computer', display_width_px: 800, display_height_px: 600 },
    ],
  });
  const tools = chat.writeRequest(asked)['tools'] as readonly Fields[];
  expect(tools.map((tool) => (tool['function'] as Fields)['name'])).toEqual([
    'bash',
    'str_replace_based_edit_tool',
    'computer',
  ]);
  expect(JSON.stringify(tools[2])).toContain('800 by 600');
  expect(chatDialects['anthropic-messages'].writeRequest(asked)['tools']).toEqual([
    { type: 'bash_20250124', name: 'bash' },
    { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
    { type: 'computer_20250124', name: 'computer', display_width_px: 800, display_height_px: 600 },
  ]);
});

test('a refusal in words and a call that was asked for by name are ends of their own, not stops', () => {
  const ends = [
    { refusal: 'No.' },
    { tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] },
  ].map((message) => chat.readWhole({ choices: [{ index: 0, message, finish_reason: 'stop' }] }).at(-1));
  expect(ends).toMatchObject([{ reason: 'refusal' }, { reason: 'tool-calls' }]);
});

describe('a result of a tool that failed', () => {
  const messages = chatDialects['anthropic-messages'];
  const asked = (content: unknown) =>
    messages.readRequest({
      model: 'm',
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'a', input: {} }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'call_1',
              is_error: true,
              ...(content !== '' && { content }),
            },
          ],
        },
      ],
    });

  test.each([
    ['0', 'Error: 0'],
    ['', 'Error'],
    ['Error: no such file', 'Error: no such file'],
    ['<tool_use_error>no such file', '<tool_use_error>no such file'],
  ])('says so in its text where the format has no field for it: %j', (content, said) => {
    const request = asked(content);
    expect(chat.writeRequest(request)['messages']).toContainEqual({
      role: 'tool',
      tool_call_id: 'call_1',
      content: said,
    });
    expect(chatDialects['openai-responses'].writeRequest(request)['input']).toContainEqual({
      type: 'function_call_output',
      call_id: 'call_1',
      output: said,
    });
    const [, , result] = chatDialects.gemini.writeRequest(request)['contents'] as [Fields, Fields, Fields];
    expect(result['parts']).toMatchObject([{ functionResponse: { response: { error: content } } }]);
    expect(JSON.stringify(messages.writeRequest(request))).toContain('"is_error":true');
  });
});

test('what a caller says about a document stands before it in other formats, and once in its own', () => {
  const messages = chatDialects['anthropic-messages'];
  const source = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' };
  const document = { type: 'document', source, title: 'a.pdf', context: 'From the archive.' };
  const request = messages.readRequest({
    model: 'm',
    max_tokens: 9,
    messages: [{ role: 'user', content: [document, { type: 'text', text: 'What is it?' }] }],
  });
  const texts = JSON.stringify(chatDialects.gemini.writeRequest(request)['contents']);
  expect(texts.indexOf('From the archive.')).toBeGreaterThan(-1);
  expect(texts.indexOf('From the archive.')).toBeLessThan(texts.indexOf('JVBERi0='));
  expect(messages.writeRequest(request)['messages']).toMatchObject([
    { content: [document, { type: 'text', text: 'What is it?' }] },
  ]);
});
