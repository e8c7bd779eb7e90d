import type { OptionValues } from '#contract/options.ts';
import { AppError } from '../error.ts';
import { replyTexts } from './reply-texts.ts';
import { createWordMatcher, type WordMatcher } from './word-matcher.ts';

type ReplyOptions = Pick<
  OptionValues,
  'CheckSensitiveEnabled' | 'CheckSensitiveOnCompletionEnabled' | 'StopOnSensitiveEnabled' | 'SensitiveWords'
>;

/** Reads one reply, whole or event by event, in any caller's format; a word may be cut between two events. */
export type ReplyReader = (body: unknown) => void;

/** Opens a reader for a reply; undefined where replies are not checked. Keeps the matcher of the list it saw last. */
export type ReplyCheck = (options: ReplyOptions, report: (word: string) => void) => ReplyReader | undefined;

/**
 * Readers throw `invalid_request` (`sensitive_words_detected`) where the reply has a listed word. Where calls are not to
 * be stopped, the first one is only reported. Which it is, is for the server's log alone.
 */
export const createReplyCheck = (): ReplyCheck => {
  let lines = '';
  let matcher: WordMatcher = createWordMatcher('');
  return (options, report) => {
    if (!options.CheckSensitiveEnabled || !options.CheckSensitiveOnCompletionEnabled) return undefined;
    if (options.SensitiveWords !== lines) {
      lines = options.SensitiveWords;
      matcher = createWordMatcher(lines);
    }
    if (matcher.wordCount === 0) return undefined;
    const find = matcher.follow();
    let isOver = false;
    return (body) => {
      for (const text of isOver ? [] : replyTexts(body)) {
        const word = find(text);
        if (word === undefined) continue;
        isOver = true;
        report(word);
        if (!options.StopOnSensitiveEnabled) return;
        throw new AppError('invalid_request', 'sensitive words detected', {
          reason: 'sensitive_words_detected',
        });
      }
    };
  };
};
