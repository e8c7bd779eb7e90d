import type { OptionValues } from '#contract/options.ts';
import { AppError } from '../error.ts';
import { promptTexts } from './prompt-texts.ts';
import { createWordMatcher, type WordMatcher } from './word-matcher.ts';

type WordOptions = Pick<
  OptionValues,
  'CheckSensitiveEnabled' | 'CheckSensitiveOnPromptEnabled' | 'StopOnSensitiveEnabled' | 'SensitiveWords'
>;

/** Checks prompts; keeps the matcher of the list it saw last, which is the same until an admin changes it. */
export type WordCheck = (
  options: WordOptions,
  body: Readonly<Record<string, unknown>>,
  report: (word: string) => void,
) => void;

/**
 * Throws `invalid_request` (`sensitive_words_detected`) where the prompt has a listed word. Which one is for the
 * server's log only; where calls are not to be stopped, it is only reported.
 */
export const createWordCheck = (): WordCheck => {
  let lines = '';
  let matcher: WordMatcher = createWordMatcher('');
  return (options, body, report) => {
    if (!options.CheckSensitiveEnabled || !options.CheckSensitiveOnPromptEnabled) return;
    if (options.SensitiveWords !== lines) {
      lines = options.SensitiveWords;
      matcher = createWordMatcher(lines);
    }
    if (matcher.wordCount === 0) return;
    for (const text of promptTexts(body)) {
      const word = matcher.find(text);
      if (word === undefined) continue;
      report(word);
      if (!options.StopOnSensitiveEnabled) return;
      throw new AppError('invalid_request', 'sensitive words detected', {
        reason: 'sensitive_words_detected',
      });
    }
  };
};
