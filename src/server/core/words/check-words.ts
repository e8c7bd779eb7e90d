import { translatedRefusal } from '../translated-refusal.ts';
import type { OptionValues } from '#contract/options.ts';
import { isSharedPart } from '../json/known-parts.ts';
import { CleanTexts, type Digest } from './clean-texts.ts';
import { promptTexts } from './prompt-texts.ts';
import { createWordMatcher, type WordMatcher } from './word-matcher.ts';

/** The options that decide which words prompts may not contain. */
export type WordOptions = Pick<
  OptionValues,
  'CheckSensitiveEnabled' | 'CheckSensitiveOnPromptEnabled' | 'StopOnSensitiveEnabled' | 'SensitiveWords'
>;

/** Checks prompts. */
export type WordCheck = (
  options: WordOptions,
  body: Readonly<Record<string, unknown>>,
  report: (word: string) => void,
) => void;

interface CheckedList {
  readonly lines: string;
  readonly matcher: WordMatcher;
  readonly cleanTexts: CleanTexts;
  /** Messages and tools in which no listed word was found, with the field they stood in. */
  readonly cleanParts: WeakMap<object, string>;
}

const listOf = (lines: string): CheckedList => ({
  lines,
  matcher: createWordMatcher(lines),
  cleanTexts: new CleanTexts(),
  cleanParts: new WeakMap(),
});

let list = listOf('');

/** Keeps the last list, because lists rarely change. */
const checkedList = (words: string): CheckedList => {
  if (words !== list.lines) list = listOf(words);
  return list;
};

/** The matcher of a list. */
export const matcherOf = (words: string): WordMatcher => checkedList(words).matcher;

/** Whether prompts are checked at all. */
export const checksPrompts = (options: WordOptions): boolean =>
  options.CheckSensitiveEnabled &&
  options.CheckSensitiveOnPromptEnabled &&
  matcherOf(options.SensitiveWords).wordCount > 0;

/**
 * The first listed word in the prompt, if prompts are checked. `digest` recognizes long texts that were checked before.
 */
export const findWord = (
  options: WordOptions,
  body: Readonly<Record<string, unknown>>,
  digest: Digest,
): string | undefined => {
  if (!checksPrompts(options)) return undefined;
  const { matcher, cleanTexts, cleanParts } = checkedList(options.SensitiveWords);
  let word: string | undefined;
  const isClean = (text: string): boolean => {
    word = matcher.find(text);
    return word === undefined;
  };
  const searched: [part: object, field: string][] = [];
  const isKnown = (part: object, field: string): boolean => {
    if (cleanParts.get(part) === field) return true;
    if (isSharedPart(part)) searched.push([part, field]);
    return false;
  };
  for (const text of promptTexts(body, isKnown)) if (!cleanTexts.check(text, isClean, digest)) return word;
  for (const [part, field] of searched) cleanParts.set(part, field);
  return undefined;
};

/** Throws `invalid_request` for a found word, or only reports it if the options say not to stop calls. */
export const refuseWord = (
  options: Pick<WordOptions, 'StopOnSensitiveEnabled'>,
  word: string,
  report: (word: string) => void,
): void => {
  report(word);
  if (!options.StopOnSensitiveEnabled) return;
  throw translatedRefusal('invalid_request', 'relay_words', {}, { reason: 'sensitive_words_detected' });
};

/**
 * Throws `invalid_request` (`sensitive_words_detected`) if the prompt contains a listed word, or only reports it if the
 * options say not to stop calls. The word itself appears only in the server's log.
 */
export const createWordCheck =
  (digest: Digest): WordCheck =>
  (options, body, report) => {
    const word = findWord(options, body, digest);
    if (word !== undefined) refuseWord(options, word, report);
  };
