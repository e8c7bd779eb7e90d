import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AppError } from '../error.ts';
import { createWordCheck } from './check-words.ts';
import { promptTexts } from './prompt-texts.ts';
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

it('does not care for case, blank lines and spaces around words', () => {
  const matcher = createWordMatcher('  Forbidden \n\n\nbad word\r\n');
  expect(matcher.wordCount).toBe(2);
  expect(matcher.find('this is FORBIDDEN here')).toBe('Forbidden');
  expect(matcher.find('a BAD WORD')).toBe('bad word');
  expect(matcher.find('a bad  word')).toBe(undefined);
  expect(createWordMatcher(' \n ').find('anything')).toBe(undefined);
});

it('collects what is said in every format, and neither bytes nor kinds', () => {
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
  ).toEqual(['two', 'one']);
  expect(
    promptTexts({
      systemInstruction: { parts: [{ text: 'two' }] },
      contents: [
        { role: 'user', parts: [{ text: 'one' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
      ],
    }),
  ).toEqual(['one', 'two']);
  expect(promptTexts({ input: ['one', 'two'], instructions: 'three' })).toEqual(['one', 'two', 'three']);
  expect(promptTexts({ prompt: 'one', suffix: 'two' })).toEqual(['one', 'two']);
});

const options = {
  CheckSensitiveEnabled: true,
  CheckSensitiveOnPromptEnabled: true,
  StopOnSensitiveEnabled: true,
  SensitiveWords: 'test_sensitive',
};
const body = { messages: [{ role: 'user', content: 'a TEST_sensitive word' }] };

it('refuses with the code callers know, tells the word to nobody but the log, and obeys each switch', () => {
  const check = createWordCheck();
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
