import { AnswerEnds } from '#core/chat/answer-ends.ts';
import type { ChatEvent } from '#core/chat/event.ts';
import { CallersCalls } from '#core/chat/own-calls.ts';
import { chargeOf, type Meter } from './meter.ts';
import { named } from './named.ts';
import { known, type Running } from './running.ts';

type UsageEvent = Extract<ChatEvent, { type: 'usage' }>;

/**
 * A reply of another format as its caller is told it: with the names it gave its tools, without calls that the upstream has
 * answered itself, every answer with its end, and its usage once, at the end, as the call is charged for it.
 */
export class HeardAnswer {
  readonly #running: Running;
  readonly #meter: Meter;
  readonly #calls: CallersCalls;
  readonly #ends = new AnswerEnds();
  #usage: UsageEvent | undefined;

  constructor(running: Running, meter: Meter) {
    this.#running = running;
    this.#meter = meter;
    this.#calls = new CallersCalls(running.chatRequest);
  }

  /** What the caller is told now. Throws the error that an event is. */
  take(read: ChatEvent): readonly ChatEvent[] {
    const event = this.#calls.take(named(read, this.#running));
    if (event === undefined) return [];
    const told = this.#ends.take(event);
    if (told.type === 'error') throw told.error;
    if (told.type !== 'usage') return [told];
    this.#usage = told;
    return [];
  }

  /** What it is told last; `isCut`: its upstream was stopped, and tells no usage. */
  end(isCut = false): readonly ChatEvent[] {
    return [...this.#ends.missing(), ...this.usage(isCut)];
  }

  /** What is charged, as far as the upstream tells it, or where it was kept from telling. */
  usage(isCut = false): readonly ChatEvent[] {
    if (this.#usage === undefined && !isCut) return [];
    const charge = chargeOf(this.#meter, known(this.#running.asked, 'read').facts.inputTokensEstimate);
    return charge.action === 'void' ? [] : [{ ...this.#usage, type: 'usage', usage: charge.usage }];
  }
}
