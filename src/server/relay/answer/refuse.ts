import { mayBeDone } from '#core/channel/health/retry.ts';
import { type AppError, reworded } from '#core/error.ts';
import { isMessageKey, languageOf, sayPhrase } from '#contract/messages.ts';
import { inCallersWords } from '../../dialects/callers-words.ts';
import { withoutForeignPlaces } from '../../dialects/foreign-places.ts';
import type { JsonArrayWriter } from '../../dialects/gemini/reply/json-array.ts';
import { refusalHeaders } from '../caller/reply-headers.ts';
import type { RelayDeps } from '../ports.ts';
import type { Admitted, Begun } from '../stages.ts';

/** Reports the error in the caller's format: by status if the response has not begun, else at the end of the stream. */
export const refuse = (
  deps: Pick<RelayDeps, 'log' | 'clock'>,
  begun: Begun & Partial<Pick<Admitted, 'canRepeat'>>,
  thrown: AppError,
): void => {
  const { live, call, wire } = begun;
  const { reply, requestId } = call;
  const moved = live.destination?.sentAs?.movesPlaces === true;
  const atCallers = moved ? withoutForeignPlaces(thrown, wire.name) : thrown;
  const error = inCallersWords(inReadersWords(begun, atCallers), wire.name);
  if (error.code === 'internal')
    deps.log.error('a call failed unexpectedly', { requestId, cause: causeText(begun, error.cause) });
  if (reply.gone) return;
  if (reply.started) return endWith(begun, error);
  const { status, body } = wire.writeError(error, requestId);
  const bytes = Buffer.from(JSON.stringify(body));
  reply.start(error.upstream?.reportedStatus ?? status, {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    ...live.outlet.rateHeaders,
    ...refusalHeaders(error, call.dialect, deps.clock.now(), mayHaveDone(begun, error)),
  });
  reply.end(bytes);
};

/**
 * Whether a failed call may have had effects that must not happen twice; then the caller is told not to retry. True
 * where another channel would not be tried either, and where we ended the call after it was sent.
 */
const mayHaveDone = (
  { live, canRepeat }: Begun & Partial<Pick<Admitted, 'canRepeat'>>,
  error: AppError,
): boolean => {
  if (live.destination === undefined || canRepeat !== false) return false;
  return mayBeDone(error) || live.stopped !== undefined || error.code === 'internal';
};

const endWith = ({ live, call, wire }: Begun, error: AppError): void => {
  const { reply, requestId } = call;
  const { insideEvent, list, sentError, writer } = live.outlet;
  // In the middle of an event nothing well-formed can be written any more.
  if (insideEvent) reply.cut();
  else if (list !== undefined) reply.end(lastOf(list, wire.writeError(error, requestId).body));
  else if (sentError !== undefined) reply.end();
  // The writer ends its own stream; otherwise an error is appended to what was passed on.
  else reply.end(writer?.fail(error, requestId) ?? wire.writeStreamError(error, requestId, live.outlet));
};

/** The last item of a list, and its closing bracket. */
const lastOf = (list: JsonArrayWriter, body: unknown): Buffer =>
  Buffer.concat([list.write({ data: Buffer.from(JSON.stringify(body)) }), list.end()]);

const causeText = ({ live }: Begun, cause: unknown): string => {
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  return live.destination === undefined ? text : live.destination.secrets.maskText(text);
};

/**
 * Translates our own error for a person in the playground. Programs get English; an upstream's words are not
 * translated.
 */
const inReadersWords = ({ call, routing }: Pick<Begun, 'call' | 'routing'>, error: AppError): AppError => {
  if (!call.playground || error.upstream !== undefined) return error;
  const { reason, values } = error;
  const phrase =
    error.phrase ?? (reason !== undefined && isMessageKey(reason) ? { key: reason, values } : undefined);
  if (phrase === undefined) return error;
  const language = languageOf(call.headers['accept-language'], routing.options.DefaultLanguage);
  return reworded(error, sayPhrase(phrase, language));
};
