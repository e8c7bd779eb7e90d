import { describe, expect, test } from 'vitest';
import { threadMs } from '#core/testing/thread-time.ts';
import type { DialectName } from '#core/chat/request.ts';
import { AppError } from '#core/error.ts';
import { chatDialects } from '../../dialects/chat-dialects.ts';
import { fitRequest } from './fit-request.ts';

/** Beginnings and ends of a conversation that the format's maker refuses: we never send them. */

type Json = Readonly<Record<string, unknown>>;

const written = (from: DialectName, to: DialectName, body: object, model = 'm'): Json => {
  const read = { ...chatDialects[from].readRequest({ model: 'm', ...body }), model };
  return chatDialects[to].writeRequest(fitRequest(read, chatDialects[to]));
};

const hi = { role: 'user', content: 'hi' };
const called = [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_0', type: 'function', function: { name: 'f', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'call_0', content: 'found' },
];

describe("a conversation for Claude that ends with the model's turn", () => {
  const ask = (content: string, model = 'claude-opus-4-5'): unknown =>
    written('openai-chat', 'anthropic-messages', { messages: [hi, { role: 'assistant', content }] }, model)[
      'messages'
    ];

  test('has no white space at its end', () => {
    expect(ask('Once upon \n')).toEqual([hi, { role: 'assistant', content: 'Once upon' }]);
    expect(ask(' ')).toEqual([hi]);
  });

  test('gets a user message for models since 4.6, which cannot continue their own turn', () => {
    expect(ask('Once', 'claude-opus-4-6')).toEqual([
      hi,
      { role: 'assistant', content: 'Once' },
      { role: 'user', content: 'Continue.' },
    ]);
  });

  test("ends with the model's turn even if instructions follow it", () => {
    const messages = [hi, { role: 'assistant', content: 'Once ' }, { role: 'system', content: 'Be brief.' }];
    expect(written('openai-chat', 'anthropic-messages', { messages })['messages']).toEqual([
      hi,
      { role: 'assistant', content: 'Once' },
    ]);
  });
});

test('a conversation whose first call follows words of the model and instructions gets one, too', () => {
  const { contents } = written('openai-chat', 'gemini', {
    messages: [{ role: 'assistant', content: 'Hello.' }, { role: 'developer', content: 'a' }, ...called],
  });
  expect((contents as Json[])[0]).toEqual({ role: 'user', parts: [{ text: 'Begin.' }] });
});

test('a conversation that begins with a call gets a user turn first for Gemini', () => {
  const { contents } = written('openai-chat', 'gemini', {
    messages: [{ role: 'system', content: 'a' }, ...called],
  });
  expect((contents as Json[]).map(({ role }) => role)).toEqual(['user', 'model', 'user']);
  expect((contents as Json[])[0]).toEqual({ role: 'user', parts: [{ text: 'Begin.' }] });
  const usual = written('openai-chat', 'gemini', { messages: [hi, ...called] })['contents'];
  expect((usual as Json[])[0]).toEqual({ role: 'user', parts: [{ text: 'hi' }] });
});

test('instructions alone are sent as input to Responses, which refuses an empty input', () => {
  const { instructions, input } = written('openai-chat', 'openai-responses', {
    messages: [{ role: 'system', content: 'Say hello.' }],
  });
  expect([instructions, input]).toEqual([undefined, [{ role: 'system', content: 'Say hello.' }]]);
});

test('a Responses thought without an answer is not sent back', () => {
  const thought = (text: string) => ({
    type: 'thinking',
    thinking: text,
    signature: 'from.openai-responses.c2Vhb',
  });
  const { input } = written('anthropic-messages', 'openai-responses', {
    max_tokens: 10,
    messages: [
      hi,
      { role: 'assistant', content: [thought('lost')] },
      hi,
      { role: 'assistant', content: [thought('kept'), { type: 'text', text: 'a' }] },
      hi,
    ],
  });
  expect((input as Json[]).map(({ type, role }) => type ?? role)).toEqual([
    'user',
    'user',
    'reasoning',
    'assistant',
    'user',
  ]);
});

describe('calls with the same id', () => {
  test('get unique ids, and so do their results', () => {
    const sent = written('openai-chat', 'anthropic-messages', { messages: [hi, ...called, ...called] });
    const blocks = (sent['messages'] as { content: Json[] | string }[]).flatMap(({ content }) =>
      typeof content === 'string' ? [] : content,
    );
    expect(blocks.map(({ id, tool_use_id: of }) => id ?? of)).toEqual([
      'call_0',
      'call_0',
      'call_0_2',
      'call_0_2',
    ]);
  });

  test('in one answer are matched to their results in order', () => {
    const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' };
    const output = (said: string) => ({ type: 'function_call_output', call_id: 'c', output: said });
    const { messages } = written('openai-responses', 'openai-chat', {
      input: [hi, call, call, output('one'), output('two')],
    });
    expect((messages as Json[]).slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'c', content: 'one' },
      { role: 'tool', tool_call_id: 'c_2', content: 'two' },
    ]);
  });
});

test('blank stop sequences are not sent to Claude, and no empty list is sent', () => {
  const body = { messages: [hi], stop: ['\n', 'END'] };
  expect(written('openai-chat', 'anthropic-messages', body)['stop_sequences']).toEqual(['END']);
  expect(written('openai-chat', 'anthropic-messages', { ...body, stop: ['\n'] })).not.toHaveProperty(
    'stop_sequences',
  );
  const read = chatDialects.gemini.readRequest({
    model: 'o3',
    contents: [{ parts: [{ text: 'hi' }] }],
    generationConfig: { stopSequences: ['END'] },
  });
  expect(fitRequest(read, { ...chatDialects['openai-chat'], mostStops: () => 0 })).not.toHaveProperty('stop');
});

test.each<[DialectName, DialectName, number, (body: Json) => unknown]>([
  ['anthropic-messages', 'openai-chat', 64, ({ user }) => user],
  ['anthropic-messages', 'openai-responses', 64, ({ user }) => user],
  ['openai-chat', 'anthropic-messages', 256, ({ metadata }) => (metadata as Json)['user_id']],
])('the name of an end user of %s is as long as %s takes it, %i letters', (from, to, length, nameIn) => {
  const nameOf = (end: string): string => {
    const user = `${'user '.repeat(80)}${end}`;
    const name = nameIn(
      written(from, to, { messages: [hi], max_tokens: 9, user, metadata: { user_id: user } }),
    );
    expect(String(name)).toHaveLength(length);
    return String(name);
  };
  expect(nameOf('a')).not.toBe(nameOf('b'));
  expect(nameOf('a')).toBe(nameOf('a'));
});

describe('what was said while tools were running', () => {
  const call = (id: string): Json => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' });
  const output = (id: string): Json => ({ type: 'function_call_output', call_id: id, output: `of ${id}` });
  const word = (content: string): Json => ({ role: 'user', content });
  const chatOf = (...input: Json[]): unknown =>
    (written('openai-responses', 'openai-chat', { input })['messages'] as Json[]).map(
      ({ role, content, tool_calls: calls }) =>
        calls === undefined ? [role, content] : [role, ...(calls as Json[]).map(({ id }) => id)],
    );

  test('follows their results in formats that want these directly after the calls', () => {
    expect(chatOf(word('go'), call('a'), call('b'), output('a'), word('faster'), output('b'))).toEqual([
      ['user', 'go'],
      ['assistant', 'a', 'b'],
      ['tool', 'of a'],
      ['tool', 'of b'],
      ['user', 'faster'],
    ]);
  });

  test('stands between calls that were made one after the other', () => {
    expect(chatOf(word('go'), call('a'), word('faster'), call('b'), output('a'), output('b'))).toEqual([
      ['user', 'go'],
      ['assistant', 'a'],
      ['tool', 'of a'],
      ['user', 'faster'],
      ['assistant', 'b'],
      ['tool', 'of b'],
    ]);
  });

  test('goes to Responses as it was', () => {
    const input = [word('go'), call('a'), word('faster'), output('a')];
    const sent = written('openai-responses', 'openai-responses', { input })['input'] as Json[];
    expect(sent.map(({ type, content }) => content ?? type)).toEqual([
      'go',
      'function_call',
      'faster',
      'function_call_output',
    ]);
  });

  test('takes a moment, however many calls wait for results that never come', () => {
    const input = Array.from({ length: 40_000 }, (_, at) => [call(`c${String(at)}`), word('go')]).flat();
    const tookMs = threadMs(() => {
      written('openai-responses', 'openai-chat', { input: [...input, output('c0')] });
    });
    expect(tookMs).toBeLessThan(5000);
  });
});

test.each<[string, number, number]>([
  ['openai-chat', 4, 5],
  ['gemini', 5, 6],
  ['an upstream without any', 0, 1],
])(
  'stop sequences that we search for are few and short; those of %s may be as many as it takes',
  (name, most, beyond) => {
    const egress = { name, ...(most === 0 ? { hasNoStops: true as const } : { mostStops: () => most }) };
    const read = chatDialects['anthropic-messages'].readRequest({
      model: 'm',
      max_tokens: 9,
      messages: [hi],
    });
    const fitted = (stop: readonly string[]): unknown => {
      try {
        return fitRequest({ ...read, stop }, egress).stop?.length ?? 0;
      } catch (thrown) {
        return thrown instanceof AppError ? thrown.param : thrown;
      }
    };
    const long = 'x'.repeat(257);
    const stops = (count: number, text = 's'): string[] => Array.from({ length: count }, () => text);
    const given = [stops(most, long), stops(beyond), stops(16), stops(17), stops(beyond, long)];
    expect(given.map(fitted)).toEqual([most, most === 0 ? 1 : most, most === 0 ? 16 : most, 'stop', 'stop']);
  },
);
