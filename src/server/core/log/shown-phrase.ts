import { parsed } from '#contract/json-text.ts';
import {
  isMessageKey,
  type Language,
  type Phrase,
  type PhraseValues,
  sayPhrase,
} from '#contract/messages.ts';
import { MARK } from './stored-phrase.ts';

/** Reads a stored sentence for translation; text of older versions, or typed by people, is returned as it is. */
export const phraseOf = (text: string): Phrase | string => {
  if (!text.startsWith(MARK)) return text;
  const { say: key, values } = (parsed(text) ?? {}) as { readonly say?: unknown; readonly values?: unknown };
  if (typeof key !== 'string' || !isMessageKey(key)) return text;
  return { key, values: (values ?? {}) as PhraseValues };
};

/** A stored text in the reader's language. */
export const shownText = (text: string, language: Language): string => {
  const phrase = phraseOf(text);
  return typeof phrase === 'string' ? phrase : sayPhrase(phrase, language);
};
