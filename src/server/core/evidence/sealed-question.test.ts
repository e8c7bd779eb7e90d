import { describe, expect, it, test } from 'vitest';
import { noUsage } from '../chat/usage.ts';
import { sealedQuestion, sealedResult, textOfReply } from './sealed-question.ts';

const seeded = (seed: number) => {
  let state = seed;
  const unit = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  return { unit, alphanumeric: (length: number) => 'a'.repeat(length) };
};
const random = seeded(7);
const many = Array.from({ length: 300 }, () => sealedQuestion(random));
const short = many.find(({ answer }) => /^\d+$/.test(answer)) ?? many[0]!;
const long = many.find(({ answer }) => /[a-z]/.test(answer)) ?? many[0]!;

describe('a sealed question', () => {
  it('is another one each time, from its beginning on', () => {
    const beginnings = new Set(many.map(({ messages }) => messages[0]?.content.slice(0, 24)));
    expect(beginnings.size).toBeGreaterThan(295);
    expect(new Set(many.map(({ stream }) => stream)).size).toBe(2);
    expect(new Set(many.map(({ maxTokens }) => maxTokens)).size).toBeGreaterThan(50);
  });

  it('has the answer that its text asks for, and one that fits into a budget', () => {
    for (const { messages, answer } of many) {
      const text = messages.at(-1)?.content ?? '';
      const [, a, b] = /(\d+) (?:times|\*|×|boxes with) (\d+)/.exec(text) ?? [];
      const [, at] = /(?:number|position) (\d+)\?/.exec(text) ?? [];
      const line = text.split('\n').find((one) => one.startsWith(`${String(at)}. `));
      expect(answer).toBe(a === undefined ? line?.replace(/^\d+\. /, '') : String(Number(a) * Number(b)));
      expect(text.length / 4).toBeLessThan(3000);
    }
  });
});

describe('a reply', () => {
  const openai = (content: string) =>
    JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] });
  const pieces = (texts: readonly string[], of: (text: string) => object) =>
    texts.map((text) => `data: ${JSON.stringify(of(text))}\n\n`).join('');
  const number = Number(short.answer);

  test.each([
    ['whole', openai(`The result is ${short.answer}.`)],
    ['with separators', openai(`**${number.toLocaleString('en-US')}**`)],
    [
      'streamed',
      pieces([short.answer.slice(0, 2), short.answer.slice(2)], (text) => ({
        choices: [{ delta: { content: text } }],
      })),
    ],
    [
      'of Anthropic',
      pieces([short.answer.slice(0, 2), short.answer.slice(2)], (text) => ({
        type: 'content_block_delta',
        delta: { type: 'text_delta', text },
      })),
    ],
    [
      'of Responses',
      pieces([short.answer.slice(0, 1), short.answer.slice(1)], (delta) => ({
        type: 'response.output_text.delta',
        delta,
      })),
    ],
    ['of Gemini', JSON.stringify({ candidates: [{ content: { parts: [{ text: `${short.answer}\n` }] } }] })],
  ])('that is right is found right: %s', (_, reply) =>
    expect(sealedResult(short, reply, undefined)).toEqual({ verdict: 'right', isCacheFalse: false }),
  );

  it('that is wrong is found wrong, also where the answer is part of another number', () => {
    expect(sealedResult(short, openai(String(number + 10)), undefined)?.verdict).toBe('wrong');
    expect(sealedResult(short, openai(`${short.answer}7`), undefined)?.verdict).toBe('wrong');
    expect(sealedResult(long, openai(long.answer.toUpperCase()), undefined)?.verdict).toBe('right');
    expect(sealedResult(long, openai('amber anchor 1'), undefined)?.verdict).toBe('wrong');
  });

  it('that ended at its limit without the answer is not wrong: the answer may have been about to come', () => {
    const used = (outputTokens: number) => ({ ...noUsage, inputTokens: 20, outputTokens });
    const thinking = openai('First I split the numbers:');
    expect(sealedResult(short, thinking, used(short.maxTokens))?.verdict).toBe('unclear');
    expect(sealedResult(short, thinking, used(short.maxTokens - 1))?.verdict).toBe('wrong');
    expect(sealedResult(short, openai(short.answer), used(short.maxTokens))?.verdict).toBe('right');
  });

  it('without text is not judged', () => {
    expect(sealedResult(short, openai(''), undefined)).toBeUndefined();
    expect(sealedResult(short, '', undefined)).toBeUndefined();
    expect(textOfReply('{"content":"a\\nb\\"c"}')).toBe('a\nb"c');
  });

  it('that claims cached tokens for a prompt never sent before is false, except for what an upstream adds itself', () => {
    const own = long.messages.reduce((sum, { content }) => sum + content.length, 0) / 4;
    const usage = (all: number, cached: number) => ({
      ...noUsage,
      inputTokens: all - cached,
      cacheReadTokens: cached,
    });
    const said = openai(long.answer);
    expect(sealedResult(long, said, usage(own, 0))?.isCacheFalse).toBe(false);
    expect(sealedResult(long, said, usage(own, Math.round(own * 0.8)))?.isCacheFalse).toBe(true);
    expect(sealedResult(long, said, usage(own + 2000, 2000))?.isCacheFalse).toBe(false);
  });
});
