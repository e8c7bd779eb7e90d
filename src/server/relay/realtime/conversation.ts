import { afterOthers } from '#core/time/after-others.ts';
import { AppError, asAppError } from '#core/error.ts';
import { closeCode, isLost, type MessageSocket, sendText } from '#core/outbound/message-socket.ts';
import type { Begun, TappedMessage } from '../../dialects/openai-realtime/openai-realtime.ts';
import type { Held } from '../stages.ts';
import { Answers } from './answers.ts';
import type { Context } from './context.ts';
import type { ConversationDeps } from './conversation-deps.ts';
import { ChargedFirst, pausedUntilRead, type Message, type Pipe, pipe } from './pipe.ts';
import { type Presence, watchPresence } from '../presence.ts';
import { isLong, readUpstreamMessage, readCallerMessage } from './read-messages.ts';
import { chargeWords, noQuotaForWords, Transcripts, type Words } from './transcripts.ts';
import { growHeld, type HeldTurn, isEnough, type Made, MadeSoFar, meterTurn, swap } from './turn.ts';

/** Answers that may run at the same time. */
const MOST_AT_ONCE = 16;

/**
 * Joins two WebSockets. Each answer is charged before its caller hears its end, and the next one is held before more is
 * read from the upstream. If it cannot be paid, the caller gets an error and both sides are closed. A message is forwarded
 * once each answer it asks for is held; an answer that the upstream begins unasked is held as it begins. Runs once.
 */
export class Conversation {
  readonly #deps: ConversationDeps;
  readonly #caller: MessageSocket;
  readonly #upstream: MessageSocket;
  readonly #context: Context;
  #turn: HeldTurn;
  /** Holds for answers that run beside the one of `#turn`. */
  readonly #spare: HeldTurn[] = [];
  readonly #answers = new Answers();
  readonly #fromCaller: Pipe;
  readonly #fromUpstream: Pipe;
  readonly #shown: ChargedFirst;
  /** Pauses reading from the caller until it has read the error just sent. */
  readonly #pauseCaller: () => void;
  /** Messages that arrived while an answer is being held. */
  #waiting: Message[] | undefined;
  readonly #made = new MadeSoFar();
  readonly #transcripts = new Transcripts();
  #isOver = false;
  readonly #presence: Presence;
  /** Steps that take time run one after the other: turns are closed and held in the order of their events. */
  #queue: Promise<void> = Promise.resolve();
  readonly #allClosed = Promise.withResolvers<void>();
  readonly ended = this.#allClosed.promise;

  /** @param turn must be held for `context.worst()` */
  constructor(
    deps: ConversationDeps,
    caller: MessageSocket,
    upstream: MessageSocket,
    context: Context,
    turn: Held,
  ) {
    this.#deps = deps;
    this.#caller = caller;
    this.#upstream = upstream;
    this.#context = context;
    this.#turn = { turn, worst: context.worst() };
    this.#fromCaller = pipe(caller, upstream, (data, isBinary) => this.#say({ data, isBinary }));
    this.#shown = new ChargedFirst(caller);
    this.#fromUpstream = pipe(upstream, caller, (data, isBinary) => this.#hear({ data, isBinary }));
    this.#pauseCaller = pausedUntilRead(caller, this.#fromCaller);
    caller.onClose = (code, reason) => this.#end(code, reason);
    upstream.onClose = (code, reason) =>
      isLost(code)
        ? this.#end(closeCode.upstreamLost, 'the upstream broke off')
        : this.#end(code, deps.masking.secrets.maskText(reason));
    this.#presence = watchPresence([caller, upstream], () =>
      this.#end(closeCode.goingAway, 'the connection is lost'),
    );
    upstream.resume();
    caller.resume();
  }

  /** Tells both sides that the server stops, and closes them. */
  stop(): void {
    this.#end(closeCode.goingAway, 'the server is restarting');
  }

  /** Runs a step after those queued. A failing step must not prevent the end: holds would stay open forever. */
  #enqueue(step: () => Promise<void>): void {
    this.#queue = this.#queue.then(step).catch((thrown: unknown) => this.#refuse(thrown));
  }

  /** Handles the caller's message; returns what can be forwarded at once. */
  #say(message: Message): Buffer | undefined {
    this.#presence.seen(this.#caller);
    if (this.#isOver) return undefined;
    const { data } = message;
    if (this.#waiting !== undefined) {
      this.#waiting.push(message);
      return undefined;
    }
    const { turn } = this.#turn;
    const read = readCallerMessage(data, this.#context, (...said) => this.#deps.check(turn, ...said));
    if ('refused' in read) return this.#tell(read.refused, read.message);
    const { asks, sent } = read;
    if (!isLong(data) && !(asks && this.#isTaken()) && this.#unfit().length === 0) {
      if (asks) this.#answers.ask();
      return sent;
    }
    this.#waiting = [];
    this.#fromCaller.pause();
    this.#enqueue(() => this.#holdFor({ ...message, data: sent }, asks));
    return undefined;
  }

  /** Whether every hold is already used by another answer than the one requested now. */
  #isTaken(): boolean {
    return this.#answers.isClosing || this.#answers.count >= 1 + this.#spare.length;
  }

  /** The holds of answers not yet begun to replace: too small, or made at old prices and not requested yet. */
  #unfit(): HeldTurn[] {
    const worst = this.#context.worst();
    const { begun, count } = this.#answers;
    return [this.#turn, ...this.#spare].filter(
      (held, at) =>
        at >= begun && (!isEnough(held, worst) || (at >= count && this.#deps.isOutdated(held.turn))),
    );
  }

  /** Replaces holds that no longer fit. If that cannot be paid, the conversation ends with an error. */
  async #holdAnew(): Promise<void> {
    const worst = this.#context.worst();
    for (const held of this.#unfit())
      await swap(this.#deps, held, isEnough(held, worst) ? held.worst : this.#context.roomy());
  }

  /** Makes the hold a message needs (another answer, or more for the next one) before it is forwarded. */
  async #holdFor(message: Message, asks: boolean): Promise<void> {
    const { data, isBinary } = message;
    if (this.#isOver) return;
    // Another answer has ended meanwhile: its hold is released first.
    if (asks && this.#answers.isClosing) return this.#enqueue(() => this.#holdFor(message, asks));
    await this.#holdAnew();
    if (isLong(data)) await afterOthers();
    try {
      if (asks && this.#isTaken()) await this.#holdBeside();
      if (asks) this.#answers.ask();
      this.#upstream.send(data, isBinary);
    } catch (thrown) {
      this.#tell(asAppError(thrown), data);
    }
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const later of waiting) {
      const shown = this.#say(later);
      if (shown !== undefined) this.#upstream.send(shown, later.isBinary);
    }
    this.#fromCaller.resume();
  }

  async #holdBeside(): Promise<void> {
    if (this.#spare.length + 1 >= MOST_AT_ONCE)
      throw new AppError('invalid_request', `no more than ${String(MOST_AT_ONCE)} answers at once`);
    const worst = this.#context.worst();
    this.#spare.push({ turn: await this.#deps.next(this.#turn.turn, worst), worst });
  }

  /** Holds for an answer that the upstream began without a hold. */
  async #holdBegun(): Promise<void> {
    const { count } = this.#answers;
    if (!this.#isOver && count > 1 + this.#spare.length) await this.#holdBeside();
    this.#fromUpstream.resume();
  }

  /** Gives back the holds of answers that will not be made. */
  async #giveBack(): Promise<void> {
    for (const held of this.#spare.splice(Math.max(1, this.#answers.count) - 1))
      await this.#deps.settle(held.turn);
  }

  #tell(error: AppError, message?: Buffer): undefined {
    sendText(this.#caller, Buffer.from(JSON.stringify(this.#deps.writeError(error, message))));
    this.#pauseCaller();
  }

  /** Handles the upstream's message; returns what can be forwarded at once. */
  #hear({ data, isBinary }: Message): Buffer | undefined {
    this.#presence.seen(this.#upstream);
    const read = readUpstreamMessage(data, this.#deps.masking);
    if (read instanceof AppError) {
      this.#tell(read);
      this.#end(closeCode.upstreamLost, 'the upstream sent what cannot be read');
      return undefined;
    }
    const { shown, tapped } = read;
    return this.#shown.take({ data: shown, isBinary }, tapped !== undefined && this.#note(tapped));
  }

  /** Returns whether the message ends something that is charged now. */
  #note(tapped: TappedMessage): boolean {
    if (tapped.begun !== undefined) this.#begin(tapped.begun);
    if (tapped.refused === true) {
      this.#answers.refuse();
      this.#enqueue(() => this.#giveBack());
    }
    this.#made.add(tapped, this.#context, (soFar) => this.#deps.save(this.#turn.turn, soFar));
    this.#transcripts.note(tapped);
    const hasOutgrown = this.#outgrows();
    if (hasOutgrown) {
      this.#fromUpstream.pause();
      this.#enqueue(() => this.#holdMore());
    }
    if (tapped.session !== undefined) this.#context.session(tapped.session);
    const { transcription: used, done } = tapped;
    if (used !== undefined) {
      const words = this.#transcripts.words(this.#turn.turn, used);
      this.#fromUpstream.pause();
      this.#enqueue(() => this.#chargeWords(words));
    }
    const isEnd = done !== undefined && this.#answers.end(done.id);
    if (isEnd) {
      const made = this.#made.take(done);
      // Nothing more is read until the next answer can be paid for.
      this.#fromUpstream.pause();
      this.#enqueue(() => this.#endTurn(made));
    }
    return isEnd || hasOutgrown || used !== undefined;
  }

  async #chargeWords(words: Words): Promise<void> {
    const unbegun = [this.#turn, ...this.#spare].slice(this.#answers.begun);
    const isCharged = await chargeWords({ ...this.#deps, isOver: () => this.#isOver }, words, unbegun);
    if (isCharged) return this.#showCharged();
    this.#refuse(noQuotaForWords());
    this.#enqueue(async () => void (await this.#deps.charge(words, 'in-any-case')));
  }

  #showCharged(): void {
    this.#shown.charged();
    this.#fromUpstream.resume();
  }

  /** Whether the running answers are longer than their holds pay for. */
  #outgrows(): boolean {
    const held = [this.#turn, ...this.#spare].slice(0, Math.max(1, this.#answers.begun));
    return this.#made.outgrows(this.#context, held);
  }

  /** Makes the hold larger for a long answer. If that cannot be paid, the conversation ends with an error. */
  async #holdMore(): Promise<void> {
    while (!this.#isOver && this.#outgrows()) await growHeld(this.#deps, this.#turn);
    if (!this.#isOver) this.#showCharged();
  }

  #begin({ id, format }: Begun): void {
    this.#answers.begin(id);
    this.#context.begun(format);
    if (this.#answers.count <= 1 + this.#spare.length) return;
    this.#fromUpstream.pause();
    this.#enqueue(() => this.#holdBegun());
  }

  async #endTurn(made: Made): Promise<void> {
    const { turn } = this.#turn;
    meterTurn(turn, this.#context, made, this.#answers.count === 1);
    await this.#deps.settle(turn);
    this.#shown.charged();
    this.#answers.close();
    // Also at the end of the conversation: an answer that ran beside this one is charged from its own hold.
    const spare = this.#spare.shift();
    if (spare !== undefined) this.#turn = spare;
    if (this.#isOver) return;
    const worst = this.#context.worst();
    if (spare === undefined) this.#turn = { turn: await this.#deps.next(turn, worst), worst };
    await this.#holdAnew();
    this.#fromUpstream.resume();
  }

  #refuse(thrown: unknown): void {
    if (this.#isOver) return;
    const error = asAppError(thrown);
    this.#tell(error);
    this.#end(closeCode.policy, error.reason ?? error.code);
  }

  #end(code: number, reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#presence.stop();
    const closeCaller = (): void => this.#caller.close(code === 0 ? closeCode.normal : code, reason);
    if (this.#shown.isWaiting) this.#enqueue(async () => closeCaller());
    else closeCaller();
    this.#upstream.close(closeCode.normal, '');
    this.#enqueue(() => this.#closeHolds());
    void this.#queue.then(() => this.#queue.then(() => this.#allClosed.resolve()));
  }

  async #closeHolds(): Promise<void> {
    // An answer that began but reported no usage is charged by our count; a turn that had not begun costs nothing.
    meterTurn(this.#turn.turn, this.#context, this.#made.take({ usage: undefined, isApart: undefined }));
    await Promise.allSettled([this.#turn, ...this.#spare].map(({ turn }) => this.#deps.settle(turn)));
    const words = this.#transcripts.unfinished(this.#turn.turn);
    if (words !== undefined) await this.#deps.charge(words, 'in-any-case');
  }
}
