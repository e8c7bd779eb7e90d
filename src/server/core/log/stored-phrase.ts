import {
  isMessageKey,
  type Language,
  type MessageKey,
  type Phrase,
  type PhraseValues,
  sayPhrase,
} from '#contract/messages.ts';
import { parsed } from '#contract/json-text.ts';

const MARK = '{"say":';

/** A message as stored: its key and values, so that everybody reads it in their own language. */
export const storedPhrase = (key: MessageKey, values: PhraseValues = {}): string =>
  JSON.stringify({ say: key, values });

/** Adds values to a stored sentence that only the storing code knows. */
export const withValues = (text: string, values: PhraseValues): string => {
  const stored = (parsed(text) ?? {}) as { readonly say?: unknown; readonly values?: unknown };
  if (!text.startsWith(MARK) || typeof stored.say !== 'string') return text;
  return JSON.stringify({
    say: stored.say,
    values: { ...(stored.values as PhraseValues | undefined), ...values },
  });
};

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
