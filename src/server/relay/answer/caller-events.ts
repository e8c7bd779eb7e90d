import { AnswerEnds } from '#core/chat/answer-ends.ts';
import type { ChatEvent, FinishReason } from '#core/chat/event.ts';
import { CallersCalls } from '#core/chat/own-calls.ts';
import { believedReport } from '#core/quota/charge.ts';
import { asCallerNames } from '#core/chat/fitted-names.ts';
import { chargeOf, type Meter } from '../bill/meter.ts';
import type { ReplyContext } from '../stages.ts';
import { plainNames } from '../../dialects/name-rules.ts';
import { asEgress, callerDialect } from '../request/format.ts';
import { StopCutter } from '#core/chat/stop-cutter.ts';

/** Fills in our id, model and time if the upstream sent none, and restores the caller's tool names. */
const named = (event: ChatEvent, context: ReplyContext): ChatEvent => {
  const { call, wire, format, request, translations, createdAtMs } = context;
  if (event.type === 'tool-call-start') {
    const { names: rules = plainNames } = asEgress(format);
    const { names: callers = plainNames } = callerDialect(wire);
    return asCallerNames(event, translations.chatRequest, { rules, callers });
  }
  if (event.type !== 'start') return event;
  return {
    ...event,
    id: event.id === '' ? call.requestId : event.id,
    model: event.model === '' ? request.facts.model : event.model,
    createdAtMs: event.createdAtMs ?? createdAtMs,
  };
};

type UsageEvent = Extract<ChatEvent, { type: 'usage' }>;

/**
 * Numbers the answers of a call that asked for one. The first to begin gets number 0, because some upstreams count
 * from 1 and formats with a single answer write only number 0. If another answer has that number, the two swap, so
 * that formats with several answers lose none.
 */
class Numbers {
  #first: number | undefined;

  take(event: ChatEvent): ChatEvent {
    if (!('choice' in event)) return event;
    const { choice } = event;
    this.#first ??= choice;
    if (this.#first === 0 || (choice !== 0 && choice !== this.#first)) return event;
    return { ...event, choice: choice === 0 ? this.#first : 0 };
  }
}

/**
 * Prepares the events of another format's reply for the caller: restores the caller's tool names, drops calls the upstream
 * answered itself, numbers and ends every answer, and reports the usage once, at the end.
 */
export class CallerEvents {
  readonly #for: ReplyContext;
  readonly #meter: Meter;
  readonly #calls: CallersCalls;
  readonly #numbers: Numbers | undefined;
  readonly #ends = new AnswerEnds();
  #usage: UsageEvent | undefined;

  constructor(context: ReplyContext, meter: Meter) {
    this.#for = context;
    this.#meter = meter;
    const { chatRequest } = context.translations;
    this.#calls = new CallersCalls(chatRequest);
    this.#numbers = (chatRequest?.choices ?? 1) === 1 ? new Numbers() : undefined;
  }

  /** Returns the events to send now. Throws if the event is an error. */
  take(read: ChatEvent): readonly ChatEvent[] {
    const event = this.#calls.take(named(this.#numbers?.take(read) ?? read, this.#for));
    if (event === undefined) return [];
    const events = this.#ends.take(event);
    for (const one of events) {
      if (one.type === 'error') throw one.error;
      if (one.type !== 'usage') continue;
      this.#usage = one;
      return [];
    }
    return events;
  }

  /**
   * Returns the last events; `isCut`: the upstream was stopped, so it reports no usage. Answers without an end get
   * `reason`.
   */
  end(isCut = false, reason: FinishReason = 'stop'): readonly ChatEvent[] {
    return [...this.#ends.missing(reason), ...this.usage(isCut)];
  }

  /**
   * Returns the upstream's own usage, or the charged usage if that is implausible or the answer did not finish. Empty if
   * the upstream reported nothing and was not stopped.
   */
  usage(isCut = false): readonly ChatEvent[] {
    if (this.#usage === undefined && !isCut) return [];
    const charge = chargeOf(this.#meter, this.#for.request.facts);
    if (charge.action === 'void') return [];
    const { reported, finished } = this.#meter;
    const reportedUsage = finished && !isCut ? believedReport(reported) : undefined;
    const { toolCalls } = charge.usage;
    const usage = { ...(reportedUsage ?? charge.usage), ...(toolCalls !== undefined && { toolCalls }) };
    return [{ ...this.#usage, type: 'usage', usage }];
  }
}

/** Cuts the answer at the caller's stop sequences that its upstream does not support. */
export const stopCutterFor = ({
  format,
  translations,
  upstreamModel,
}: ReplyContext): StopCutter | undefined => {
  const stops = translations.chatRequest?.stop?.filter((stop) => stop !== '') ?? [];
  if (stops.length === 0) return undefined;
  const { hasNoStops, mostStops, refusesBlankStops } = asEgress(format);
  const isBeyond = stops.length > (mostStops?.(upstreamModel) ?? stops.length);
  const isBlank = refusesBlankStops === true && stops.some((stop) => stop.trim() === '');
  return hasNoStops === true || isBeyond || isBlank ? new StopCutter(stops) : undefined;
};
