import { type MessageKey, type PhraseValues, say } from '#contract/messages.ts';
import { AppError, type ErrorCode } from './error.ts';

type Details = ConstructorParameters<typeof AppError>[2];

/** A refusal of the relay: in English for programs, and a sentence of the catalogue for a reader in the playground. */
export const saidRefusal = (
  code: ErrorCode,
  key: MessageKey,
  values: PhraseValues = {},
  details: Details = {},
): AppError => new AppError(code, say(key, 'en', values), { ...details, phrase: { key, values } });
