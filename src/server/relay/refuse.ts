import type { AppError } from '#core/error.ts';
import type { JsonArrayWriter } from '../dialects/gemini/json-array.ts';
import { mayHaveDone } from './can-repeat.ts';
import { errorHeaders } from './error-headers.ts';
import { rateHeaders } from './rate-headers.ts';
import type { RelayDeps } from './ports.ts';
import { inReadersWords } from './readers-words.ts';
import type { Running } from './running.ts';

/** Tells the caller what went wrong, in its own format: by status while that is still open, else as the stream's end. */
export const refuse = (deps: Pick<RelayDeps, 'log' | 'clock'>, running: Running, thrown: AppError): void => {
  const { reply, requestId } = running.call;
  const error = inReadersWords(running, thrown);
  if (error.code === 'internal')
    deps.log.error('a call failed inside', { requestId, cause: causeText(running, error.cause) });
  if (reply.gone) return;
  if (reply.started) {
    const { insideEvent, list } = running.outlet;
    // In the middle of an event nothing well-formed can be said any more.
    if (insideEvent) reply.cut();
    else if (list !== undefined) reply.end(lastOf(list, running.wire.writeError(error, requestId).body));
    else if (running.outlet.toldError !== undefined) reply.end();
    else reply.end(failureOf(running, error));
    return;
  }
  const { status, body } = running.wire.writeError(error, requestId);
  const upstreamStatus = error.upstream?.status ?? 0;
  const mapped = upstreamStatus === 0 ? undefined : running.channel?.statusCodeMapping.get(upstreamStatus);
  const bytes = Buffer.from(JSON.stringify(body));
  reply.start(mapped ?? status, {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    ...errorHeaders(error, mayHaveDone(running, error)),
    ...(error.rate === undefined
      ? running.rateHeaders
      : rateHeaders(error.rate, running.call.dialect, deps.clock.now())),
  });
  reply.end(bytes);
};

/** The stream's end, as whoever wrote it goes on, or behind what was repeated of it. */
const failureOf = ({ outlet, wire, call }: Running, error: AppError): Buffer =>
  outlet.writer?.fail(error, call.requestId) ?? wire.writeStreamError(error, call.requestId, outlet);

/** The last item of a list and its end. */
const lastOf = (list: JsonArrayWriter, body: unknown): Buffer =>
  Buffer.concat([list.write({ data: Buffer.from(JSON.stringify(body)) }), list.end()]);

const causeText = (running: Running, cause: unknown): string => {
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  return running.channel === undefined ? text : running.secrets.maskText(text);
};
