import { type MessageKey, type PhraseValues, say } from '#contract/messages.ts';
import { AppError, type ErrorCode } from './error.ts';

type Details = ConstructorParameters<typeof AppError>[2];

/** An error of the relay itself: in English for programs, translated for readers in the playground. */
export const translatedRefusal = (
  code: ErrorCode,
  key: MessageKey,
  values: PhraseValues = {},
  details: Details = {},
): AppError => new AppError(code, say(key, 'en', values), { ...details, phrase: { key, values } });
