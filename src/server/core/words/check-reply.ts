import type { OptionValues } from '#contract/options.ts';
import { AppError } from '../error.ts';
import { matcherOf } from './check-words.ts';
import { replyTexts } from './reply-texts.ts';

type ReplyOptions = Pick<
  OptionValues,
  'CheckSensitiveEnabled' | 'CheckSensitiveOnCompletionEnabled' | 'StopOnSensitiveEnabled' | 'SensitiveWords'
>;

/** Texts of a stream that are followed each by itself. */
const MOST_TEXTS = 1000;

/** Reads one reply, whole or event by event, in any caller's format; a word may be cut between two events. */
export type ReplyReader = (body: unknown) => void;

/** Opens a reader for a reply; undefined where replies are not checked. Keeps the matcher of the list it saw last. */
export type ReplyCheck = (options: ReplyOptions, report: (word: string) => void) => ReplyReader | undefined;

/**
 * Readers throw `invalid_request` (`sensitive_words_detected`) where the reply has a listed word. Where calls are not to
 * be stopped, the first one is only reported. Which it is, is for the server's log alone.
 */
export const createReplyCheck = (): ReplyCheck => {
  return (options, report) => {
    if (!options.CheckSensitiveEnabled || !options.CheckSensitiveOnCompletionEnabled) return undefined;
    const { wordCount, follow } = matcherOf(options.SensitiveWords);
    if (wordCount === 0) return undefined;
    const find = follow();
    const byText = new Map<string, ReturnType<typeof follow>>();
    const findIn = (of: string): typeof find => {
      const known = byText.get(of);
      if (known !== undefined) return known;
      const made = follow();
      if (byText.size < MOST_TEXTS) byText.set(of, made);
      return made;
    };
    let isOver = false;
    return (body) => {
      for (const { text, of } of isOver ? [] : replyTexts(body)) {
        // What stands one behind the other is read as one, and so is every text that others come between.
        const word = find(text) ?? findIn(of)(text);
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
