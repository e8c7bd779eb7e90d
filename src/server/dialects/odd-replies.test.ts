import { describe, expect, test } from 'vitest';
import type { ChatRequest, DialectName } from '#core/chat/request.ts';
import { chatDialects } from './chat-dialects.ts';
import type { Frame } from './frame.ts';
import { writeFrame } from './sse.ts';

/** Unusual responses of some upstreams, converted for callers of other formats. */

type Json = Record<string, unknown>;

const parsed = (frames: readonly Frame[]): Json[] =>
  frames
    .map(({ data }) => data.toString())
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data) as Json);

const streamed = (from: DialectName, pieces: readonly unknown[], to: DialectName): Json[] => {
  const reader = chatDialects[from].openReader();
  const writer = chatDialects[to].openWriter();
  const events = [
    ...pieces.flatMap((piece) => [...reader.read(writeFrame(JSON.stringify(piece)))]),
    ...reader.end(),
  ];
  return parsed([...events.flatMap((event) => [...writer.write(event)]), ...writer.end()]);
};

const whole = (from: DialectName, body: unknown, to: DialectName): Json =>
  chatDialects[to].writeWhole(chatDialects[from].readWhole(body)) as Json;

const chunk = (delta: unknown, finish: string | null = null): unknown => ({
  id: 'gen-1',
  model: 'm',
  created: 1,
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const call = (index: number, fields: unknown): unknown => ({
  tool_calls: [{ index, ...(fields as object) }],
});
const begins = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '' } });
const more = (text: string) => ({ function: { arguments: text } });

describe('parallel calls whose arguments come by turns', () => {
  const turns = [
    chunk(call(0, begins('call_a', 'first'))),
    chunk(call(1, begins('call_b', 'second'))),
    chunk(call(2, begins('call_c', 'third'))),
    chunk(call(1, more('{"b":"}'))),
    chunk(call(0, more('{"a":{"x":"\\"{"}'))),
    chunk(call(1, more('"}'))),
    chunk(call(0, more('}'))),
    chunk({}, 'tool_calls'),
  ];

  test('reach a Messages caller one block after the other, each with its own', () => {
    const events = streamed('openai-chat', turns, 'anthropic-messages');
    const order = events
      .filter(({ type }) => String(type).startsWith('content_block'))
      .map(({ type, index }) => `${String(type).slice('content_block_'.length)} ${String(index)}`);
    expect(order).toEqual([
      'start 0',
      'delta 0',
      'delta 0',
      'stop 0',
      'start 1',
      'delta 1',
      'stop 1',
      'start 2',
      'stop 2',
    ]);
    const inputs: Record<string, string> = {};
    for (const { index, delta } of events) {
      const text = (delta as Json | undefined)?.['partial_json'];
      if (typeof text === 'string') inputs[String(index)] = (inputs[String(index)] ?? '') + text;
    }
    expect(inputs).toEqual({ 0: '{"a":{"x":"\\"{"}}', 1: '{"b":"}"}' });
  });

  test('reach a Gemini caller whole, in the order in which they began', () => {
    const parts = streamed('openai-chat', turns, 'gemini').flatMap(
      ({ candidates }) => (candidates as { content: { parts: Json[] } }[])[0]?.content.parts ?? [],
    );
    expect(parts.map(({ functionCall }) => functionCall).filter(Boolean)).toEqual([
      { id: 'call_a', name: 'first', args: { a: { x: '"{' } } },
      { id: 'call_b', name: 'second', args: { b: '}' } },
      { id: 'call_c', name: 'third', args: {} },
    ]);
  });
});

test('calls without ids get one each, and results find them', () => {
  const body = {
    id: 'cmpl/7',
    choices: [
      {
        message: { tool_calls: [{ function: { name: 'f', arguments: '{}' } }, { function: { name: 'f' } }] },
        finish_reason: 'tool_calls',
      },
    ],
  };
  const { content } = whole('openai-chat', body, 'anthropic-messages') as { content: Json[] };
  expect(content.map(({ id }) => id)).toEqual(['call_cmpl7_0', 'call_cmpl7_1']);
});

test('a call of a tool that takes free text has it as its input', () => {
  const pieces = [
    chunk(call(0, { id: 'c', type: 'custom', custom: { name: 'run', input: 'print("' } })),
    chunk(call(0, { custom: { input: 'hi")\n' } })),
    chunk({}, 'tool_calls'),
  ];
  const [part] = streamed('openai-chat', pieces, 'gemini').flatMap(
    ({ candidates }) => (candidates as { content: { parts: Json[] } }[])[0]?.content.parts ?? [],
  );
  expect(part).toEqual({ functionCall: { id: 'c', name: 'run', args: { input: 'print("hi")\n' } } });
});

test('filter results for the prompt before the answer do not replace its id', () => {
  const first = { id: '', model: '', created: 0, choices: [], prompt_filter_results: [{ prompt_index: 0 }] };
  const [start] = streamed(
    'openai-chat',
    [first, chunk({ content: 'hi' }), chunk({}, 'stop')],
    'anthropic-messages',
  );
  expect(start).toMatchObject({ type: 'message_start', message: { id: 'gen-1', model: 'm' } });
});

describe('an answer that was refused without text', () => {
  const refused = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: 'refusal',
    usage: { input_tokens: 3, output_tokens: 1 },
  };

  test('is a filtered one for chat callers', () => {
    expect(whole('anthropic-messages', refused, 'openai-chat')['choices']).toMatchObject([
      { finish_reason: 'content_filter' },
    ]);
  });

  test('is an incomplete one for Responses callers', () => {
    expect(whole('anthropic-messages', refused, 'openai-responses')).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'content_filter' },
    });
  });

  test('with words it is a refusal, which ends like any answer', () => {
    const said = chatDialects['openai-chat'].writeWhole([
      { type: 'refusal-delta', choice: 0, text: 'no' },
      { type: 'finish', choice: 0, reason: 'refusal' },
    ]) as Json;
    expect(said['choices']).toMatchObject([{ message: { refusal: 'no' }, finish_reason: 'stop' }]);
  });
});

test('citations without an address stay where they are understood', () => {
  const citation = { type: 'char_location', cited_text: 'a', document_index: 0, document_title: 'D' };
  const body = {
    id: 'msg_1',
    content: [{ type: 'text', text: 'a', citations: [citation] }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  const { choices } = whole('anthropic-messages', body, 'openai-chat') as { choices: { message: Json }[] };
  expect(choices[0]?.message['annotations']).toBeUndefined();
  const file = { type: 'file_citation', file_citation: { file_id: 'f' } };
  const chat = { choices: [{ message: { content: 'a', annotations: [file] }, finish_reason: 'stop' }] };
  expect(whole('openai-chat', chat, 'anthropic-messages')['content']).toEqual([{ type: 'text', text: 'a' }]);
});

test('pages that every piece of a reply lists again are cited once', () => {
  const piece = (text: string, ...uris: string[]) => ({
    candidates: [
      {
        content: { parts: [{ text }] },
        finishReason: 'STOP',
        groundingMetadata: { groundingChunks: uris.map((uri) => ({ web: { uri, title: uri } })) },
      },
    ],
  });
  const chunks = streamed('gemini', [piece('a', '/1'), piece('b', '/1', '/2')], 'openai-chat');
  const cited = chunks.flatMap(
    ({ choices }) =>
      (choices as { delta: { annotations?: { url_citation: Json }[] } }[])[0]?.delta.annotations ?? [],
  );
  expect(cited.map(({ url_citation: page }) => page['url'])).toEqual(['/1', '/2']);
});

describe('a chat caller gives thoughts back to the upstream that had them', () => {
  const thoughts = [
    { type: 'thinking', thinking: 'Let me see.', signature: 'sig-1' },
    { type: 'redacted_thinking', data: 'hidden' },
    { type: 'thinking', thinking: 'Again.', signature: 'sig-2' },
  ];
  const reply = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [...thoughts, { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }],
    stop_reason: 'tool_use',
    usage: { input_tokens: 3, output_tokens: 1 },
  };
  const nextTurn = (message: unknown): unknown => {
    const request: ChatRequest = chatDialects['openai-chat'].readRequest({
      model: 'claude-sonnet-4-5',
      messages: [
        { role: 'user', content: 'go' },
        message,
        { role: 'tool', tool_call_id: 'toolu_1', content: 'done' },
      ],
    });
    return chatDialects['anthropic-messages'].writeRequest(request)['messages'];
  };
  const expected = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: reply.content },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'done' }] },
  ];

  test('from a whole answer', () => {
    const { choices } = whole('anthropic-messages', reply, 'openai-chat') as { choices: { message: Json }[] };
    expect(nextTurn(choices[0]?.message)).toEqual(expected);
  });

  test.each([
    ['all lists', (lists: unknown[][]) => lists.flat()],
    ['the last list alone', (lists: unknown[][]) => lists.at(-1)],
  ])('from a stream of which %s was kept', (_, kept) => {
    const writer = chatDialects['openai-chat'].openWriter();
    const events = chatDialects['anthropic-messages'].readWhole(reply);
    const deltas = parsed(events.flatMap((event) => [...writer.write(event)])).map(
      ({ choices }) => (choices as { delta: Json }[])[0]?.delta ?? {},
    );
    const message = {
      role: 'assistant',
      content: null,
      reasoning_content: deltas
        .map((delta) => (delta['reasoning_content'] as string | undefined) ?? '')
        .join(''),
      reasoning_details: kept(
        deltas.flatMap((delta) =>
          delta['reasoning_details'] === undefined ? [] : [delta['reasoning_details'] as unknown[]],
        ),
      ),
      tool_calls: [{ id: 'toolu_1', type: 'function', function: { name: 'f', arguments: '{}' } }],
    };
    expect(nextTurn(message)).toEqual(expected);
  });

  test('where the list has seals alone, the text is with the first', () => {
    const message = {
      role: 'assistant',
      content: 'x',
      reasoning_content: 'Let me see.',
      reasoning_details: [{ type: 'reasoning.text', signature: 'from.anthropic-messages.sig-1' }],
    };
    const [, assistant] = nextTurn(message) as { content: unknown[] }[];
    expect(assistant?.content[0]).toEqual(thoughts[0]);
  });
});

test("a call's signature reaches a Messages caller beside the thought before it, and comes back with the call", () => {
  const reply = {
    responseId: 'r',
    candidates: [
      {
        content: {
          parts: [
            { text: 'thinking', thought: true },
            { functionCall: { id: 'c', name: 'f', args: {} }, thoughtSignature: 'c2ln' },
          ],
        },
        finishReason: 'STOP',
      },
    ],
  };
  const { content } = whole('gemini', reply, 'anthropic-messages');
  const request = chatDialects['anthropic-messages'].readRequest({
    model: 'gemini-3-pro',
    max_tokens: 10,
    messages: [
      { role: 'user', content: 'go' },
      { role: 'assistant', content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'done' }] },
    ],
  });
  const { contents } = chatDialects.gemini.writeRequest(request) as { contents: { parts: Json[] }[] };
  expect(contents[1]?.parts.at(-1)).toEqual({
    functionCall: { id: 'c', name: 'f', args: {} },
    thoughtSignature: 'c2ln',
  });
});
