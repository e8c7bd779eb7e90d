import { AppError } from '#core/error.ts';
import { type Fields, fieldsOf } from '#core/json/fields.ts';
import { inCallersWords } from '../../dialects/callers-words.ts';
import { openaiResponsesWire } from '../../dialects/openai-responses/openai-responses.ts';
import { errorHeaders } from '../caller/reply-headers.ts';

/** OpenAI closes a connection after the same time. */
export const CONNECTION_LIFE_MS = 60 * 60_000;

/** `invalid_request` in OpenAI's words: the connection has reached its maximum age. */
export const lifeIsOver = (): AppError =>
  new AppError(
    'invalid_request',
    'Responses websocket connection limit reached (60 minutes). Create a new websocket connection to continue.',
    { reason: 'websocket_connection_limit_reached' },
  );

/**
 * `invalid_request`: no lane of the connection has this response as its latest. Clients then send the whole history.
 */
export const previousNotFound = (id: string): AppError =>
  new AppError('invalid_request', `Previous response with id '${id.slice(0, 200)}' not found.`, {
    param: 'previous_response_id',
    reason: 'previous_response_not_found',
  });

/** `invalid_request`: no response of this id runs on the connection. */
export const notRunning = (id: string): AppError =>
  new AppError('invalid_request', `No response with id '${id.slice(0, 200)}' is in progress.`, {
    param: 'response_id',
    reason: 'response_not_found',
  });

/** Headers that say something about a single call; others are left out of error events. */
const TOLD_HEADER = /^(?:retry-after|x-should-retry|x-ratelimit-.*)$/;

interface FailedTurn {
  readonly status: number;
  readonly error: Fields;
  readonly headers: Readonly<Record<string, string>>;
  readonly streamId: string | undefined;
}

/**
 * An error event in the form of OpenAI's WebSockets: what an HTTP answer would say, and its status
 * (developers.openai.com/api/docs/guides/websocket-mode). Codex also reads the headers.
 */
export const errorEvent = ({ status, error, headers, streamId }: FailedTurn): Buffer => {
  const shown = Object.entries(headers).filter(([name]) => TOLD_HEADER.test(name));
  return Buffer.from(
    JSON.stringify({
      type: 'error',
      status,
      ...(streamId !== undefined && { stream_id: streamId }),
      error: { type: 'invalid_request_error', code: null, message: '', param: null, ...error },
      ...(shown.length > 0 && { headers: Object.fromEntries(shown) }),
    }),
  );
};

/** The same for an error of ours. */
export const ownErrorEvent = (thrown: AppError, requestId: string, streamId: string | undefined): Buffer => {
  const { status, body } = openaiResponsesWire.writeError(
    inCallersWords(thrown, openaiResponsesWire.name),
    requestId,
  );
  const error = fieldsOf(fieldsOf(body)['error']);
  return errorEvent({ status, error, headers: errorHeaders(thrown), streamId });
};
