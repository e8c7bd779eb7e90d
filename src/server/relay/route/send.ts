import { usedUpMs } from '#core/channel/health/rate-headers.ts';
import { deliver, type DeliveryDeps, refusesToken } from '#core/delivery.ts';
import { AppError } from '#core/error.ts';
import type { OutboundReply, OutboundRequest } from '#core/outbound/outbound.ts';
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
import type { WrittenBody } from '../request/request.ts';
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
  /** A new token was fetched after the upstream refused one. */
  readonly isTokenNew?: true;
}

/** Sends the call, and once more in another way if the upstream refuses this one for a reason that can be avoided. */
const sendSomehow = <Call extends Admitted>(
  deps: SendDeps,
  admitted: Call,
  attempt: LiveAttempt,
  allowed: Allowed,
): Promise<Call & Given> => {
  // Read before sending, because another attempt may change it meanwhile.
  const { isUnsigned } = admitted.live;
  return sendOnce(deps, admitted, attempt, allowed).catch(async (thrown: unknown) => {
    const { upstream, channel } = attempt.destination;
    if (allowed.isTokenNew !== true && refusesToken(upstream, channel, thrown, deps.clock.now()))
      return sendSomehow(deps, admitted, attempt, { ...allowed, isTokenNew: true });
    try {
      return await inOtherFormat(deps, admitted, attempt, allowed, thrown);
    } catch (last) {
      if (isUnsigned) throw last;
      return withoutSignatures(deps, admitted, attempt, allowed, last);
    }
  });
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
  deps.gaps.add(channel, format.name, startedMs, gap === 'model' ? model : undefined);
  const other = await decided(request, () => formatFor(deps, admitted, upstream, channel));
  const refusal = await decided(request, () => refusalOf(deps, admitted, upstream, channel));
  if (other.name === format.name || refusal !== undefined) throw thrown;
  return sendOnce(deps, admitted, attempt, allowed);
};

/**
 * Sends to one path, and waits for what can be given to the caller. Throws the error of a status other than 2xx. Most of a
 * call's life is spent waiting here: what happens before and after has functions of its own, so that little is kept.
 */
const sendOnce = async <Call extends Admitted>(
  deps: SendDeps,
  admitted: Call,
  attempt: LiveAttempt,
  { time, room }: Allowed,
): Promise<Call & Given> => {
  const asking =
    admitted.request.form === undefined
      ? admitted
      : { ...admitted, request: await formFor(admitted, attempt.destination) };
  const target = targetFor(deps, asking, attempt);
  const { far } = asking.request;
  const body =
    far === undefined
      ? undefined
      : await far.bodyFor(termsOf(asking, target), target.upstreamModel, asking.routing.options);
  const request = requestFor(asking, target, attempt, body);
  if (asking.request.facts.stream) time.limit('event', target.patience.firstEventMs);
  else time.limit('end', target.patience.wholeMs);
  const reply = await deliver(
    new RecordingDelivery(deps, attempt, room),
    deliveryOf(target.upstream, asking.call.operation),
    target.channel,
    time.timed(request),
    time.signal,
  );
  const accepted = acceptedBy(deps, asking, attempt, reply);
  const { upstream, secrets } = accepted;
  if (reply.status < 200 || reply.status >= 300)
    await refuseStatus(reply, target.format, { upstream, secrets, nowMs: deps.clock.now() });
  let answer: Answer;
  try {
    answer = await readAnswer(deps, accepted, attempt, { time, room });
  } catch (thrown) {
    throw thrown instanceof AppError ? (upstream.readErrorInside?.(thrown) ?? thrown) : thrown;
  }
  return givenBy(deps, accepted, answer);
};

/** Where the request goes, and how. Recorded already, because writing may fail. */
const targetFor = (deps: SendDeps, asking: Admitted, attempt: LiveAttempt): SendTarget => {
  const target = targetOf(deps, asking, attempt.destination, (): void => {
    attempt.isSent = true;
    attempt.connectedMs = deps.clock.monotonic();
  });
  const { upstreamModel, format, patience } = target;
  attempt.destination = sentTo(attempt.destination, { upstreamModel, format, patience });
  return target;
};

type SendTarget = ReturnType<typeof targetOf>;

/** The finished request. Records what it asks for. */
const requestFor = (
  asking: Admitted,
  target: SendTarget,
  attempt: LiveAttempt,
  body: WrittenBody | undefined,
): OutboundRequest => {
  const { upstreamModel, format, patience } = target;
  const { request, effort, terms, movesPlaces } = outgoing(asking, target, body);
  const sentAs: SentAs = { upstreamModel, format, patience, effort, terms, movesPlaces };
  attempt.destination = sentTo(attempt.destination, sentAs);
  return request;
};

/** The destination with what is sent there. */
const sentTo = ({ decision, channel, secrets, upstream }: Destination, sentAs: SentAs): Destination => ({
  decision,
  channel,
  secrets,
  upstream,
  sentAs,
});

/** Notes that the head of a reply has come. */
const acceptedBy = <Call extends Admitted>(
  deps: SendDeps,
  asking: Call,
  attempt: LiveAttempt,
  reply: OutboundReply,
): Call & Accepted => {
  const { decision, channel, secrets, upstream, sentAs } = attempt.destination;
  if (sentAs === undefined) throw new Error('a reply has come to what was not sent');
  attempt.headMs = deps.clock.monotonic();
  const usedUp = usedUpMs(reply.headers, deps.clock.now());
  const name = healthName(asking.request.facts.model, asking.call.operation);
  if (usedUp > 0) deps.health.usedUp(channel, name, usedUp, attempt.headMs);
  const { upstreamModel, format, patience, effort, terms, movesPlaces } = sentAs;
  // Field by field: to spread several objects takes a few microseconds.
  return {
    ...asking,
    // The rest of a form may have arrived during sending.
    request: asking.lateForm?.request ?? asking.request,
    decision,
    channel,
    secrets,
    upstream,
    upstreamModel,
    format,
    patience,
    effort,
    terms,
    movesPlaces,
    sentAs,
    reply,
  };
};

const givenBy = <Call extends Admitted>(
  deps: SendDeps,
  accepted: Call & Accepted,
  answer: Answer,
): Call & Given => {
  const { routing, call } = accepted;
  const report = (word: string): void =>
    deps.log.warn('a reply has a sensitive word', { word, requestId: call.requestId });
  return { ...accepted, answer, checkReply: deps.openReplyCheck(routing.options, report) };
};

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
