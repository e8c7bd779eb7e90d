import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '#core/testing/any-character.ts';
import { noUsage } from '#core/chat/usage.ts';
import type { Tapped } from '../dialect.ts';
import type { Frame } from '../frame.ts';
import { openaiChatWire } from '../openai-chat/openai-chat.ts';
import { openaiCompletions } from '../openai-completions/openai-completions.ts';
import { openaiEmbeddings } from '../openai-embeddings/openai-embeddings.ts';
import { writeFrame } from '../sse.ts';

const frame = (body: unknown): Frame => writeFrame(typeof body === 'string' ? body : JSON.stringify(body));
const tap = (body: unknown): Tapped | undefined => openaiChatWire.tap(frame(body));
const chunk = (delta: unknown, beside: Record<string, unknown> = {}) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: null, ...beside }],
});

describe('the tap of a chat stream', () => {
  test('an opening event with a role alone is not content', () => {
    expect(tap(chunk({ role: 'assistant', content: '' }))).toBeUndefined();
    expect(tap(chunk({ role: 'assistant', content: null, refusal: null, tool_calls: null }))).toBeUndefined();
    expect(tap({ choices: [], prompt_filter_results: [{ prompt_index: 0 }] })).toBeUndefined();
  });

  test.each([
    ['text', { content: 'Hi' }, 2],
    ['reasoning', { reasoning_content: 'Hm' }, 2],
    ['a refusal', { refusal: 'No.' }, 3],
    [
      'a tool call',
      { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '' } }] },
      1,
    ],
    ['arguments of a call', { tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] }, 4],
    ['sound', { audio: { id: 'a', data: 'UklGRg==' } }, 0],
    ['an escaped text', { content: 'a\n"\\é' }, 6],
    ['Chinese', { content: '你好' }, 6],
  ])('%s is content, weighed by its bytes', (_, delta, bytes) => {
    expect(tap(chunk(delta))).toEqual({ content: true, outputBytes: bytes });
  });

  test('scanning counts as many bytes as parsing, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, minLength: 1 }), fc.boolean(), (text, spaced) => {
        const body = chunk({ content: text });
        const scanned = tap(JSON.stringify(body, null, spaced ? 1 : 0).replaceAll('\n', ''));
        expect(scanned?.content).toBe(true);
        // A lone surrogate is an escape in JSON: three bytes either way.
        expect(scanned?.outputBytes).toBe(Buffer.byteLength(text) - controls(text));
      }),
    );
  });

  test('the end mark, with and without spaces', () => {
    expect(tap('[DONE]')).toEqual({ done: true });
    expect(tap(' [DONE] ')).toEqual({ done: true });
  });

  test('text that talks about usage, errors and finishes is only text', () => {
    const text = '{"usage":{"prompt_tokens":9},"error":{"message":"x"},"finish_reason":"stop"}';
    expect(tap(chunk({ content: text }))).toMatchObject({ content: true, outputBytes: text.length });
    expect(tap(chunk({ content: text }))).not.toHaveProperty('usage');
    expect(tap(chunk({ content: text }))).not.toHaveProperty('error');
    expect(tap(chunk({ content: '"choices"' }))?.content).toBe(true);
  });

  test('finish, with the last words in the same event', () => {
    expect(tap(chunk({ content: '!' }, { finish_reason: 'tool_calls' }))).toEqual({
      finish: 'tool-calls',
      ended: [0],
      content: true,
      outputBytes: 1,
    });
    expect(tap('{"choices": [{"index": 0, "delta": {}, "finish_reason" : "length"}]}')).toEqual({
      finish: 'length',
      ended: [0],
    });
  });

  test('usage alone is marked, usage beside an answer is not', () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const read = { ...noUsage, inputTokens: 10, outputTokens: 5 };
    expect(tap({ choices: [], usage })).toEqual({ usage: read, usageOnly: true });
    const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    expect(tap({ choices: [], usage: zeros })).toEqual({ usageOnly: true });
    expect(tap({ choices: [], usage: null, prompt_filter_results: [] })?.usageOnly).toBeUndefined();
    expect(tap({ ...chunk({ content: 'a' }), usage })).toEqual({
      usage: read,
      content: true,
      outputBytes: 1,
    });
    expect(tap({ choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage }] })).toMatchObject({
      usage: read,
      finish: 'stop',
    });
    expect(tap({ choices: [{ index: 0, delta: {} }], x_groq: { usage } })?.usage).toEqual(read);
  });

  test.each([
    ['OpenAI', { error: { message: 'm', type: 't', code: 'c' } }],
    ['a bare text', { error: 'm' }],
    ['vLLM', { object: 'error', message: 'm', code: 500 }],
    ['Cloudflare', { errors: [{ code: 7003, message: 'm' }], success: false }],
    ['MiniMax', { choices: null, base_resp: { status_code: 1004, status_msg: 'm' } }],
    ['a detail', { detail: 'm' }],
  ])('an error under status 200 in the shape of %s', (_, body) => {
    const tapped = tap(body);
    expect(tapped?.error?.code).toBe('upstream_failed');
    expect(tapped?.error?.upstream?.message).toBe('m');
    expect(tapped?.content).toBeUndefined();
  });

  test('an event named error is one, whatever it holds', () => {
    const named: Frame = { ...frame('overloaded'), event: 'error' };
    expect(openaiChatWire.tap(named)?.error?.upstream?.message).toBe('overloaded');
    expect(
      openaiChatWire.tap({ ...frame({ choices: [], message: 'm' }), event: 'error' })?.error?.upstream
        ?.message,
    ).toBe('m');
  });

  test('invalid JSON is ignored', () => {
    expect(tap('<html>')).toBeUndefined();
    expect(tap('{"choices":[{"finish_reason":"stop"')).toBeUndefined();
    expect(tap('')).toBeUndefined();
    expect(tap('null')).toBeUndefined();
    expect(tap('[1,2]')).toBeUndefined();
  });

  test('it throws at no bytes whatsoever', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const data = Buffer.concat([Buffer.from('{"choices":[{"delta":'), bytes]);
        openaiChatWire.tap({ raw: data, event: '', data });
        openaiChatWire.tap({ raw: data, event: 'error', data: Buffer.from(bytes) });
        expect(true).toBe(true);
      }),
    );
  });
});

describe('the tap of whole replies', () => {
  test('usage, finish and weight of every choice', () => {
    const body = {
      choices: [
        { index: 0, message: { role: 'assistant', content: 'ab' }, finish_reason: 'stop' },
        {
          index: 1,
          message: { role: 'assistant', content: 'cde', annotations: [] },
          finish_reason: 'length',
        },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 2 },
    };
    expect(openaiChatWire.tapWhole(body)).toEqual({
      usage: { ...noUsage, inputTokens: 3, outputTokens: 2 },
      finish: 'length',
      ended: [0, 1],
      content: true,
      outputBytes: 5,
    });
  });

  test('an error under status 200', () => {
    expect(openaiChatWire.tapWhole({ error: { message: 'no' } }).error?.code).toBe('upstream_failed');
    expect(openaiChatWire.tapWhole('<html>')).toEqual({});
    expect(openaiChatWire.tapWhole({ code: 1, message: 'no' }).error?.upstream?.message).toBe('no');
  });

  test('old completions and embeddings', () => {
    const text = {
      choices: [{ text: 'abc', index: 0, finish_reason: 'length' }],
      usage: { prompt_tokens: 1, completion_tokens: 1 },
    };
    expect(openaiCompletions.tapWhole(text)).toMatchObject({
      finish: 'length',
      content: true,
      outputBytes: 3,
    });
    expect(
      openaiCompletions.tap(frame({ choices: [{ text: 'a"b', index: 0, finish_reason: null }] })),
    ).toEqual({
      content: true,
      outputBytes: 3,
    });
    expect(
      openaiCompletions.tap(frame({ choices: [{ text: '', index: 0, finish_reason: null }] })),
    ).toBeUndefined();
    const vectors = {
      object: 'list',
      data: [{ embedding: [1] }],
      usage: { prompt_tokens: 4, total_tokens: 4 },
    };
    expect(openaiEmbeddings.tapWhole(vectors)).toEqual({
      usage: { ...noUsage, inputTokens: 4 },
      content: true,
    });
    expect(openaiEmbeddings.tapWhole({ detail: 'no' }).error?.code).toBe('upstream_failed');
  });
});

/** `\u0001` counts as three bytes where it is escaped: the two that it has too many are known. */
const controls = (text: string): number => {
  // eslint-disable-next-line no-control-regex
  const escaped = text.match(/[\u0000-\u0007\u000b\u000e-\u001f]/g)?.length ?? 0;
  return escaped === 0 ? 0 : -2 * escaped;
};
