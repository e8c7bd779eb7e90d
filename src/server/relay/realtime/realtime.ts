import { type AppError, asAppError } from '#core/error.ts';
import type { ConnectSocket, MessageSocket } from '#core/message-socket.ts';
import { admitModel } from '#core/token/admission.ts';
import type { WordCheck } from '#core/words/check-words.ts';
import { admit } from '../admit.ts';
import { endCounted } from '../model-rate.ts';
import type { Wire } from '../../dialects/dialect.ts';
import type { Authenticate } from '../authenticate.ts';
import type { ChannelHealth } from '../channel-health.ts';
import { errorHeaders } from '../error-headers.ts';
import type { RealtimeCall, RelayDeps } from '../ports.ts';
import type { RefusalLog } from '../refusal-log.ts';
import type { Running } from '../running.ts';
import { settle } from '../settle.ts';
import { checkSaid } from './check-said.ts';
import { Context } from './context.ts';
import { Conversation, type ConversationDeps } from './conversation.ts';
import { errorEvent } from './error-event.ts';
import { openUpstream } from './open-upstream.ts';
import { chargeTurn, transcriptTurn } from './transcript.ts';
import { holdTurn, newTurn, nextTurn } from './turn.ts';

type RealtimeDeps = RelayDeps & {
  readonly connect: ConnectSocket;
  readonly authenticate: Authenticate;
  readonly health: ChannelHealth;
  readonly checkWords: WordCheck;
  readonly refusals: RefusalLog;
};

type Deps = RealtimeDeps & { readonly wire: Wire };

/** Everything before the first message. The turn is held when this returns. */
const open = async (deps: Deps, call: RealtimeCall, turn: Running): Promise<MessageSocket> => {
  turn.caller = await deps.authenticate(call);
  await admit(deps, turn, '');
  await holdTurn(deps, turn, new Context().worst());
  return openUpstream(deps, call, turn);
};

const conversationDeps = (deps: Deps, call: RealtimeCall): ConversationDeps => {
  let turns = 0;
  return {
    settle: (turn) => settle(deps, turn),
    next: async (turn, worst) => {
      turns += 1;
      const next = nextTurn(deps, call, turn, turns);
      // A key may have run out, or lost its models, since the conversation began.
      next.caller = await deps.authenticate(call);
      const { token, channelId } = next.caller;
      if (token !== undefined && channelId === undefined) admitModel(token, call.model);
      await holdTurn(deps, next, worst);
      return next;
    },
    charge: async (turn, model, used) => {
      turns += 1;
      const heard = transcriptTurn(deps, call, turn, turns, model);
      await chargeTurn(deps, heard, used);
    },
    check: (turn, message) => checkSaid(deps, turn, message),
    writeError: (error, message) => errorEvent(deps.wire, error, call.requestId, message),
  };
};

/** Realtime calls, and the end of all that are running. */
export const createRealtime = (given: RealtimeDeps) => {
  const deps: Deps = { ...given, wire: given.wires.realtime };
  const running = new Set<Conversation>();
  let isStopping = false;

  const converse = async (conversation: Conversation): Promise<void> => {
    running.add(conversation);
    if (isStopping) conversation.stop();
    await conversation.ended;
    running.delete(conversation);
  };

  const refuse = (call: RealtimeCall, thrown: unknown): AppError => {
    const error = asAppError(thrown);
    const { status, body } = deps.wire.writeError(error, call.requestId);
    call.refuse(status, body, errorHeaders(error));
    return error;
  };

  const serve = async (call: RealtimeCall): Promise<void> => {
    let turn: Running;
    try {
      turn = newTurn(deps, call, 0);
    } catch (thrown) {
      deps.metrics.refused(refuse(call, thrown).code);
      return;
    }
    deps.metrics.opened(true);
    try {
      const upstream = await open(deps, call, turn);
      turn.failure = undefined;
      const caller = await call.accept();
      if (caller === undefined) upstream.close(1000, '');
      else
        await converse(new Conversation(conversationDeps(deps, call), caller, upstream, new Context(), turn));
    } catch (thrown) {
      endCounted(deps, turn, false);
      turn.failure = refuse(call, thrown);
    }
    await settle(deps, turn);
    const durationMs = deps.clock.monotonic() - turn.startedMs;
    deps.metrics.closed(true, turn.failure?.code ?? 'ok', durationMs, undefined);
  };

  const endAll = (): void => {
    for (const conversation of running) conversation.stop();
  };

  return {
    serve,
    endAll,
    async stop(): Promise<void> {
      isStopping = true;
      const ended = [...running].map((conversation) => conversation.ended);
      endAll();
      await Promise.all(ended);
    },
  };
};
