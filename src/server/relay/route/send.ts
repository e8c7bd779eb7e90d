import type { Channel } from '#core/channel/channel.ts';
import { activeOverrides } from '#core/channel/overrides/override.ts';
import { limitsOfModel, type Patience, patienceFor } from '#core/channel/health/patience.ts';
import { usedUpMs } from '#core/channel/health/rate-headers.ts';
import { deliver, type DeliveryDeps } from '#core/delivery.ts';
import { AppError } from '#core/error.ts';
import { loadFiles } from '../../dialects/form/form.ts';
import { deliveryOf } from '../../dialects/upstream.ts';
import { type Answer, refuseStatus } from '../answer/answer.ts';
import { inTime } from './attempt-time.ts';
import { healthName } from './health/health-node.ts';
import { type Allowed, readAnswer } from './read-answer.ts';
import { RecordingDelivery } from './recording-delivery.ts';
import type { LiveAttempt } from '../live-attempt.ts';
import { decided } from '../far/far-request.ts';
import { gapIn } from '../request/format-gaps.ts';
import { outgoing, type Target } from '../request/outgoing.ts';
import type { WriteTerms } from '../request/request.ts';
import { refusesSignatures } from '../request/signatures.ts';
import type { Parts } from '../parts.ts';
import {
  formatFor,
  refusalOf,
  type FormatDeps,
  type Source,
  upstreamModel,
} from '../request/choose-format.ts';
import type { Accepted, Admitted, Given } from '../stages.ts';
import type { SentAs, Destination } from '../destination.ts';

export type SendDeps = DeliveryDeps &
  FormatDeps &
  Pick<Parts, 'openReplyCheck' | 'log' | 'farThreads' | 'answers' | 'noteUnpaid' | 'health'>;

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

/** The format and the model that this channel gets the request in. */
const targetOf = (
  deps: SendDeps,
  asking: Admitted,
  { channel, upstream }: Destination,
  connected: () => void,
): Target & Pick<SentAs, 'patience'> => {
  const { call, group, live } = asking;
  const { model } = asking.request.facts;
  const { overrides } = channel.setting;
  return {
    upstreamModel: upstreamModel(channel, model),
    format: formatFor(deps, asking, upstream, channel),
    patience: patienceOf(asking, channel),
    channel,
    upstream,
    overrides: overrides && activeOverrides(overrides, { model, group, headers: call.headers }),
    files: live.files,
    connected,
  };
};

/** What another thread needs to write the body. */
const termsOf = (asking: Admitted, { channel, format, overrides }: Target): WriteTerms => {
  const { live, omitsTools, stripsTerms, request } = asking;
  // Only a call with a hold has one.
  const { outputLimit }: Source = asking;
  return {
    model: request.facts.model,
    channel,
    format: format.name,
    isUnsigned: live.isUnsigned,
    omitsTools,
    stripsTerms,
    outputLimit,
    ...(overrides !== undefined && { overrides }),
  };
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

const patienceOf = ({ request, routing, canRepeat }: Admitted, channel: Channel): Patience => {
  const { model, stream } = request.facts;
  const ofModel = limitsOfModel(routing.options['upstream_setting.model_timeouts'], model);
  return patienceFor(channel.setting.limits, ofModel, { stream, canRepeat });
};
