import { textDigest } from './request/text-digest.ts';
import { expect, it } from 'vitest';
import { createWordCheck } from '#core/words/check-words.ts';
import { expectAlike, expectInProportion } from '#core/testing/thread-time.ts';

/** Searches a text of `length` characters for `wordCount` words, none of which is in it. */
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
  const check = createWordCheck(textDigest);
  return () => check(options, body, () => expect.fail('there is none of the words in it'));
};

it('a prompt is checked in time in proportion to its length', () => {
  expect(checkOf(10_000, 1024)).not.toThrow();
  expectInProportion(256 * 1024, (length) => checkOf(10_000, length));
});

it('ten thousand words take nowhere near a hundred times the time of a hundred', () => {
  // The word table does not fit the processor's cache, so some slowdown is fine; searching word by word would be 100
  // times slower.
  const length = 1024 * 1024;
  expect(checkOf(10_000, length)).not.toThrow();
  expectAlike([checkOf(100, length), checkOf(10_000, length)], 20);
});
