import { AppError } from '#core/error.ts';
import { type Fields, fieldsOf } from '#core/json/fields.ts';
import { inCallersWords } from '../../dialects/callers-words.ts';
import { openaiResponsesWire } from '../../dialects/openai-responses/openai-responses.ts';
import { errorHeaders } from '../caller/reply-headers.ts';

/** As long as OpenAI keeps a connection. */
export const CONNECTION_LIFE_MS = 60 * 60_000;

/** `invalid_request`, in the words of OpenAI: the connection has lived its time. */
export const lifeIsOver = (): AppError =>
  new AppError(
    'invalid_request',
    'Responses websocket connection limit reached (60 minutes). Create a new websocket connection to continue.',
    { reason: 'websocket_connection_limit_reached' },
  );

/** `invalid_request`: no lane of the connection has this response as its latest; clients then send everything. */
export const previousNotFound = (id: string): AppError =>
  new AppError('invalid_request', `Previous response with id '${id.slice(0, 200)}' not found.`, {
    param: 'previous_response_id',
    reason: 'previous_response_not_found',
  });

/** Only these headers say something about one call. */
const TOLD_HEADER = /^(?:retry-after|x-should-retry|x-ratelimit-.*)$/;

interface FailedTurn {
  readonly status: number;
  readonly error: Fields;
  readonly headers: Readonly<Record<string, string>>;
  readonly streamId: string | undefined;
}

/**
 * An error in the words of OpenAI's WebSockets: what an HTTP answer would say, and its status
 * (developers.openai.com/api/docs/guides/websocket-mode). Codex reads the headers, too.
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
