import type { UnbilledCall, Reply } from '../calls.ts';
import { secretsOf } from '#core/channel/channel-secrets.ts';
import { withMappedStatus } from '#core/channel/health/retry.ts';
import { type AppError, asAppError } from '#core/error.ts';
import type { OutboundBody, OutboundReply } from '#core/outbound/outbound.ts';
import type { Secrets } from '#core/secrets/secrets.ts';
import { type ReplyCheck, type ReplyReader, replyOptions } from '#core/words/check-reply.ts';
import { openaiResponses } from '../../dialects/openai-responses/openai-responses.ts';
import { refuseStatus } from '../answer/answer.ts';
import type { AnswerRoom, AnswerShare } from '../answer/answer-room.ts';
import { refusalHeaders } from '../caller/reply-headers.ts';
import { type KeptAnswer, readKept } from '../far/far-kept.ts';
import type { RelayDeps } from '../ports.ts';
import type { Keeper } from './ask-kept.ts';
import { LimitedReply } from './limited-reply.ts';

export interface UnbilledDeps extends Pick<RelayDeps, 'log' | 'farThreads' | 'clock' | 'routing'> {
  readonly answers: AnswerRoom;
  readonly openReplyCheck: ReplyCheck;
}

/** What serving one call uses. */
export interface CallTools {
  /** Headers that the answer has, whatever it says. */
  readonly outlet: Pick<LimitedReply, 'rateHeaders'>;
  /** Aborts when the caller leaves or the server stops. */
  readonly signal: AbortSignal;
  /** Reads an upstream's whole answer. Throws `upstream_failed` if it is too long, `unavailable` without memory for it. */
  readonly read: (body: OutboundBody, secrets: Secrets, userId: number) => Promise<KeptAnswer>;
  /** Throws at a sensitive word that a model has said; undefined where that is not looked for. */
  readonly checkReply: ReplyReader | undefined;
}

/**
 * Calls that are answered but never charged. `serve` always answers, and aborts when the caller leaves; `stop` aborts
 * all running calls.
 */
export const createUnbilledCalls = <Call extends UnbilledCall>(
  deps: UnbilledDeps,
  run: (call: Call, tools: CallTools) => Promise<void>,
): { serve(call: Call): Promise<void>; stop(): void } => {
  const running = new Set<AbortController>();
  return {
    async serve(given) {
      const reply = new LimitedReply(given.reply);
      const call = { ...given, reply };
      const abort = new AbortController();
      let room: AnswerShare | undefined;
      const read: CallTools['read'] = async (body, secrets, userId) => {
        room ??= deps.answers.open({ userId, ip: call.ip });
        return readKept(deps.farThreads, await room.read(body), secrets, replyOptions(options));
      };
      const { options } = deps.routing();
      const checkReply = deps.openReplyCheck(options, (word) =>
        deps.log.warn('a reply has a sensitive word', { word, requestId: call.requestId }),
      );
      running.add(abort);
      reply.onGone = () => abort.abort();
      try {
        await run(call, { outlet: reply, signal: abort.signal, read, checkReply });
      } catch (thrown) {
        refuse(deps, call, asAppError(thrown));
      }
      room?.release();
      running.delete(abort);
    },
    stop() {
      for (const abort of running) abort.abort();
    },
  };
};

/** Throws if a model has said a sensitive word in the answer. */
export const refuseSaid = (
  { checkReply }: Pick<CallTools, 'checkReply'>,
  { reply: { word } }: Pick<KeptAnswer, 'reply'>,
): void => {
  if (word !== undefined) checkReply?.({ text: word });
};

/** Sends an upstream's whole answer to the caller. */
export const sendWhole = (reply: Reply, status: number, bytes: Buffer): void => {
  reply.start(status, { 'content-type': 'application/json', 'content-length': String(bytes.length) });
  reply.end(bytes);
};

/** Throws the error of an answer whose status is not 2xx, with the status that the channel maps it to. */
export const refuseKept = async (
  sent: OutboundReply,
  { channel, upstream }: Keeper,
  nowMs: number,
): Promise<void> => {
  try {
    await refuseStatus(sent, openaiResponses, { upstream, secrets: secretsOf(channel), nowMs });
  } catch (thrown) {
    throw withMappedStatus(asAppError(thrown), channel);
  }
};

/** Reports the error in the format of OpenAI Responses. */
const refuse = (
  { log, clock }: Pick<RelayDeps, 'log' | 'clock'>,
  { reply, requestId }: UnbilledCall,
  error: AppError,
): void => {
  if (error.code === 'internal')
    log.error('a call about a kept response failed unexpectedly', { requestId, error: error.cause });
  if (reply.gone) return;
  if (reply.started) {
    reply.end(openaiResponses.writeStreamError(error, requestId));
    return;
  }
  const { status, body } = openaiResponses.writeError(error, requestId);
  const bytes = Buffer.from(JSON.stringify(body));
  reply.start(error.upstream?.reportedStatus ?? status, {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    ...refusalHeaders(error, openaiResponses.name, clock.now()),
  });
  reply.end(bytes);
};
