import { usedUpMs } from '#core/channel/health/rate-headers.ts';
import { deliver, type DeliveryDeps } from '#core/delivery.ts';
import { AppError } from '#core/error.ts';
import type { Frame } from '../../dialects/frame.ts';
import { MAX_CONVERTED_BYTES, MAX_EVENT_BYTES } from '../../dialects/sse.ts';
import { deliveryOf } from '../../dialects/upstream.ts';
import { type Answer, refuseStatus, wholeAnswer } from '../answer/answer.ts';
import type { AnswerShare } from '../answer/answer-room.ts';
import { asEvents } from '../answer/as-events.ts';
import { bytesAnswer, isJsonReply } from '../answer/pass.ts';
import { streamAnswer } from '../answer/stream-answer.ts';
import { callersReply } from '../answer/whole-reply.ts';
import type { Meter } from '../bill/meter.ts';
import { tappedFar } from '../far/far-events.ts';
import { farReading } from '../far/far-whole.ts';
import { responseIn } from '../kept/response-fields.ts';
import { withFailuresAsErrors } from '../request/format.ts';
import { type AttemptTime, inTime } from './attempt-time.ts';
import { healthName } from './health/health-node.ts';
import { RecordingDelivery } from './recording-delivery.ts';
import type { LiveAttempt } from '../live-attempt.ts';
import { decided } from '../far/far-request.ts';
import { gapIn } from '../request/format-gaps.ts';
import { outgoing } from '../request/outgoing.ts';
import { formFor, targetOf, termsOf } from '../request/target.ts';
import { refusesSignatures } from '../request/signatures.ts';
import type { Parts } from '../parts.ts';
import { formatFor, refusalOf, type FormatDeps } from '../request/choose-format.ts';
import type { Accepted, Admitted, Given, Sent } from '../stages.ts';
import type { SentAs, Destination } from '../destination.ts';

export type SendDeps = DeliveryDeps &
  FormatDeps &
  Pick<Parts, 'openReplyCheck' | 'log' | 'farThreads' | 'answers' | 'noteUnpaid' | 'health'>;

/** A large reply waits in a queue to be read; a longer wait means that its thread is broken. */
const MOST_HEARING_MS = 120_000;

/**
 * Sends the call to one channel and waits for something to give to the caller: a whole reply, or the first event of a
 * stream. Throws what went wrong; the caller has seen nothing until then.
 */
export const send = <Call extends Admitted>(
  deps: SendDeps,
  admitted: Call,
  attempt: LiveAttempt,
): Promise<Call & Given> => {
  const { caller, call } = admitted;
  const room = deps.answers.open({ userId: caller.user.id, ip: call.ip });
  attempt.room = room;
  return inTime(attempt, (time) => sendSomehow(deps, admitted, attempt, { time, room }));
};

/** What one attempt may use: its time, and the memory for its answer. */
interface Allowed {
  readonly time: AttemptTime;
  readonly room: AnswerShare;
}

/** Sends once, and, where the upstream refuses what could have been sent otherwise, once more. */
const sendSomehow = async <Call extends Admitted>(
  deps: SendDeps,
  admitted: Call,
  attempt: LiveAttempt,
  allowed: Allowed,
): Promise<Call & Given> => {
  // Read before sending, because another attempt may change it meanwhile.
  const { isUnsigned } = admitted.live;
  try {
    return await sendOnce(deps, admitted, attempt, allowed);
  } catch (thrown) {
    try {
      return await inOtherFormat(deps, admitted, attempt, allowed, thrown);
    } catch (last) {
      if (isUnsigned) throw last;
      return await withoutSignatures(deps, admitted, attempt, allowed, last);
    }
  }
};

/**
 * If the upstream refuses the signatures of earlier turns, which another account or provider made, sends the call once
 * more without them. The text stays, and nothing was answered yet.
 */
const withoutSignatures = async <Call extends Admitted>(
  deps: SendDeps,
  admitted: Call,
  attempt: LiveAttempt,
  allowed: Allowed,
  thrown: unknown,
): Promise<Call & Given> => {
  const { live, call, request } = admitted;
  const isAboutSignatures = thrown instanceof AppError && refusesSignatures(thrown);
  if (!isAboutSignatures || call.operation !== 'chat') throw thrown;
  live.isUnsigned = true;
  const { upstream, channel } = attempt.destination;
  if ((await decided(request, () => refusalOf(deps, admitted, upstream, channel))) !== undefined)
    throw thrown;
  return sendSomehow(deps, admitted, attempt, allowed);
};

/**
 * A call is sent in the caller's format or in the model's better one. If the upstream lacks that path, or the model on
 * it, uses the format that all channels of the type support.
 */
const inOtherFormat = async <Call extends Admitted>(
  deps: SendDeps,
  admitted: Call,
  attempt: LiveAttempt,
  allowed: Allowed,
  thrown: unknown,
): Promise<Call & Given> => {
  const { call, request, continuation, startedMs } = admitted;
  const { sentAs } = attempt.destination;
  const gap = thrown instanceof AppError ? gapIn(thrown) : undefined;
  // A 404 may be about the response that the call continues from.
  if (gap === undefined || sentAs === undefined || call.operation !== 'chat' || continuation !== undefined)
    throw thrown;
  const { format, upstreamModel: model } = sentAs;
  const { upstream, channel } = attempt.destination;
  deps.gaps.add(channel.id, format.name, startedMs, gap === 'model' ? model : undefined);
  const other = await decided(request, () => formatFor(deps, admitted, upstream, channel));
  const refusal = await decided(request, () => refusalOf(deps, admitted, upstream, channel));
  if (other.name === format.name || refusal !== undefined) throw thrown;
  return sendOnce(deps, admitted, attempt, allowed);
};

/** Sends to one path, and waits for what can be given to the caller. */
const sendOnce = async <Call extends Admitted>(
  deps: SendDeps,
  admitted: Call,
  attempt: LiveAttempt,
  allowed: Allowed,
): Promise<Call & Given> => {
  const at = await sendRequest(deps, admitted, attempt, allowed);
  let answer: Answer;
  try {
    answer = await readAnswer(deps, at, attempt, allowed);
  } catch (thrown) {
    throw thrown instanceof AppError ? (at.upstream.readErrorInside?.(thrown) ?? thrown) : thrown;
  }
  const report = (word: string): void =>
    deps.log.warn('a reply has a sensitive word', { word, requestId: at.call.requestId });
  return { ...at, answer, checkReply: deps.openReplyCheck(at.routing.options, report) };
};

/** Sends the request and waits for the response headers. Throws the error of a status other than 2xx. */
const sendRequest = async <Call extends Admitted>(
  deps: SendDeps,
  admitted: Call,
  attempt: LiveAttempt,
  { time, room }: Allowed,
): Promise<Call & Accepted> => {
  const { destination } = attempt;
  const asking =
    admitted.request.form === undefined
      ? admitted
      : { ...admitted, request: await formFor(admitted, destination) };
  const { facts, far } = asking.request;
  const { operation } = asking.call;
  const target = targetOf(deps, asking, destination, (): void => {
    attempt.isSent = true;
    attempt.connectedMs = deps.clock.monotonic();
  });
  const { channel, upstream, upstreamModel: model, format, patience } = target;
  // Recorded already, because writing may fail.
  attempt.destination = sentTo(destination, { upstreamModel: model, format, patience });
  const { options } = asking.routing;
  const body = far === undefined ? undefined : await far.bodyFor(termsOf(asking, target), model, options);
  const { request, effort, terms, movesPlaces } = outgoing(asking, target, body);
  const sentAs: SentAs = { upstreamModel: model, format, patience, effort, terms, movesPlaces };
  attempt.destination = sentTo(destination, sentAs);
  if (facts.stream) time.limit('event', patience.firstEventMs);
  else time.limit('end', patience.wholeMs);
  const delivery = new RecordingDelivery(deps, attempt, room);
  const reply = await deliver(
    delivery,
    deliveryOf(upstream, operation),
    channel,
    time.timed(request),
    time.signal,
  );
  attempt.headMs = deps.clock.monotonic();
  const nowMs = deps.clock.now();
  const usedUp = usedUpMs(reply.headers, nowMs);
  if (usedUp > 0) deps.health.usedUp(channel, healthName(facts.model, operation), usedUp, attempt.headMs);
  const { decision, secrets } = attempt.destination;
  if (reply.status < 200 || reply.status >= 300)
    await refuseStatus(reply, format, { upstream, secrets, nowMs });
  // The rest of a form may have arrived during sending.
  const whole = admitted.lateForm?.request ?? asking.request;
  // Field by field: to spread several objects takes a few microseconds.
  return {
    ...asking,
    request: whole,
    decision,
    channel,
    secrets,
    upstream,
    upstreamModel: model,
    format,
    patience,
    effort,
    terms,
    movesPlaces,
    sentAs,
    reply,
  };
};

/** The destination with what is sent there. */
const sentTo = ({ decision, channel, secrets, upstream }: Destination, sentAs: SentAs): Destination => ({
  decision,
  channel,
  secrets,
  upstream,
  sentAs,
});

/** Reads what can be given to the caller. Throws what is wrong with it. */
const readAnswer = (
  deps: SendDeps,
  at: Sent,
  attempt: LiveAttempt,
  { time, room }: Allowed,
): Promise<Answer> => {
  const { reply, request, format, wire, secrets, upstream, live, call } = at;
  const { facts, fields } = request;
  const unpaid = (meter: Meter): void => {
    attempt.meter = meter;
    if (attempt.givenUp === undefined) deps.noteUnpaid(at, at, meter);
  };
  const telling = format.name === wire.name ? format : withFailuresAsErrors(format);
  // A background response may take long, and the id in its first event is enough to fetch it later.
  const mayComeLater = live.background !== undefined;
  const begins = mayComeLater ? (frame: Frame) => responseIn(frame) !== undefined : undefined;
  // Once a reply is complete, only reading it has a time limit.
  const hasCome = () => time.limit('end', MOST_HEARING_MS);
  if (facts.stream)
    return streamAnswer(asEvents(at), telling, secrets, {
      room,
      unpaid,
      mayComeLater,
      far: farReading(deps.farThreads, at, { isForStream: true }),
      hasCome,
      begins,
      maxEventBytes: telling === format ? MAX_EVENT_BYTES : MAX_CONVERTED_BYTES,
      seesFar: (frames) => tappedFar(deps.farThreads, at, frames),
    });
  const isJson = isJsonReply(reply);
  if (wire.answersInBytes === true && !isJson) return bytesAnswer(reply, telling);
  const asking = { operation: call.operation, model: at.upstreamModel, stream: false };
  const asCaller = isJson ? callersReply(upstream, asking, fields) : undefined;
  return wholeAnswer(reply, telling, secrets, {
    room,
    unpaid,
    mayComeLater,
    asCaller,
    far: farReading(deps.farThreads, at, { isForCaller: asCaller !== undefined }),
    isFar: asCaller !== undefined && request.far !== undefined,
    hasCome,
  });
};
