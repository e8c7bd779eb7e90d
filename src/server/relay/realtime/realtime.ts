import { aliasedModel } from '#core/channel/aliased-model.ts';
import type { Routing } from '#core/channel/routing.ts';
import { completionTokens, promptTokens } from '#core/chat/usage.ts';
import { type AppError, asAppError } from '#core/error.ts';
import type { ConnectSocket } from '#core/outbound/message-socket.ts';
import type { Secrets } from '#core/secrets/secrets.ts';
import { admitModel } from '#core/token/admission.ts';
import { checksPrompts, type WordCheck } from '#core/words/check-words.ts';
import { fieldsOf, parsedFields, textOf } from '#core/json/fields.ts';
import { admit } from '../admit.ts';
import { maskingOf } from '../answer/mask.ts';
import { giveBackPlace } from '../caller/model-rate.ts';
import type { Wire } from '../../dialects/dialect.ts';
import { refusalHeaders } from '../caller/reply-headers.ts';
import type { Parts } from '../parts.ts';
import type { RealtimeCall } from '../calls.ts';
import type { Held } from '../stages.ts';
import { isPricedBefore, momentAfter, momentFor, momentNow } from '../bill/price/prices-of-now.ts';
import { settle, unitsOf } from '../bill/settle.ts';
import { Context } from './context.ts';
import { Conversation } from './conversation.ts';
import type { ConversationDeps } from './conversation-deps.ts';
import { maskedInTurns } from './masked-in-turns.ts';
import { openUpstream } from './open-upstream.ts';
import { chargeTurn, transcriptTurn } from './transcripts.ts';
import { growTurn, holdTurn, type NewTurn, newTurn, nextTurn, type TurnOfCall } from './turn.ts';
import { accountObjectRefused } from '../../dialects/account-objects.ts';
import { unpricedWorkRefused } from '../../dialects/unpriced-work.ts';
import {
  accountObjectSaid,
  unpricedWorkSaid,
  promptsIn,
} from '../../dialects/openai-realtime/caller-input.ts';
import { type TalkingModel, withUpstreamModel } from '../../dialects/openai-realtime/said-model.ts';
import type { RelayDeps } from '../ports.ts';

/** In the metrics, which count streams and whole answers. */
const COUNTS_AS_STREAM = true;

/** The longest event id of a caller that is repeated to it; OpenAI's own limit. */
const MOST_ID_LETTERS = 512;

/** An error as an event of the conversation. If it is about `message`, it names the caller's id of that message. */
const errorEvent = (wire: Wire, error: AppError, requestId: string, message?: Buffer): object => {
  const { body } = wire.writeError(error, requestId);
  const id = message === undefined ? undefined : textOf(parsedFields(message)?.['event_id']);
  return {
    type: 'error',
    event_id: `event_${requestId}`,
    error: {
      ...fieldsOf(fieldsOf(body)['error']),
      ...(id !== undefined && { event_id: id.slice(0, MOST_ID_LETTERS) }),
    },
  };
};

type CheckDeps = Pick<RelayDeps, 'routing' | 'log'> & { readonly checkWords: WordCheck };

/**
 * Returns what is sent of a caller's message. Throws if it has a sensitive word, names an object in the upstream's
 * account or another model, or asks for unpriced work. Uses the current word list, because a conversation may be older
 * than it. Audio is not checked.
 */
const checkSaid = (
  { routing, log, checkWords }: CheckDeps,
  turn: Held,
  said: Buffer,
  namedModel: string | undefined,
): Buffer => {
  const { options } = routing();
  const message = withUpstreamModel(said, talkingModel(turn, namedModel));
  const named = options['global.account_objects_enabled'] ? undefined : accountObjectSaid(message);
  if (named !== undefined) throw accountObjectRefused(named);
  const unpriced = options['global.unpriced_work_enabled'] ? undefined : unpricedWorkSaid(message);
  if (unpriced !== undefined) throw unpricedWorkRefused(unpriced);
  if (!checksPrompts(options)) return message;
  const { user } = turn.caller;
  const { requestId } = turn.call;
  const report = (word: string): void =>
    log.warn('a prompt has a sensitive word', { word, user: user.id, requestId });
  for (const prompt of promptsIn(message)) checkWords(options, prompt, report);
  return message;
};

const talkingModel = (
  { request: { facts }, live: { attempt } }: Held,
  namedModel: string | undefined,
): TalkingModel => ({
  asked: [facts.model, facts.askedModel, namedModel],
  upstream: attempt?.destination.sentAs?.upstreamModel ?? facts.model,
});

type RealtimeDeps = Parts & { readonly connect: ConnectSocket };

type Deps = RealtimeDeps & { readonly wire: Wire };

/** Authenticates the caller and holds the first turn, before any upstream is contacted. */
const holdFirst = async (deps: Deps, call: RealtimeCall, turn: NewTurn): Promise<Held> => {
  const caller = await deps.authenticate(call);
  const { routing, atMs: createdAtMs } = await momentFor(deps, turn, caller);
  const admitted = await admit(deps, { ...turn, routing, createdAtMs, caller });
  return holdTurn(deps, admitted, new Context().worst());
};

/**
 * Counts an answer for the limits of its channel and key. A running conversation is never refused: it keeps its place,
 * and other calls go elsewhere or wait.
 */
const noteUse = ({ live: { attempt, meter } }: Held): void => {
  if (attempt === undefined || meter.reported === undefined || !meter.produced) return;
  const tokens = promptTokens(meter.reported) + completionTokens(meter.reported);
  if (attempt.usedTokens === undefined) attempt.usedTokens = tokens;
  else attempt.destination.decision.lease?.more(tokens);
};

const conversationDeps = (deps: Deps, call: RealtimeCall, secrets: Secrets): ConversationDeps => {
  let turns = 0;
  const nextOf = async (): Promise<TurnOfCall> => {
    turns += 1;
    const number = turns;
    return { call, number, ...(momentNow(deps) ?? (await momentAfter(deps))) };
  };
  return {
    masking: maskingOf(secrets),
    settle: async (turn) => {
      const isOpen = turn.live.holdState === 'open';
      await settle(deps, turn);
      if (isOpen) noteUse(turn);
    },
    next: async (turn, worst) => {
      // The key may have expired, or lost its models, since the conversation began.
      const caller = await deps.authenticate(call);
      const of = await nextOf();
      const { token, channelId } = caller;
      if (token !== undefined && channelId === undefined) admitModel(token, call.model);
      return holdTurn(deps, nextTurn(deps, of, turn, caller), worst);
    },
    grow: (turn, worst) => growTurn(deps, turn, worst),
    charge: async ({ turn, model, used }, when) =>
      chargeTurn(deps, transcriptTurn(deps, await nextOf(), turn, model), used, when),
    save: (turn, used) =>
      void deps.ledger.checkpoint(turn.call.requestId, unitsOf(turn, used)).catch(() => undefined),
    isOutdated: (turn) => isPricedBefore(deps, turn),
    check: (turn, message, namedModel) => checkSaid(deps, turn, message, namedModel),
    writeError: (error, message) => errorEvent(deps.wire, error, call.requestId, message),
  };
};

/** Reports an error over HTTP, before the caller has a WebSocket. */
const refuse = (deps: Deps, call: RealtimeCall, thrown: unknown): AppError => {
  const error = asAppError(thrown);
  const { status, body } = deps.wire.writeError(error, call.requestId);
  const headers = refusalHeaders(error, 'openai-chat', deps.clock.now());
  call.refuse(error.upstream?.reportedStatus ?? status, body, headers);
  return error;
};

/** Holds the first turn; undefined if the call was refused. */
const heldFor = async (deps: Deps, call: RealtimeCall, turn: NewTurn): Promise<Held | undefined> => {
  try {
    return await holdFirst(deps, call, turn);
  } catch (thrown) {
    giveBackPlace(deps, turn.live);
    turn.live.failure = refuse(deps, call, thrown);
    return undefined;
  }
};

/** Joins the caller to an upstream; undefined if one of them is not available. */
const joined = async (deps: Deps, call: RealtimeCall, held: Held): Promise<Conversation | undefined> => {
  const { live } = held;
  try {
    const { socket, secrets } = await openUpstream(deps, call, held);
    const caller = await call.accept(held.caller.user.id);
    if (caller === undefined) {
      socket.close(1000, '');
      return undefined;
    }
    const upstream = maskedInTurns(socket, secrets);
    return new Conversation(conversationDeps(deps, call, secrets), caller, upstream, new Context(), held);
  } catch (thrown) {
    giveBackPlace(deps, live);
    live.failure = refuse(deps, call, thrown);
    return undefined;
  }
};

/** Resolves an alias when the conversation opens. The conversation keeps that model until its end. */
const renamed = (routing: Routing, call: RealtimeCall): RealtimeCall => {
  const model = aliasedModel(routing, call.model);
  return model === call.model ? call : { ...call, model, askedModel: call.model };
};

/** Serves realtime calls and can end all running ones. */
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

  const serve = async (asked: RealtimeCall): Promise<void> => {
    const now = momentNow(deps) ?? (await momentAfter(deps));
    const call = renamed(now.routing, asked);
    let turn: NewTurn;
    try {
      turn = newTurn(deps, { call, number: 0, ...now });
    } catch (thrown) {
      deps.metrics.refused(refuse(deps, call, thrown).code);
      return;
    }
    deps.metrics.opened(COUNTS_AS_STREAM);
    const held = await heldFor(deps, call, turn);
    const conversation = held && (await joined(deps, call, held));
    if (conversation !== undefined) await converse(conversation);
    const { attempt } = turn.live;
    // Nothing was answered, so nothing was used.
    if (conversation !== undefined && attempt !== undefined) attempt.usedTokens ??= 0;
    attempt?.close();
    if (held !== undefined) await settle(deps, held);
    const durationMs = deps.clock.monotonic() - turn.startedMs;
    deps.metrics.closed(COUNTS_AS_STREAM, turn.live.failure?.code ?? 'ok', durationMs, undefined);
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
