import type { UnbilledCall, Reply } from '../calls.ts';
import { type AppError, asAppError, upstreamFailed } from '#core/error.ts';
import type { OutboundBody } from '#core/outbound.ts';
import { readAll } from '#core/read-all.ts';
import type { Secrets } from '#core/secrets.ts';
import { openaiResponses } from '../../dialects/openai-responses/openai-responses.ts';
import { WHOLE_BODY_MAX_BYTES } from '../answer/answer.ts';
import { errorHeaders } from '../caller/reply-headers.ts';
import type { RelayDeps } from '../ports.ts';

/**
 * Calls that are answered but never charged. `serve` always answers, and aborts when the caller leaves; `stop` aborts
 * all running calls.
 */
export const createUnbilledCalls = <Call extends UnbilledCall>(
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

/** Sends an upstream's whole answer to the caller unchanged, except that our key is masked. */
export const sendWhole = (
  reply: Reply,
  { status, bytes }: { readonly status: number; readonly bytes: Buffer },
  secrets: Secrets,
): void => {
  reply.start(status, { 'content-type': 'application/json', 'content-length': String(bytes.length) });
  reply.end(secrets.mask(bytes));
};

/** Reads an upstream's whole answer. Throws `upstream_failed` if it is too long. */
export const readWhole = async (body: OutboundBody): Promise<Buffer> => {
  const bytes = await readAll(body, WHOLE_BODY_MAX_BYTES);
  if (bytes === undefined) throw upstreamFailed('the reply is too long');
  return bytes;
};

/** Reports the error in the format of OpenAI Responses. */
const refuse = (
  { log }: Pick<RelayDeps, 'log'>,
  { reply, requestId }: UnbilledCall,
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
