import { type AppError, asAppError } from '#core/error.ts';
import { openaiResponses } from '../../dialects/openai-responses/openai-responses.ts';
import type { RelayDeps, Reply } from '../ports.ts';

interface AnsweredCall {
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
    ...(error.retryAfterSeconds !== undefined && { 'retry-after': String(error.retryAfterSeconds) }),
  });
  reply.end(bytes);
};
