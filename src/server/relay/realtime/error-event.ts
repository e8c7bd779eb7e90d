import type { AppError } from '#core/error.ts';
import type { Wire } from '../../dialects/dialect.ts';
import { fieldsOf, parsedFields, textOf } from '../../dialects/openai/fields.ts';

/** The longest id of a caller's own that is repeated to it; OpenAI's own limit. */
const MOST_ID_LETTERS = 512;

/** An error as an event of the conversation: of `message`, by the id the caller gave it, where it is about one. */
export const errorEvent = (wire: Wire, error: AppError, requestId: string, message?: Buffer): object => {
  const { body } = wire.writeError(error, requestId);
  const id = message === undefined ? undefined : textOf(parsedFields(message)?.['event_id']);
  return {
    type: 'error',
    event_id: `event_${requestId}`,
    error: {
      ...fieldsOf(fieldsOf(body)['error']),
      ...(id !== undefined && { event_id: id.slice(0, MOST_ID_LETTERS) }),
    },
  };
};
