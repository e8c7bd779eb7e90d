import type { OptionValues } from '#contract/options.ts';
import { AppError } from '../error.ts';
import { matcherOf } from './check-words.ts';
import { replyTexts } from './reply-texts.ts';

/** The options that decide which words responses may not contain. */
export type ReplyOptions = Pick<
  OptionValues,
  'CheckSensitiveEnabled' | 'CheckSensitiveOnCompletionEnabled' | 'StopOnSensitiveEnabled' | 'SensitiveWords'
>;

/** The options for another thread; undefined if responses are not checked. */
export const replyOptions = (options: ReplyOptions): ReplyOptions | undefined => {
  const { CheckSensitiveEnabled, CheckSensitiveOnCompletionEnabled, StopOnSensitiveEnabled, SensitiveWords } =
    options;
  if (!CheckSensitiveEnabled || !CheckSensitiveOnCompletionEnabled) return undefined;
  return { CheckSensitiveEnabled, CheckSensitiveOnCompletionEnabled, StopOnSensitiveEnabled, SensitiveWords };
};

/** The first listed word of a whole response. */
export const wordInReply = (words: ReplyOptions | undefined, body: unknown): string | undefined => {
  if (words === undefined) return undefined;
  let found: string | undefined;
  const read = createReplyCheck()({ ...words, StopOnSensitiveEnabled: false }, (word) => {
    found = word;
  });
  read?.(body);
  return found;
};

/** How many texts of a stream are followed separately. */
const MOST_TEXTS = 1000;

/** Checks one response, whole or event by event, in any caller's format; finds words cut by an event boundary. */
export type ReplyReader = (body: unknown) => void;

/** Makes a reader for one response; undefined if responses are not checked. Caches the matcher of the last list. */
export type ReplyCheck = (options: ReplyOptions, report: (word: string) => void) => ReplyReader | undefined;

/**
 * Makes the check. Its readers throw `invalid_request` (`sensitive_words_detected`) if the response contains a listed
 * word. If the options say not to stop calls, they only report the first word. The word itself appears only in the
 * server's log.
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
        // Searches the texts in order as one, and each text that is interleaved with others on its own.
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
