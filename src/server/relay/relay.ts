import { countsAgainstChannel } from '#core/channel/health/blame.ts';
import { completionTokens, promptTokens } from '#core/chat/usage.ts';
import { AppError, asAppError } from '#core/error.ts';
import { admit } from './admit.ts';
import { ask } from './ask.ts';
import type { WholeAnswer } from './answer/answer.ts';
import { callerLeft } from './answer/caller-left.ts';
import { noteLostAnswer } from './bill/drop-answer.ts';
import { holdWholeForm } from './bill/hold/late-hold.ts';
import { type Moment, momentAfter, momentNow } from './bill/price/prices-of-now.ts';
import { hold } from './bill/hold/hold.ts';
import { Live } from './live.ts';
import { endCounted, giveBackPlace } from './caller/model-rate.ts';
import type { Parts } from './parts.ts';
import { giveWhole, pass } from './answer/pass.ts';
import type { RelayCall } from './calls.ts';
import { refuse } from './answer/refuse.ts';
import { repeat } from './answer/repeat.ts';
import { convertWhole, isRewritten, rewrite } from './answer/rewrite.ts';
import { settle } from './bill/settle.ts';
import type { Answered, Begun, Held } from './stages.ts';
import { holdPictures, settlePictures } from './bill/tool-pictures.ts';
import { noteEnd } from './route/attempt-notes.ts';
import { CallTries } from './route/call-tries.ts';
import { tryChannels } from './route/try-channels.ts';
import { withoutSecrets } from './answer/mask.ts';

/**
 * Runs a call from request to answer. Whatever happens, the caller gets a response, the hold is settled and the call is
 * counted. Never rejects.
 */
export const serve = async (parts: Parts, call: RelayCall): Promise<void> => {
  const begun = begin(parts, call, momentNow(parts) ?? (await momentAfter(parts)));
  parts.live.add(begun);
  const held = await readAdmitHold(parts, begun);
  if (held !== undefined) {
    if (!call.reply.gone) call.reply.onGone = endWhenGone(held);
    await answer(parts, held);
    await close(parts, held);
  }
  end(parts, begun);
};

const begin = (
  { clock, dialects, wires }: Parts,
  call: RelayCall,
  { atMs: createdAtMs, routing }: Moment,
): Begun => {
  const wire = call.operation === 'chat' ? dialects[call.dialect] : wires[call.operation];
  const live = new Live(call, routing.options.StreamCacheQueueLength);
  call.reply.onGone = stopWhenGone(live);
  if (call.reply.gone) call.reply.onGone();
  return { call, wire, routing, createdAtMs, startedMs: clock.monotonic(), isSideCall: false, live };
};

/**
 * Created in a function of its own because V8 allocates closures assigned to `object.property` in old space, where they
 * are rarely collected and would keep the whole finished call in memory.
 */
const stopWhenGone = (live: Live) => (): void =>
  live.stop(new AppError('client_closed', 'the caller went away'));
const endWhenGone = (held: Held) => (): void => callerLeft(held);

/** Authenticates before reading the body, and holds before sending. Returns undefined if the call was refused. */
const readAdmitHold = async (parts: Parts, begun: Begun): Promise<Held | undefined> => {
  try {
    const asked = await ask(parts, begun);
    const admitted = await admit(parts, asked);
    begun.live.readMs = parts.clock.monotonic() - begun.startedMs;
    const first = await hold(parts, admitted);
    const { draws } = admitted.request.facts;
    const held = holdWholeForm(parts, draws === undefined ? first : await holdPictures(parts, first));
    begun.live.heldMs = parts.clock.monotonic() - begun.startedMs;
    return held;
  } catch (thrown) {
    const error = recordFailure(begun, thrown);
    giveBackPlace(parts, begun.live);
    refuse(parts, begun, error);
    return undefined;
  }
};

/** Records the error the call ends with, without secrets. */
const recordFailure = ({ live }: Begun, thrown: unknown): AppError => {
  const error = asAppError(thrown);
  live.failure = live.destination === undefined ? error : withoutSecrets(error, live.destination.secrets);
  return live.failure;
};

/** Finds a channel that answers and passes its answer to the caller, or reports the error. */
const answer = async (parts: Parts, held: Held): Promise<void> => {
  const { live, request, routing } = held;
  try {
    if (live.background !== undefined) await parts.background.begin(held);
    if (request.facts.stream) live.outlet.allowPings(routing.options, parts.clock.monotonic());
    const answered = await tryChannels(parts, new CallTries(parts, held));
    bindSession(parts, answered);
    await giveAnswer(parts, answered);
    noteAnswerEnd(parts, held);
  } catch (thrown) {
    const error = recordFailure(held, thrown);
    unbindSession(parts, held, thrown);
    noteAnswerEnd(parts, held, error);
    endCounted(parts, held, 'failed');
    refuse(parts, held, error);
  }
};

/** Binds the session to the channel that answered, so that its next call goes there. */
const bindSession = ({ affinity }: Parts, { session, caller, channel, request }: Answered): void => {
  if (session === undefined) return;
  const { model, inputTokensEstimate: promptTokens } = request.facts;
  const seat = { channelId: channel.id, keyId: channel.keyId };
  affinity.bind(session, caller.user.id, seat, { model, promptTokens });
};

/** Records for the health of the channel how an answer that had begun ended. */
const noteAnswerEnd = (parts: Parts, held: Held, error?: AppError): void => {
  const { live, routing, request, call, caller } = held;
  if (live.firstByteMs === undefined || live.attempt === undefined) return;
  const of = { options: routing.options, model: request.facts.model, operation: call.operation };
  noteEnd(parts, { ...of, userId: caller.user.id }, live.attempt, error);
};

/** Unbinds the session if the call failed where it was bound, unless the failure was the caller's doing. */
const unbindSession = ({ affinity }: Parts, { session, caller, live }: Held, thrown: unknown): void => {
  if (session === undefined || !countsAgainstChannel(asAppError(thrown))) return;
  affinity.failed(session, caller.user.id, ({ channelId, keyId }) =>
    live.attempts.some((attempt) => attempt.channelId === channelId && (attempt.key?.id ?? 0) === keyId),
  );
};

/** Passes an answer to the caller. Throws if it ends early. */
const giveAnswer = async (parts: Parts, answered: Answered): Promise<void> => {
  const { answer: given, live, startedMs } = answered;
  const converted = given.kind === 'whole' ? converting(parts, answered, given) : undefined;
  parts.kept.note(answered);
  const isInBackground = live.background !== undefined;
  if (isInBackground) await parts.kept.flush();
  live.meter = given.meter;
  live.firstByteMs = parts.clock.monotonic() - startedMs;
  if (isInBackground) await parts.background.accepted(answered);
  parts.kept.noteContainers(answered);
  const bill = { checkpoint: parts.checkpoint, close: () => close(parts, answered) };
  if (given.kind === 'whole') return giveWhole(answered, given, converted, bill);
  if (given.kind === 'bytes') return pass(parts, answered, given, bill);
  const stream = isRewritten(answered) ? rewrite : repeat;
  return stream(parts, answered, given, bill);
};

const converting = (parts: Parts, answered: Answered, whole: WholeAnswer): Buffer | undefined => {
  try {
    return convertWhole(answered, whole);
  } catch (thrown) {
    noteLostAnswer(parts, answered, whole.meter);
    throw thrown;
  }
};

/**
 * Charges the hold or gives it back, once: before the end of a whole answer goes out, else when the call is over. A
 * background response is charged when it finishes.
 */
const close = (parts: Parts, held: Held): Promise<void> => (held.live.closing ??= closeHolds(parts, held));

const closeHolds = async (parts: Parts, held: Held): Promise<void> => {
  parts.kept.noteSeen(held);
  if (held.live.background === undefined && held.pictures === undefined) return settle(parts, held);
  if (held.live.background === undefined) await settle(parts, held);
  else await parts.background.end(held, () => settle(parts, held));
  if (held.pictures !== undefined) await settlePictures(parts, held);
};

/** Corrects the tokens-per-minute limits of the channel by what was actually used. */
const closeAttempt = ({ attempt, meter }: Live): void => {
  if (attempt === undefined) return;
  const { reported } = meter;
  if (reported !== undefined) attempt.usedTokens = promptTokens(reported) + completionTokens(reported);
  attempt.close();
};

const end = (parts: Parts, begun: Begun): void => {
  const { live, startedMs } = begun;
  live.release?.();
  closeAttempt(live);
  parts.live.delete(begun);
  const outcome = live.failure?.code ?? 'ok';
  const stream = live.isCountedAsStream;
  if (stream === undefined) parts.metrics.refused(outcome);
  else parts.metrics.closed(stream, outcome, parts.clock.monotonic() - startedMs, live.firstByteMs);
};
