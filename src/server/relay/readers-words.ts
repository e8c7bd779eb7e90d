import { isMessageKey, languageOf, sayPhrase } from '#contract/messages.ts';
import { type AppError, reworded } from '#core/error.ts';
import type { Running } from './running.ts';

/** An error of ours as a person in the playground reads it; programs are told in English, an upstream's words stay. */
export const inReadersWords = (
  { call, routing }: Pick<Running, 'call' | 'routing'>,
  error: AppError,
): AppError => {
  if (!call.playground || error.upstream !== undefined) return error;
  const { reason, values } = error;
  const phrase =
    error.phrase ?? (reason !== undefined && isMessageKey(reason) ? { key: reason, values } : undefined);
  if (phrase === undefined) return error;
  const language = languageOf(call.headers['accept-language'], routing.options.DefaultLanguage);
  return reworded(error, sayPhrase(phrase, language));
};
