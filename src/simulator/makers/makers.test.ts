import { describe, expect, test } from 'vitest';
import { anthropicMessagesRules } from './anthropic-messages.ts';
import { geminiRules } from './gemini.ts';
import { type Fields, good } from './good-requests.ts';
import { openaiChatRules } from './openai-chat.ts';
import { openaiExamples } from './openai-examples.ts';
import { openaiResponsesRules } from './openai-responses.ts';
import { otherExamples } from './other-examples.ts';
import { refusedAt, refusedByMaker } from './refused-by-maker.ts';
import { sealOf } from './seals.ts';

/** What a maker would refuse is refused here; what it takes is taken. */

const examples = { ...openaiExamples, ...otherExamples };
const rules = {
  'openai-chat': openaiChatRules,
  'openai-responses': openaiResponsesRules,
  'anthropic-messages': anthropicMessagesRules,
  gemini: geminiRules,
};

const changed = (format: string, fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries({ ...good[format], ...fields }).filter(([, value]) => value !== undefined),
  );

describe.each(Object.entries(rules))('the maker of %s', (format, ofFormat) => {
  test('takes a good request', () => {
    expect(refusedByMaker(format, good[format] ?? {})).toBeUndefined();
  });

  test.each([...(examples[format] ?? [])])(
    'refuses %s, and takes what is all right',
    (_, words, refused, taken) => {
      expect(refusedByMaker(format, changed(format, refused))).toContain(words);
      expect(refusedByMaker(format, changed(format, taken))).toBeUndefined();
    },
  );

  test.each(['__proto__', 'constructor', 'toString'])('answers a body whose every word is %s', (word) => {
    const body = { model: word, messages: [{ role: word, content: [{ type: word }] }] };
    const input = [{ type: word }, { role: word, content: [{ type: word }], type: 'message' }];
    const contents = [{ role: word, parts: [{ text: word }] }];
    for (const fields of [
      body,
      { input },
      { contents },
      { messages: [{ role: 'user', content: body.messages }] },
    ])
      expect(() => refusedByMaker(format, changed(format, fields))).not.toThrow();
  });

  test('has no rule without an example', () => {
    const bodies = (examples[format] ?? []).map(([, , refused]) => changed(format, refused));
    const silent = ofFormat.filter(({ broken }) => bodies.every((body) => broken(body) === undefined));
    expect(silent.map(({ source }) => source)).toEqual([]);
  });
});

describe('a seal', () => {
  const own = sealOf('anthropic-messages', 'a');
  const [gemini, responses] = [sealOf('gemini', 'a'), sealOf('openai-responses', 'a')];
  const messages = (block: object): Fields => ({
    ...good['anthropic-messages'],
    thinking: undefined,
    messages: [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [block] },
    ],
  });
  const contents = (seal: string): Fields => ({
    contents: [{ role: 'user', parts: [{ text: 'a', thoughtSignature: seal }] }],
  });
  const input = (seal: string): Fields => ({
    input: [
      { type: 'reasoning', summary: [], encrypted_content: seal },
      { role: 'assistant', content: 'a' },
    ],
  });
  const thought = (signature: string) => ({ type: 'thinking', thinking: 'hm', signature });
  const hidden = (data: string) => ({ type: 'redacted_thinking', data });
  const path = { gemini: '/v1beta/models/gemini-2.5-pro:generateContent', messages: '/v1/messages' };

  test.each<[string, string, Fields, Fields]>([
    ['of a thought', path.messages, messages(thought(own)), messages(thought(gemini))],
    ['of a hidden thought', path.messages, messages(hidden(own)), messages(hidden(responses))],
    ['of a part', path.gemini, contents(gemini), contents(own)],
    ['of an item', '/v1/responses', input(responses), input(`from.gemini.${gemini}`)],
  ])('%s is taken by who made it, and by nobody else', (_, at, taken, refused) => {
    expect(refusedAt(at, taken)).toBeUndefined();
    expect(refusedAt(at, refused)).toMatch(/signature|data|encrypted content/i);
  });
});
