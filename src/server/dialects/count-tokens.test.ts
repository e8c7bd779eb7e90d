import { describe, expect, test } from 'vitest';
import { expectAlike, expectInProportion } from '#core/testing/thread-time.ts';
import { countTextTokens, countTokens } from './count-tokens.ts';
import type { ChatRequest, ContentPart } from '#core/chat/request.ts';

const asking = (content: readonly ContentPart[], beside: Partial<ChatRequest> = {}): ChatRequest => ({
  model: 'gpt-4o',
  stream: false,
  messages: [{ role: 'user', content }],
  extras: {},
  ...beside,
});
const text = (said: string): ContentPart => ({ type: 'text', text: said });

describe('counting tokens', () => {
  test('of a long text is the same in pieces, within a hundredth', () => {
    const sentence = 'The quick brown fox jumps over the lazy dog. 人工智能正在改变世界。\n';
    const once = countTextTokens(sentence.repeat(100), 'gpt-4o') / 100;
    const often = countTextTokens(sentence.repeat(20_000), 'gpt-4o') / 20_000;
    expect(Math.abs(often / once - 1)).toBeLessThan(0.01);
  });

  test('of plain sentences, as tokenizers count them', () => {
    // 9 words and a full stop.
    expect(countTextTokens('The quick brown fox jumps over the lazy dog.', 'gpt-4o')).toBe(10);
    expect(countTextTokens('人工智能正在改变世界。', 'qwen3-max')).toBe(8);
    expect(countTextTokens('', 'gpt-4o')).toBe(0);
  });

  test('grows with each part of a request: messages, tools, calls, results, pictures, thinking', () => {
    const plain = countTokens(asking([text('hello')]));
    const more = [
      asking([text('hello'), { type: 'image', media: { from: 'url', url: 'https://x.example' } }]),
      asking([text('hello'), { type: 'tool-call', id: 'c', name: 'f', argumentsText: '{"a":1}' }]),
      asking([text('hello'), { type: 'tool-result', callId: 'c', content: [text('done')] }]),
      asking([text('hello')], { tools: [{ name: 'f', description: 'd', parameters: { type: 'object' } }] }),
      asking([text('hello')], {
        responseFormat: { type: 'json-schema', name: 'n', schema: { type: 'object' } },
      }),
    ].map(countTokens);
    for (const count of more) expect(count).toBeGreaterThan(plain);
    const claude = asking([text('hello')], { model: 'claude-sonnet-4-5' });
    expect(countTokens({ ...claude, reasoning: { enabled: true } })).toBeGreaterThan(countTokens(claude));
  });

  test('of many texts is bounded as that of one', () => {
    const content = 'The quick brown fox jumps over the lazy dog. '.repeat(200);
    const message = { role: 'user', content: [text(content)] } as const;
    const count = (messages: number): number =>
      countTokens(asking([], { messages: Array.from({ length: messages }, () => message) }));
    expect(Math.abs(count(3000) / 3000 / count(1) - 1)).toBeLessThan(0.05);
    expectInProportion(1000, (messages) => () => void count(messages));
  });

  test('of tools is bounded, too', () => {
    const toolsOf = (length: number) => {
      const fields = Array.from({ length }, (_, at) => [
        `field${at}`,
        { type: 'string', description: 'A'.repeat(20) },
      ]);
      return [{ name: 'f', parameters: { type: 'object', properties: Object.fromEntries(fields) } }];
    };
    expect(countTokens(asking([text('hello')], { tools: toolsOf(10_000) }))).toBeGreaterThan(100_000);
    expectInProportion(2500, (length) => {
      const request = asking([text('hello')], { tools: toolsOf(length) });
      return () => void countTokens(request);
    });
  });

  test.each([
    ['letters', 'a'],
    ['capitals alone', 'A'],
    ['digits', '7'],
    ['tabs', '\t'],
    ['line ends', '\r\n'],
    ['marks that combine', '\u0301'],
    ['families', '👨‍👩‍👧'],
    ['ideographs outside the plane', '𠀀'],
    ['a pattern of two', '世a'],
    ['a pattern of three', 'A世1'],
    ['a pattern of four', ' a\nB'],
    ['a pattern of five', 'aA1 .'],
    ['a pattern of six', 'aBc1 .'],
    ['a pattern of seven', 'AaBbCc1'],
    ['blanks', ' '],
    ['ideographs', '世'],
    ['emoji', '😀'],
    ['capitals', 'aB'],
    ['lines', '\n'],
    ['lone halves of a pair', '\ud800'],
  ])('a million %s take time in proportion, and little more than words', (_, unit) => {
    const ofLength = (text: string, length: number): string => text.repeat(length / text.length);
    const count = (text: string) => () => void countTextTokens(text, 'gpt-4o');
    const tokens = countTextTokens(ofLength(unit, 1_000_000), 'gpt-4o');
    expect(Number.isFinite(tokens) && tokens > 0 && tokens <= 1_500_000).toBe(true);
    expectInProportion(250_000, (length) => count(ofLength(unit, length)));
    expectAlike([count(ofLength('The quick brown fox. ', 1_000_000)), count(ofLength(unit, 1_000_000))], 10);
  });
});
