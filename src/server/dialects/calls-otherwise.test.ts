import { describe, expect, test } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import type { DialectName } from '#core/chat/request.ts';
import { AppError } from '#core/error.ts';
import { chatDialects } from './chat-dialects.ts';
import { writeFrame } from './sse.ts';
import { fold } from './testing/fold.ts';
import { readStream, writeStream } from './testing/streams.ts';

/** Calls in another form than the format's own, as compatible upstreams and programs send them. */

type Json = Readonly<Record<string, unknown>>;

const formats = Object.keys(chatDialects) as DialectName[];
const CITY = '{"city":"Paris"}';
/** As text in the formats that hold an object, as an object in those that hold text. */
const OTHERWISE: Readonly<Record<DialectName, unknown>> = {
  'openai-chat': JSON.parse(CITY),
  'openai-responses': JSON.parse(CITY),
  'anthropic-messages': CITY,
  gemini: CITY,
};

const REPLIES: Readonly<Record<DialectName, (args: unknown) => Json>> = {
  'openai-chat': (args) => ({
    choices: [
      {
        message: { tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: args } }] },
        finish_reason: 'tool_calls',
      },
    ],
  }),
  'openai-responses': (args) => ({
    status: 'completed',
    output: [{ type: 'function_call', id: 'fc', call_id: 'c', name: 'look', arguments: args }],
  }),
  'anthropic-messages': (args) => ({
    content: [{ type: 'tool_use', id: 'c', name: 'look', input: args }],
    stop_reason: 'tool_use',
  }),
  gemini: (args) => ({
    candidates: [
      { content: { parts: [{ functionCall: { id: 'c', name: 'look', args } }] }, finishReason: 'STOP' },
    ],
  }),
};

const REQUESTS: Readonly<Record<DialectName, (args: unknown) => Json>> = {
  'openai-chat': (args) => ({
    messages: [
      {
        role: 'assistant',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: args } }],
      },
    ],
  }),
  'openai-responses': (args) => ({
    input: [{ type: 'function_call', call_id: 'c', name: 'look', arguments: args }],
  }),
  'anthropic-messages': (args) => ({
    messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'look', input: args }] }],
  }),
  gemini: (args) => ({
    contents: [{ role: 'model', parts: [{ functionCall: { id: 'c', name: 'look', args } }] }],
  }),
};

const callsIn = (events: readonly ChatEvent[]) =>
  fold(events).choices[0]?.calls.map(({ name, argumentsText }) => [name, argumentsText]);

describe.each(formats)('arguments in the other form, in %s,', (format) => {
  test('are the arguments of an answer', () => {
    const events = chatDialects[format].readWhole(REPLIES[format](OTHERWISE[format]));
    expect(callsIn(events)).toEqual([['look', CITY]]);
  });

  test('are the arguments of a call that a caller gives back', () => {
    const { messages } = chatDialects[format].readRequest({
      model: 'm',
      ...REQUESTS[format](OTHERWISE[format]),
    });
    expect(messages[0]?.content).toMatchObject([{ type: 'tool-call', name: 'look', argumentsText: CITY }]);
  });
});

const streamed = async (...pieces: readonly object[]): Promise<ChatEvent[]> =>
  Array.fromAsync(
    readStream(
      chatDialects['openai-chat'],
      pieces.map((piece) => writeFrame(JSON.stringify(piece))),
    ),
  );
const piece = (call: object, beside: object = {}): object => ({
  id: 'c1',
  choices: [{ index: 0, delta: { tool_calls: [call] }, ...beside }],
});

describe('a streamed call of a chat', () => {
  test.each([
    ['with its name alone', [{ index: 0, function: { name: 'look' } }]],
    ['with its name and its first arguments', [{ index: 0, function: { name: 'look', arguments: '' } }]],
    ['with all of it again', [{ index: 0, id: 'a', type: 'function', function: { name: 'look' } }]],
  ])('that is named by its second piece, %s, has that name', async (_, [second]) => {
    const first = piece({ index: 0, id: 'a', type: 'function', function: { name: '', arguments: '' } });
    const last = piece(
      { index: 0, function: { name: '', arguments: CITY } },
      { finish_reason: 'tool_calls' },
    );
    const events = await streamed(first, piece(second ?? {}), last);
    expect(callsIn(events)).toEqual([['look', CITY]]);
    expect(events.find(({ type }) => type === 'tool-call-start')).toMatchObject({ id: 'a', name: 'look' });
  });

  test('that is never named is still a call', async () => {
    const first = piece({ index: 0, id: 'a', function: { name: '', arguments: '' } });
    const end = { id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] };
    expect(callsIn(await streamed(first, end))).toEqual([['', '']]);
  });
});

test('an error beside a chunk whose answer ended in error says what it was', async () => {
  const choice = { index: 0, delta: { content: '' }, finish_reason: 'error' };
  const events = await streamed({
    id: 'c1',
    choices: [choice],
    error: { code: 502, message: 'Provider disconnected' },
  });
  expect(events.filter(({ type }) => type === 'error')).toMatchObject([
    { error: { message: 'Provider disconnected' } },
  ]);
});

test('an answer of Messages may be a plain text', () => {
  const events = chatDialects['anthropic-messages'].readWhole({ content: 'Hello.', stop_reason: 'end_turn' });
  expect(fold(events).choices[0]?.text).toBe('Hello.');
});

describe.each(formats)(
  'words and calls in the middle of a call reach a caller of %s, behind the call',
  (name) => {
    const call = (index: number): ChatEvent => ({
      type: 'tool-call-start',
      choice: 0,
      index,
      id: `c${String(index)}`,
      name: 'look',
    });
    const says = (index: number, argumentsText: string): ChatEvent => ({
      type: 'tool-call-delta',
      choice: 0,
      index,
      argumentsText,
    });
    const word = (text: string): ChatEvent => ({ type: 'text-delta', choice: 0, text });
    const told = async (reason: 'tool-calls' | 'length', ...events: ChatEvent[]) => {
      const dialect = chatDialects[name];
      const all: ChatEvent[] = [
        { type: 'start', id: 'r', model: 'm' },
        ...events,
        { type: 'finish', choice: 0, reason },
      ];
      const streamed = await Array.fromAsync(readStream(dialect, writeStream(dialect, all)));
      return [streamed, dialect.readWhole(dialect.writeWhole(all))].map((read) => {
        const { text, calls } = fold(read).choices[0] ?? { text: '', calls: [] };
        return [text, ...calls.map(({ argumentsText }) => argumentsText)];
      });
    };

    test('whole', async () => {
      const events = [call(0), says(0, '{"a":'), word('Hm.'), call(1), says(1, '{"b":'), says(0, '1}')];
      const expected = ['Hm. So.', '{"a":1}', '{"b":2}'];
      expect(await told('tool-calls', ...events, word(' So.'), says(1, '2}'))).toEqual([expected, expected]);
    });

    test('and the words alone in a format of whole calls, where the answer was cut', async () => {
      const cut = await told('length', call(0), says(0, '{"a":1}'), call(1), says(1, '{"b":'), word('Hm.'));
      const isOfWhole = name === 'gemini';
      for (const [text, first, second] of cut)
        expect([text, first, second?.includes('"b')]).toEqual([
          'Hm.',
          '{"a":1}',
          isOfWhole ? undefined : true,
        ]);
    });

    test('and the words also where the answer fails', async () => {
      const error = new AppError('upstream_failed', 'cut');
      const events: ChatEvent[] = [call(0), says(0, '{"a":'), word('Hm.'), { type: 'error', error }];
      const dialect = chatDialects[name];
      const { choices, error: told } = fold(
        await Array.fromAsync(readStream(dialect, writeStream(dialect, events))),
      );
      expect([choices[0]?.text, told === undefined]).toEqual(['Hm.', false]);
    });
  },
);
