import { saidRefusal } from '../said-refusal.ts';
import type { OptionValues } from '#contract/options.ts';
import { promptTexts } from './prompt-texts.ts';
import { createWordMatcher, type WordMatcher } from './word-matcher.ts';

export type WordOptions = Pick<
  OptionValues,
  'CheckSensitiveEnabled' | 'CheckSensitiveOnPromptEnabled' | 'StopOnSensitiveEnabled' | 'SensitiveWords'
>;

/** Checks prompts; keeps the matcher of the list it saw last, which is the same until an admin changes it. */
export type WordCheck = (
  options: WordOptions,
  body: Readonly<Record<string, unknown>>,
  report: (word: string) => void,
) => void;

let lines = '';
let matcher: WordMatcher = createWordMatcher('');

/** The matcher of a list; the last one is kept, and is the same until an admin changes the list. */
export const matcherOf = (words: string): WordMatcher => {
  if (words !== lines) {
    matcher = createWordMatcher(words);
    lines = words;
  }
  return matcher;
};

/** Whether there is anything to look for in prompts. */
export const checksPrompts = (options: WordOptions): boolean =>
  options.CheckSensitiveEnabled &&
  options.CheckSensitiveOnPromptEnabled &&
  matcherOf(options.SensitiveWords).wordCount > 0;

/** A listed word the prompt has, where prompts are checked. */
export const findWord = (
  options: WordOptions,
  body: Readonly<Record<string, unknown>>,
): string | undefined => {
  if (!checksPrompts(options)) return undefined;
  const { find } = matcherOf(options.SensitiveWords);
  for (const text of promptTexts(body)) {
    const word = find(text);
    if (word !== undefined) return word;
  }
  return undefined;
};

/** Throws `invalid_request` for a word that was found; where calls are not to be stopped, it is only reported. */
export const refuseWord = (
  options: Pick<WordOptions, 'StopOnSensitiveEnabled'>,
  word: string,
  report: (word: string) => void,
): void => {
  report(word);
  if (!options.StopOnSensitiveEnabled) return;
  throw saidRefusal('invalid_request', 'relay_words', {}, { reason: 'sensitive_words_detected' });
};

/**
 * Throws `invalid_request` (`sensitive_words_detected`) where the prompt has a listed word. Which one is for the
 * server's log only; where calls are not to be stopped, it is only reported.
 */
export const createWordCheck = (): WordCheck => (options, body, report) => {
  const word = findWord(options, body);
  if (word !== undefined) refuseWord(options, word, report);
};
