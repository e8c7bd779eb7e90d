import {
  isMessageKey,
  type Language,
  type MessageKey,
  type Phrase,
  type PhraseValues,
  sayPhrase,
} from '#contract/messages.ts';
import { parsed } from '#contract/text.ts';

const MARK = '{"say":';

/** A sentence as it is stored: by its key, so that everybody reads it in their own language. */
export const keptPhrase = (key: MessageKey, values: PhraseValues = {}): string =>
  JSON.stringify({ say: key, values });

/** The same sentence with more values, where only the one who stores it knows them. */
export const withValues = (text: string, values: PhraseValues): string => {
  const kept = (parsed(text) ?? {}) as { readonly say?: unknown; readonly values?: unknown };
  if (!text.startsWith(MARK) || typeof kept.say !== 'string') return text;
  return JSON.stringify({
    say: kept.say,
    values: { ...(kept.values as PhraseValues | undefined), ...values },
  });
};

/** A stored sentence, still to be said; what an older version wrote, and what people typed, is as it stands. */
export const phraseOf = (text: string): Phrase | string => {
  if (!text.startsWith(MARK)) return text;
  const { say: key, values } = (parsed(text) ?? {}) as { readonly say?: unknown; readonly values?: unknown };
  if (typeof key !== 'string' || !isMessageKey(key)) return text;
  return { key, values: (values ?? {}) as PhraseValues };
};

/** A stored text in somebody's language. */
export const shownText = (text: string, language: Language): string => {
  const phrase = phraseOf(text);
  return typeof phrase === 'string' ? phrase : sayPhrase(phrase, language);
};
