import { activeOverrides } from '#core/channel/overrides/override.ts';
import { limitsOfModel, type Patience, patienceFor } from '#core/channel/health/patience.ts';
import { usedUpMs } from '#core/channel/health/rate-headers.ts';
import { deliver, type DeliveryDeps } from '#core/delivery.ts';
import { AppError } from '#core/error.ts';
import type { OutboundRequest } from '#core/outbound/outbound.ts';
import { loadFiles } from '../../dialects/form/form.ts';
import type { Frame } from '../../dialects/frame.ts';
import { MAX_CONVERTED_BYTES, MAX_EVENT_BYTES } from '../../dialects/sse.ts';
import { deliveryOf } from '../../dialects/upstream.ts';
import { type Answer, refuseStatus, wholeAnswer } from '../answer/answer.ts';
import { streamAnswer } from '../answer/stream-answer.ts';
import { type AttemptTime, inTime } from './attempt-time.ts';
import { healthName } from './health/health-node.ts';
import { recordingDelivery } from './recording-delivery.ts';
import type { AnswerShare } from '../answer/answer-room.ts';
import type { Meter } from '../bill/meter.ts';
import type { LiveAttempt } from '../live-attempt.ts';
import { callersReply } from '../answer/whole-reply.ts';
import { decided } from '../far/far-request.ts';
import { tappedFar } from '../far/far-events.ts';
import { farReading } from '../far/far-whole.ts';
import { gapIn } from '../request/format-gaps.ts';
import { withFailuresAsErrors } from '../request/format.ts';
import { responseIn } from '../kept/response-fields.ts';
import { outgoing } from '../request/outgoing.ts';
import { refusesSignatures } from '../request/signatures.ts';
import type { Parts } from '../parts.ts';
import { asEvents } from '../answer/as-events.ts';
import { bytesAnswer, isJsonReply } from '../answer/pass.ts';
import {
  formatFor,
  refusalOf,
  type FormatDeps,
  type Source,
  upstreamModel,
} from '../request/choose-format.ts';
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
  return inTime(attempt, (time) => retryUnsigned(deps, admitted, attempt, { ...time, room }));
};

/** What one attempt may use: its time, and the memory for its answer. */
interface Allowed extends AttemptTime {
  readonly room: AnswerShare;
}

/**
 * If the upstream refuses the signatures of earlier turns, which another account or provider made, sends the call once
 * more without them. The text stays, and nothing was answered yet.
 */
const retryUnsigned = async <Call extends Admitted>(
  deps: SendDeps,
  admitted: Call,
  attempt: LiveAttempt,
  time: Allowed,
): Promise<Call & Given> => {
  const { live, call, request } = admitted;
  // Read before sending, because another attempt may change it meanwhile.
  const { isUnsigned } = live;
  try {
    return await inKnownFormat(deps, admitted, attempt, time);
  } catch (thrown) {
    const isAboutSignatures = thrown instanceof AppError && refusesSignatures(thrown);
    if (!isAboutSignatures || isUnsigned || call.operation !== 'chat') throw thrown;
    live.isUnsigned = true;
    const { upstream, channel } = attempt.destination;
    if ((await decided(request, () => refusalOf(deps, admitted, upstream, channel))) !== undefined)
      throw thrown;
    return inKnownFormat(deps, admitted, attempt, time);
  }
};

/**
 * Sends in the caller's format or in the model's better one. If the upstream lacks that path, or the model on it, uses
 * the format that all channels of the type support.
 */
const inKnownFormat = async <Call extends Admitted>(
  deps: SendDeps,
  admitted: Call,
  attempt: LiveAttempt,
  time: Allowed,
): Promise<Call & Given> => {
  const { call, request, continuation, startedMs } = admitted;
  try {
    return await sendOnce(deps, admitted, attempt, time);
  } catch (thrown) {
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
    return sendOnce(deps, admitted, attempt, time);
  }
};

const sendOnce = async <Call extends Admitted>(
  deps: SendDeps,
  admitted: Call,
  attempt: LiveAttempt,
  time: Allowed,
): Promise<Call & Given> =>
  awaitAnswer(deps, await sendRequest(deps, admitted, attempt, time), attempt, time);

/** A request written for one channel. */
interface Written<Call extends Admitted> {
  /** The call, with what has arrived of its form by now. */
  readonly asking: Call;
  readonly sentAs: SentAs;
  readonly request: OutboundRequest;
}

/** Writes the request in the format and for the model that this channel gets. */
const writeRequest = async <Call extends Admitted>(
  deps: SendDeps,
  admitted: Call,
  attempt: LiveAttempt,
): Promise<Written<Call>> => {
  const { live, routing, omitsTools, stripsTerms, group, call } = admitted;
  // Only a call with a hold has one.
  const { outputLimit }: Source = admitted;
  const { destination } = attempt;
  const { channel, upstream } = destination;
  const request =
    admitted.request.form === undefined ? admitted.request : await formFor(admitted, destination);
  const asking = request === admitted.request ? admitted : { ...admitted, request };
  const { model } = request.facts;
  const target = {
    upstreamModel: upstreamModel(channel, model),
    format: formatFor(deps, asking, upstream, channel),
    patience: patienceOf(asking, destination),
  };
  // Recorded already, because writing may fail.
  attempt.destination = { ...destination, sentAs: target };
  const overrides = activeOverrides(channel.setting.overrides, { model, group, headers: call.headers });
  const terms = {
    model,
    channel,
    format: target.format.name,
    isUnsigned: live.isUnsigned,
    omitsTools,
    stripsTerms,
    outputLimit,
    overrides,
  };
  const body = await request.far?.bodyFor(terms, target.upstreamModel, routing.options);
  const { files } = live;
  const where = { ...target, channel, upstream, overrides, ...(files && { files }) };
  const { request: out, ...said } = outgoing(asking, where, body);
  const sentAs = { ...target, ...said };
  attempt.destination = { ...destination, sentAs };
  return { asking, sentAs, request: out };
};

/** Sends the request and waits for the response headers. Throws the error of a status other than 2xx. */
const sendRequest = async <Call extends Admitted>(
  deps: SendDeps,
  admitted: Call,
  attempt: LiveAttempt,
  time: Allowed,
): Promise<Call & Accepted> => {
  const { asking, sentAs, request } = await writeRequest(deps, admitted, attempt);
  const { channel, upstream } = attempt.destination;
  const { facts } = asking.request;
  const connected = (): void => {
    attempt.isSent = true;
    attempt.connectedMs = deps.clock.monotonic();
  };
  const timed = time.timed({ ...request, connected });
  if (facts.stream) time.limit('event', sentAs.patience.firstEventMs);
  else time.limit('end', sentAs.patience.wholeMs);
  const reply = await deliver(
    recordingDelivery(deps, attempt, time.room),
    deliveryOf(upstream, asking.call.operation),
    channel,
    timed,
    time.signal,
  );
  attempt.headMs = deps.clock.monotonic();
  const nowMs = deps.clock.now();
  const usedUp = usedUpMs(reply.headers, nowMs);
  if (usedUp > 0)
    deps.health.usedUp(channel, healthName(facts.model, asking.call.operation), usedUp, attempt.headMs);
  const { destination } = attempt;
  await refuseStatus(reply, sentAs.format, { ...destination, nowMs });
  // The rest of a form may have arrived during sending.
  const whole = admitted.lateForm?.request ?? asking.request;
  return { ...asking, ...destination, ...sentAs, sentAs, request: whole, reply };
};

/** Waits for what can be given to the caller. */
const awaitAnswer = async <Call extends Sent>(
  deps: SendDeps,
  at: Call,
  attempt: LiveAttempt,
  time: Allowed,
): Promise<Call & Given> => {
  const answer = await readAnswer(deps, at, attempt, time).catch((thrown: unknown) => {
    throw thrown instanceof AppError ? (at.upstream.readErrorInside?.(thrown) ?? thrown) : thrown;
  });
  const report = (word: string): void =>
    deps.log.warn('a reply has a sensitive word', { word, requestId: at.call.requestId });
  return { ...at, answer, checkReply: deps.openReplyCheck(at.routing.options, report) };
};

const readAnswer = async (deps: SendDeps, at: Sent, attempt: LiveAttempt, time: Allowed): Promise<Answer> => {
  const { reply, request, format, wire, secrets, upstream, live, call } = at;
  const { facts, fields } = request;
  const { room } = time;
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
  if (wire.answersInBytes === true && !isJsonReply(reply)) return bytesAnswer(reply, telling);
  const asking = { operation: call.operation, model: at.upstreamModel, stream: false };
  const asCaller = isJsonReply(reply) ? callersReply(upstream, asking, fields) : undefined;
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

/** Waits for the whole form if this channel cannot stream it; files are loaded if they go into JSON. */
const formFor = async (
  admitted: Admitted,
  { upstream, channel }: Destination,
): Promise<Admitted['request']> => {
  const { call, lateForm, live } = admitted;
  const isJson = upstream.offers[call.operation]?.formAsJson === true;
  // A field after the file could repeat one that the operator overrides.
  const isOverridden =
    channel.setting.overrides !== undefined || Object.keys(channel.paramOverride).length > 0;
  if (isJson || isOverridden) await lateForm?.whole;
  const request = lateForm?.request ?? admitted.request;
  if (isJson && request.form !== undefined) live.files ??= await loadFiles(request.form);
  return request;
};

const patienceOf = ({ request, routing, canRepeat }: Admitted, { channel }: Destination): Patience => {
  const { model, stream } = request.facts;
  const ofModel = limitsOfModel(routing.options['upstream_setting.model_timeouts'], model);
  return patienceFor(channel.setting.limits, ofModel, { stream, canRepeat });
};
