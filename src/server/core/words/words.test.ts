import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AppError } from '../error.ts';
import { createReplyCheck } from './check-reply.ts';
import { createWordCheck } from './check-words.ts';
import { promptTexts } from './prompt-texts.ts';
import { replyTexts } from './reply-texts.ts';
import { createWordMatcher } from './word-matcher.ts';

it('finds a word exactly where a plain search finds one, however words overlap', () => {
  const letter = fc.constantFrom('a', 'b', 'c', '词');
  const word = fc.string({ unit: letter, minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 12 }),
      fc.string({ unit: letter, maxLength: 30 }),
      (words, text) => {
        const found = createWordMatcher(words.join('\n')).find(text);
        const some = words.find((one) => text.includes(one));
        expect(found === undefined).toBe(some === undefined);
        expect(text).toContain(found ?? '');
      },
    ),
    { numRuns: 500 },
  );
});

it('finds the same in a text that comes in pieces, however it is cut', () => {
  const letter = fc.constantFrom('a', 'b', '词');
  const words = fc.array(fc.string({ unit: letter, minLength: 1, maxLength: 4 }), { maxLength: 8 });
  const pieces = fc.array(fc.string({ unit: letter, maxLength: 5 }), { maxLength: 8 });
  fc.assert(
    fc.property(words, pieces, (listed, cut) => {
      const matcher = createWordMatcher(listed.join('\n'));
      const find = matcher.follow();
      const found = cut.map((piece) => find(piece)).find((word) => word !== undefined);
      // Both find a word, but not always the same one.
      expect(found !== undefined).toBe(matcher.find(cut.join('')) !== undefined);
    }),
    { numRuns: 500 },
  );
});

it('reads only the model’s text, in every format, whole and in events', () => {
  for (const [body, texts] of [
    [{ model: 'm', choices: [{ message: { role: 'x', content: 'one' }, finish_reason: 'stop' }] }, ['one']],
    [{ choices: [{ delta: { reasoning_content: 'one', content: 'two' } }] }, ['one', 'two']],
    [{ choices: [{ text: 'one' }] }, ['one']],
    [{ output: [{ type: 'message', content: [{ type: 'output_text', text: 'one' }] }] }, ['one']],
    [{ type: 'response.output_text.delta', item_id: 'i', delta: 'one' }, ['one']],
    [{ type: 'message', content: [{ type: 'thinking', thinking: 'one', signature: 's' }] }, ['one']],
    [{ type: 'content_block_delta', delta: { type: 'text_delta', text: 'one' } }, ['one']],
    [{ candidates: [{ content: { role: 'model', parts: [{ text: 'one' }] } }] }, ['one']],
    [
      { choices: [{ delta: { tool_calls: [{ id: 'x', function: { name: 'f', arguments: 'one' } }] } }] },
      ['one'],
    ],
    [{ type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: 'one' } }, ['one']],
    [{ type: 'content_block_start', content_block: { type: 'text', text: 'one' } }, ['one']],
    [
      { candidates: [{ content: { parts: [{ functionCall: { name: 'f', args: { any: 'one' } } }] } }] },
      ['one'],
    ],
    [{ choices: [{ message: { content: null, refusal: 'one' } }] }, ['one']],
    [{ type: 'response.audio_transcript.delta', delta: 'one' }, ['one']],
    [{ output: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'one' }] }] }, ['one']],
    [{ choices: [{ message: { audio: { id: 'i', data: 'AAAA', transcript: 'one' } } }] }, ['one']],
    [{ choices: [{ message: { reasoning_details: [{ type: 't', text: 'one' }] } }] }, ['one']],
    [{ data: [{ b64_json: 'AAAA', revised_prompt: 'one' }] }, ['one']],
    [{ content: [{ type: 'redacted_thinking', data: 'AAAA' }], reasoning: { summary: 'auto' } }, []],
    [{ type: 'speech.audio.delta', audio: 'AAAA' }, []],
  ] as const)
    expect(replyTexts(body).map(({ text }) => text)).toEqual(texts);
});

it('does not care for case, blank lines and spaces around words', () => {
  const matcher = createWordMatcher('  Forbidden \n\n\nbad word\r\n');
  expect(matcher.wordCount).toBe(2);
  expect(matcher.find('this is FORBIDDEN here')).toBe('Forbidden');
  expect(matcher.find('a BAD WORD')).toBe('bad word');
  expect(matcher.find('a bad  word')).toBe(undefined);
  expect(createWordMatcher(' \n ').find('anything')).toBe(undefined);
});

it('collects the texts of every format, but neither binary data nor type names', () => {
  expect(
    promptTexts({
      model: 'gpt',
      messages: [
        { role: 'system', content: 'one' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'two' },
            { type: 'image_url', image_url: { url: 'http://x' } },
          ],
        },
      ],
    }),
  ).toEqual(['one', 'two']);
  expect(
    promptTexts({
      system: [{ type: 'text', text: 'one' }],
      messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'id', content: 'two' }] }],
    }),
  ).toEqual(['one', 'two']);
  expect(
    promptTexts({
      systemInstruction: { parts: [{ text: 'two' }] },
      contents: [
        { role: 'user', parts: [{ text: 'one' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
      ],
    }),
  ).toEqual(['two', 'one']);
  expect(promptTexts({ input: ['one', 'two'], instructions: 'three' })).toEqual(['one', 'two', 'three']);
  expect(promptTexts({ prompt: 'one', suffix: 'two' })).toEqual(['one', 'two']);
});

it('searches each of several answers by itself, and each field across its pieces', () => {
  const options = {
    CheckSensitiveEnabled: true,
    CheckSensitiveOnCompletionEnabled: true,
    StopOnSensitiveEnabled: true,
    SensitiveWords: 'forbidden',
  };
  const isFound = (events: readonly unknown[]): boolean => {
    const read = createReplyCheck()(options, () => undefined);
    try {
      for (const event of events) read?.(event);
      return false;
    } catch (thrown) {
      return thrown instanceof AppError && thrown.reason === 'sensitive_words_detected';
    }
  };
  const choice = (index: number, content: string) => ({ choices: [{ index, delta: { content } }] });
  const block = (output_index: number, delta: string) => ({
    type: 'response.output_text.delta',
    output_index,
    delta,
  });
  expect(
    isFound([choice(0, 'for'), choice(1, 'x'), choice(0, 'bid'), choice(1, 'y'), choice(0, 'den')]),
  ).toBe(true);
  expect(isFound([block(0, 'forb'), block(1, 'x'), block(0, 'idden')])).toBe(true);
  expect(isFound([choice(0, 'for'), choice(1, 'x'), choice(1, 'bidden')])).toBe(false);
  expect(isFound([choice(0, 'for\u200b'), choice(0, '\u200bbidden')])).toBe(true);
  expect(
    isFound([choice(0, 'forb'), { choices: [{ index: 0, delta: { reasoning_content: 'idden' } }] }]),
  ).toBe(true);
});

const options = {
  CheckSensitiveEnabled: true,
  CheckSensitiveOnPromptEnabled: true,
  StopOnSensitiveEnabled: true,
  SensitiveWords: 'test_sensitive',
};
const body = { messages: [{ role: 'user', content: 'a TEST_sensitive word' }] };

it('refuses with the documented code, names the word only in the log, and obeys each switch', () => {
  const check = createWordCheck((text) => hash('sha256', text, 'base64'));
  const reported: string[] = [];
  const run = (changes: Partial<typeof options>): unknown => {
    try {
      check({ ...options, ...changes }, body, (word) => reported.push(word));
      return undefined;
    } catch (error) {
      return error;
    }
  };
  const refusal = run({});
  expect(refusal).toBeInstanceOf(AppError);
  expect(refusal).toMatchObject({
    code: 'invalid_request',
    reason: 'sensitive_words_detected',
    message: 'sensitive words detected',
  });
  expect(reported).toEqual(['test_sensitive']);
  expect(run({ CheckSensitiveEnabled: false })).toBe(undefined);
  expect(run({ CheckSensitiveOnPromptEnabled: false })).toBe(undefined);
  expect(reported).toHaveLength(1);
  expect(run({ StopOnSensitiveEnabled: false })).toBe(undefined);
  expect(reported).toHaveLength(2);
  expect(run({ SensitiveWords: 'other' })).toBe(undefined);
  expect(run({ SensitiveWords: 'other\nword' })).toBeInstanceOf(AppError);
});
