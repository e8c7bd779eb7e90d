import type { IncomingHttpHeaders } from 'node:http';
import { type AppError, asAppError } from '#core/error.ts';
import type { OutboundBody } from '#core/outbound.ts';
import { readAll } from '#core/read-all.ts';
import type { Secrets } from '#core/secrets.ts';
import { openaiResponses } from '../../dialects/openai-responses/openai-responses.ts';
import { WHOLE_BODY_MAX_BYTES } from '../answer.ts';
import { errorHeaders } from '../error-headers.ts';
import type { RelayDeps, Reply } from '../ports.ts';
import { upstreamFailed } from '../upstream-failed.ts';

/** One call about something an upstream keeps. */
export interface AnsweredCall {
  /** Without its `?`. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly queryKey: string | undefined;
  readonly ip: string;
  readonly requestId: string;
  readonly reply: Reply;
}

/**
 * Calls that are only asked and answered, never charged: `serve` answers one, whatever goes wrong in it, and gives up when
 * its caller leaves; `stop` ends all that are running.
 */
export const answeredCalls = <Call extends AnsweredCall>(
  deps: Pick<RelayDeps, 'log'>,
  run: (call: Call, signal: AbortSignal) => Promise<void>,
): { serve(call: Call): Promise<void>; stop(): void } => {
  const running = new Set<AbortController>();
  return {
    async serve(call) {
      const abort = new AbortController();
      running.add(abort);
      call.reply.onGone = () => abort.abort();
      try {
        await run(call, abort.signal);
      } catch (thrown) {
        refuse(deps, call, asAppError(thrown));
      }
      running.delete(abort);
    },
    stop() {
      for (const abort of running) abort.abort();
    },
  };
};

/** Gives away a whole answer as its upstream gave it, but for our key in it. */
export const answerWhole = (
  reply: Reply,
  { status, bytes }: { readonly status: number; readonly bytes: Buffer },
  secrets: Secrets,
): void => {
  reply.start(status, { 'content-type': 'application/json', 'content-length': String(bytes.length) });
  reply.end(secrets.mask(bytes));
};

/** Reads a whole answer of an upstream. Throws `upstream_failed` where it is too long. */
export const readWhole = async (body: OutboundBody): Promise<Buffer> => {
  const bytes = await readAll(body, WHOLE_BODY_MAX_BYTES);
  if (bytes === undefined) throw upstreamFailed('the reply is too long');
  return bytes;
};

/** Tells the caller of a call about something kept what went wrong. */
const refuse = (
  { log }: Pick<RelayDeps, 'log'>,
  { reply, requestId }: AnsweredCall,
  error: AppError,
): void => {
  if (error.code === 'internal')
    log.error('a call about a kept response failed inside', { requestId, cause: String(error.cause) });
  if (reply.gone) return;
  if (reply.started) {
    reply.end(openaiResponses.writeStreamError(error, requestId));
    return;
  }
  const { status, body } = openaiResponses.writeError(error, requestId);
  const bytes = Buffer.from(JSON.stringify(body));
  reply.start(status, {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    ...errorHeaders(error),
  });
  reply.end(bytes);
};
