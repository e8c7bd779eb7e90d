import type { MessageKey, PhraseValues } from '#contract/messages.ts';
import { parsed } from '#contract/json-text.ts';

export const MARK = '{"say":';

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
