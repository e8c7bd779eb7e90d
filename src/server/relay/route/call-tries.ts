import type { OptionValues } from '#contract/options.ts';
import type { TriedSeats } from '#core/channel/selection/open-channels.ts';
import type { ShareWindow } from '#core/channel/health/share-window.ts';
import type { Decision } from '#core/channel/selection/select.ts';
import type { AppError } from '#core/error.ts';
import { dropAnswer, noteFailedAttempt } from '../bill/drop-answer.ts';
import { raisedByOverrides } from '../bill/hold/raised-by-overrides.ts';
import { type Chosen, type Destination, destinationOf } from '../destination.ts';
import type { Live } from '../live.ts';
import type { LiveAttempt } from '../live-attempt.ts';
import type { Parts } from '../parts.ts';
import { mayAct } from '../request/can-repeat.ts';
import type { Answered, Held } from '../stages.ts';
import { chooseSeat, noChannelTakes } from './choose.ts';
import { type Haste, hasteOf, probeMsOf } from './haste.ts';
import { retryBudget } from './retry-budget.ts';
import { send } from './send.ts';
import type { IfFull } from './seat-rooms.ts';
import type { Tries } from './tries.ts';

/** How a held call is sent to one channel after another. */
export class CallTries implements Tries<Answered, Destination> {
  readonly #parts: Parts;
  readonly #held: Held;
  readonly budget: ShareWindow;
  readonly haste: Haste | undefined;
  readonly probeMs: number | undefined;
  readonly status = 200;

  constructor(parts: Parts, held: Held) {
    this.#parts = parts;
    this.#held = held;
    this.budget = retryBudget(parts, held.routing, held.group, held.request.facts.model);
    this.haste = hasteOf(parts, held);
    this.probeMs = probeMsOf(held);
  }

  get book(): Live {
    return this.#held.live;
  }

  get options(): OptionValues {
    return this.#held.routing.options;
  }

  get model(): string {
    return this.#held.request.facts.model;
  }

  get operation(): Held['call']['operation'] {
    return this.#held.call.operation;
  }

  get userId(): number {
    return this.#held.caller.user.id;
  }

  get requestId(): string {
    return this.#held.call.requestId;
  }

  get userAgent(): string | undefined {
    return this.#held.call.headers['user-agent'];
  }

  get isFree(): boolean {
    return this.#held.caller.channelId === undefined && this.#held.continuation === undefined;
  }

  get canRepeat(): boolean {
    return this.#held.canRepeat;
  }

  get mayHaveActed(): boolean {
    const held = this.#held;
    return (
      held.call.operation === 'chat' && !held.canRepeat && (mayAct(held) || raisedByOverrides(held).acts)
    );
  }

  get answer(): 'stream' | 'whole' {
    return this.#held.request.facts.stream ? 'stream' : 'whole';
  }

  choose(tried: TriedSeats, ifFull: IfFull): Decision | Promise<Decision> {
    return chooseSeat(this.#parts, this.#held, tried, ifFull);
  }

  nobody(decision: Decision): AppError {
    return noChannelTakes(this.#held, decision);
  }

  /** The channel counts one more running call until the attempt is closed. */
  begin(chosen: Chosen): Destination {
    this.#parts.pace.began(chosen.channel.id);
    return destinationOf(this.#parts, chosen);
  }

  ask(attempt: LiveAttempt): Promise<Answered> {
    attempt.pace = this.#parts.pace;
    return send(this.#parts, this.#held, attempt);
  }

  /** Records how soon the channel began to answer. A late attempt would have taken even longer. */
  ended(attempt: LiveAttempt, how: 'answered' | 'failed'): void {
    const { pace, clock } = this.#parts;
    // A whole reply shows nothing before its end.
    if (how === 'answered' ? this.answer === 'whole' : attempt.late === undefined) return;
    const nowMs = clock.monotonic();
    pace.heard(attempt.destination.channel.id, this.model, nowMs - attempt.startedMs, nowMs);
  }

  fail(attempt: LiveAttempt, error: AppError): void {
    noteFailedAttempt(this.#parts, this.#held, attempt, error);
  }

  drop(attempt: LiveAttempt, given: Answered | undefined): void {
    dropAnswer(this.#parts, this.#held, attempt, given);
  }
}
