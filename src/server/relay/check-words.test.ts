import { expect, it } from 'vitest';
import { createWordCheck } from '#core/words/check-words.ts';
import { expectAlike, expectInProportion } from '#core/testing/thread-time.ts';

/** Looks for so many words in a text of so many characters which has none of them. */
const checkOf = (wordCount: number, length: number): (() => void) => {
  const words = Array.from({ length: wordCount }, (_, at) => `word${at.toString(36)}ending${at % 7}`);
  const options = {
    CheckSensitiveEnabled: true,
    CheckSensitiveOnPromptEnabled: true,
    StopOnSensitiveEnabled: true,
    SensitiveWords: words.join('\n'),
  };
  const text = 'The word one wants is worded in many words, 而且还有一些中文的文字。'
    .repeat(26_000)
    .slice(0, length);
  const body = { messages: [{ role: 'user', content: [{ type: 'text', text }] }] };
  const check = createWordCheck();
  return () => check(options, body, () => expect.fail('there is none of the words in it'));
};

it('a prompt is checked in time in proportion to its length', () => {
  expect(checkOf(10_000, 1024)).not.toThrow();
  expectInProportion(256 * 1024, (length) => checkOf(10_000, length));
});

it('ten thousand words take nowhere near a hundred times the time of a hundred', () => {
  // Their table is larger than what a processor keeps at hand: some times as long, where word by word it were a hundred.
  const length = 1024 * 1024;
  expect(checkOf(10_000, length)).not.toThrow();
  expectAlike([checkOf(100, length), checkOf(10_000, length)], 20);
});
