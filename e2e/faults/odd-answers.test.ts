import { describe, expect, test } from 'vitest';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import { chatDialects } from '../../src/server/dialects/chat-dialects.ts';
import { chatPaths, formats } from '../support/one-format.ts';
import { eventsOf, type Said, saidIn } from '../support/said.ts';
import { useFormats } from './use-formats.ts';
import { startStepwiseUpstream } from './stepwise-upstream.ts';

/** Odd answers of upstreams, as callers of other formats get them. */

type Json = Readonly<Record<string, unknown>>;

const { upstream, post } = useFormats(startStepwiseUpstream);

const HELLO: Readonly<Record<DialectName, Json>> = {
  'openai-chat': { messages: [{ role: 'user', content: 'hi' }], stream_options: { include_usage: true } },
  'openai-responses': { input: 'hi' },
  'anthropic-messages': { max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
};

const ask = async (caller: DialectName, model: DialectName, stream: boolean, more: Json = {}) => {
  const answer = await post(chatPaths[caller](model, stream), {
    ...HELLO[caller],
    ...(caller !== 'gemini' && { model, stream }),
    ...(!stream && { stream_options: undefined }),
    ...more,
  });
  return upstream().read(answer);
};

const heard = async (
  caller: DialectName,
  model: DialectName,
  stream: boolean,
  more: Json = {},
): Promise<Said> => {
  const text = await ask(caller, model, stream, more);
  return saidIn(await eventsOf(chatDialects[caller], Buffer.from(text), { stream }));
};

const othersOf = (format: DialectName): DialectName[] => formats.filter((name) => name !== format);
const chatWhole = (choice: Json): Json => ({
  id: 'c1',
  object: 'chat.completion',
  model: 'up',
  choices: [{ index: 0, finish_reason: 'stop', ...choice }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
});
const chunk = (choice: Json): string =>
  `data: ${JSON.stringify({ id: 'c1', model: 'up', choices: [{ index: 0, ...choice }] })}\n\n`;
const DONE = 'data: [DONE]\n\n';

describe.each(othersOf('openai-chat'))('a caller of %s hears a chat', (caller) => {
  test.each<[string, Json, Partial<Said>]>([
    [
      'whose message stands beside an empty delta',
      { delta: { role: 'assistant', content: '' }, message: { role: 'assistant', content: 'X' } },
      { text: 'X', finish: ['stop'] },
    ],
    ['that has a delta alone', { delta: { role: 'assistant', content: 'X' } }, { text: 'X' }],
    [
      'whose calls stand beside an empty delta',
      {
        finish_reason: 'tool_calls',
        delta: { content: '', tool_calls: [] },
        message: {
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
      },
      { calls: [{ id: 'c', name: 'f', arguments: '{}' }], finish: ['tool-calls'] },
    ],
    [
      'that fills in every field there is',
      {
        finish_reason: 'tool_calls',
        message: {
          content: '',
          refusal: '',
          audio: { id: '', data: '', transcript: '', expires_at: 0 },
          tool_calls: [
            {
              id: 'c',
              type: 'function',
              function: { name: 'f', arguments: '{}' },
              custom: { name: '', input: '' },
            },
          ],
        },
      },
      { calls: [{ id: 'c', name: 'f', arguments: '{}' }], transcript: '', text: '', refusal: '' },
    ],
    [
      'whose calls have one id',
      {
        finish_reason: 'tool_calls',
        message: {
          tool_calls: ['{"a":1}', '{"a":2}'].map((text) => ({
            id: 'c',
            type: 'function',
            function: { name: 'f', arguments: text },
          })),
        },
      },
      {
        calls: [
          { id: 'c', name: 'f', arguments: '{"a":1}' },
          { id: 'c_2', name: 'f', arguments: '{"a":2}' },
        ],
      },
    ],
    [
      'that ends with the word of another',
      {
        finish_reason: 'tool_call',
        message: { tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] },
      },
      { finish: ['tool-calls'] },
    ],
    [
      'that ends in capitals',
      { finish_reason: 'MAX_TOKENS', message: { content: 'X' } },
      { finish: ['length'] },
    ],
    [
      'without the word for its end',
      { finish_reason: null, message: { content: 'X' } },
      { finish: ['stop'] },
    ],
  ])('%s', async (_, choice, expected) => {
    upstream().say(chatWhole(choice));
    expect(await heard(caller, 'openai-chat', false)).toMatchObject(expected);
  });

  test.each(['', null])('streamed, that ends with %j and its mark', async (word) => {
    upstream().say({
      pieces: [chunk({ delta: { content: 'X' } }) + chunk({ delta: {}, finish_reason: word }) + DONE],
    });
    expect(await heard(caller, 'openai-chat', true)).toMatchObject({ text: 'X', finish: ['stop'] });
  });

  test.each([true, false])('whose only answer is not numbered from 0 (streamed: %j)', async (stream) => {
    const index = 1;
    const pieces = [
      chunk({ index, delta: { content: 'He' } }) + chunk({ index, delta: { content: 'llo' } }),
      chunk({ index, delta: {}, finish_reason: 'stop' }) + DONE,
    ];
    upstream().say(stream ? { pieces } : chatWhole({ index, message: { content: 'Hello' } }));
    const said = await heard(caller, 'openai-chat', stream);
    expect(said).toMatchObject({ text: 'Hello', finish: ['stop'] });
  });

  test('with an answer nobody asked for: the one that begins first is whole', async () => {
    const pieces = [
      chunk({ index: 1, delta: { content: 'He' } }) + chunk({ index: 0, delta: { content: 'Oh' } }),
      chunk({ index: 1, delta: { content: 'llo' } }) +
        chunk({ index: 0, delta: {}, finish_reason: 'length' }),
      chunk({ index: 1, delta: {}, finish_reason: 'stop' }) + DONE,
    ];
    upstream().say({ pieces });
    const bytes = Buffer.from(await ask(caller, 'openai-chat', true));
    const events = await eventsOf(chatDialects[caller], bytes, { stream: true });
    const first = events.filter((event) => !('choice' in event) || event.choice === 0);
    expect(saidIn(first)).toMatchObject({ text: 'Hello', finish: ['stop'] });
  });

  test('that came whole in place of a stream, beside an empty delta', async () => {
    const choice = { delta: { content: '' }, message: { content: 'X' }, finish_reason: 'stop' };
    upstream().say({ pieces: [chunk(choice) + DONE] });
    expect(await heard(caller, 'openai-chat', true)).toMatchObject({ text: 'X', finish: ['stop'] });
  });

  test('streamed, whose deltas stand beside all of it so far', async () => {
    const pieces = [
      chunk({ delta: { content: 'He' }, message: { content: 'He' } }),
      chunk({ delta: { content: 'llo' }, message: { content: 'Hello' } }),
      chunk({ delta: { content: '' }, message: { content: 'Hello' }, finish_reason: 'stop' }),
    ];
    upstream().say({ pieces: [pieces.join('') + DONE] });
    expect(await heard(caller, 'openai-chat', true)).toMatchObject({ text: 'Hello', finish: ['stop'] });
  });
});

describe.each(formats)('a caller of %s of an upstream that counts nothing but zeros', (caller) => {
  const [ofChat, ofGemini] = [
    { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 },
  ];
  const content = { role: 'model', parts: [{ text: 'X' }] };
  const ends = `data: ${JSON.stringify({ id: 'c1', choices: [], usage: ofChat })}\n\n${DONE}`;
  const gemini = { candidates: [{ index: 0, content, finishReason: 'STOP' }], usageMetadata: ofGemini };
  const upstreams = {
    'openai-chat': {
      whole: { ...chatWhole({ message: { content: 'X' } }), usage: ofChat },
      pieces: [chunk({ delta: { content: 'X' }, finish_reason: 'stop' }), ends],
    },
    gemini: { whole: gemini, pieces: [`data: ${JSON.stringify(gemini)}\n\n`] },
  } as const;
  const others = (['openai-chat', 'gemini'] as const).filter((model) => model !== caller);

  test.each(others.flatMap((model) => [true, false].map((stream) => [model, stream] as const)))(
    'is told no counts, where its format can leave them out: %s (streamed: %j)',
    async (model, stream) => {
      const { whole, pieces } = upstreams[model];
      upstream().say(stream ? { pieces: [...pieces] } : whole);
      const text = await ask(caller, model, stream);
      expect(text).toMatch(/"(?:text|content)": ?"X"/);
      expect(/"usage(?:Metadata)?": ?\{/.test(text)).toBe(caller === 'anthropic-messages');
    },
  );
});

describe.each(othersOf('gemini'))('a caller of %s hears Gemini', (caller) => {
  test('without the word for its end', async () => {
    upstream().say({
      candidates: [{ content: { role: 'model', parts: [{ text: 'X' }] } }],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
    });
    const said = await heard(caller, 'gemini', false);
    expect(said).toMatchObject({ text: 'X', finish: ['stop'], usage: { prompt: 3, completion: 2 } });
  });
});

describe.each(othersOf('openai-responses'))('a caller of %s hears Responses', (caller) => {
  const search = {
    id: 'ctc_1',
    type: 'custom_tool_call',
    status: 'completed',
    call_id: 'xs_1',
    name: 'x_keyword_search',
    input: '{"query":"cats"}',
  };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'Cats.', annotations: [] }],
  };
  const response = {
    id: 'resp_1',
    object: 'response',
    model: 'up',
    status: 'completed',
    output: [search, message],
    usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
  };
  const event = (body: Json): string => `event: ${String(body['type'])}\ndata: ${JSON.stringify(body)}\n\n`;
  const streamed = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: { ...search, input: '' } },
    { type: 'response.custom_tool_call_input.delta', output_index: 0, delta: search.input },
    { type: 'response.output_item.done', output_index: 0, item: search },
    { type: 'response.output_item.done', output_index: 1, item: message },
    { type: 'response.completed', response },
  ];

  test.each([true, false])('of which only the text was told, once (streamed: %j)', async (stream) => {
    const told = { ...response, output: [], output_text: 'Cats.' };
    const end = event({ type: 'response.completed', response: told });
    const delta = event({ type: 'response.output_text.delta', output_index: 0, delta: 'Cats.' });
    const begin = streamed.slice(0, 1).map(event).join('');
    for (const pieces of stream ? [[begin + end], [begin + delta + end]] : [[]]) {
      upstream().say(stream ? { pieces } : told);
      const said = await heard(caller, 'openai-responses', stream);
      expect(said).toMatchObject({ text: 'Cats.', finish: ['stop'], usage: { prompt: 3, completion: 2 } });
    }
  });

  test.each([true, false])('without the searches it has run itself (streamed: %j)', async (stream) => {
    upstream().say(stream ? { pieces: [streamed.map(event).join('')] } : response);
    const said = await heard(caller, 'openai-responses', stream);
    expect(said).toMatchObject({ text: 'Cats.', calls: [], finish: ['stop'] });
  });
});
