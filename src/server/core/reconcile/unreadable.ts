import { type MessageKey, type PhraseValues, say } from '#contract/messages.ts';
import { AppError } from '../error.ts';

/** The error for a file of an upstream that cannot be read or compared; its values name the line. */
export const unreadable = (key: MessageKey, values: PhraseValues = {}): AppError =>
  new AppError('invalid_request', say(key, 'en', values), { reason: key, values });
