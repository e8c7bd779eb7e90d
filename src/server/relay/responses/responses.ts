import { type AppError, asAppError } from '#core/error.ts';
import { errorHeaders } from '../caller/reply-headers.ts';
import { openaiResponsesWire } from '../../dialects/openai-responses/openai-responses.ts';
import type { RelayCall, ResponsesCall } from '../calls.ts';
import { restarting } from '../live-calls.ts';
import type { Parts } from '../parts.ts';
import type { Caller } from '../request/request.ts';
import { Histories } from './histories.ts';
import { Session } from './session.ts';

/** As long as OpenAI's own ids. */
const ID_LETTERS = 48;

type Deps = Pick<Parts, 'authenticate' | 'kept' | 'clock' | 'random' | 'metrics' | 'log'>;

/** Serves WebSockets of `/v1/responses`, which Codex tries before it posts. `serve` serves one call on them. */
export const createResponses = (deps: Deps, serve: (call: RelayCall) => Promise<void>) => {
  const running = new Set<Session>();
  const histories = new Histories();
  let isStopping = false;

  /** Authenticates the caller; undefined if the connection was refused. */
  const callerOf = async (call: ResponsesCall): Promise<Caller | undefined> => {
    try {
      if (isStopping) throw restarting();
      return await deps.authenticate(call.common);
    } catch (thrown) {
      refuse(call, asAppError(thrown));
      return undefined;
    }
  };

  const refuse = (call: ResponsesCall, error: AppError): void => {
    const { requestId } = call.common;
    const { status, body } = openaiResponsesWire.writeError(error, requestId);
    if (error.code === 'internal')
      deps.log.error('a connection failed unexpectedly', { requestId, error: error.cause });
    deps.metrics.refused(error.code);
    call.refuse(status, body, errorHeaders(error));
  };

  const sessionDeps = (call: ResponsesCall, userId: number) => ({
    serve,
    authenticate: async () => deps.authenticate(call.common),
    isKept: async (responseId: string) =>
      (await deps.kept.find(userId, responseId, deps.clock.now())) !== undefined,
    histories,
    userId,
    newResponseId: () => `resp_${deps.random.alphanumeric(ID_LETTERS)}`,
    nowMs: () => deps.clock.now(),
  });

  return {
    serve: async (call: ResponsesCall): Promise<void> => {
      const caller = await callerOf(call);
      const socket = caller && (await call.accept(caller.user.id));
      if (caller === undefined || socket === undefined) return;
      const session = new Session(sessionDeps(call, caller.user.id), call, socket);
      running.add(session);
      if (isStopping) session.stop();
      await session.ended;
      running.delete(session);
    },
    /** Lets running calls end, refuses new ones, and resolves when all connections are closed. */
    async stop(): Promise<void> {
      isStopping = true;
      for (const session of running) session.stop();
      await Promise.all([...running].map((session) => session.ended));
    },
  };
};
