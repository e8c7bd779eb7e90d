import { AppError, asAppError } from '#core/error.ts';
import type { Usage } from '#core/chat/usage.ts';
import type { MessageSocket } from '#core/message-socket.ts';
import { asksForAnswer, tapMessage } from '../../dialects/openai-realtime/openai-realtime.ts';
import type { Running } from '../running.ts';
import type { Context } from './context.ts';
import { type Held, isEnough, swap } from './held.ts';
import { pipe } from './pipe.ts';

export interface ConversationDeps {
  /** Closes a turn's hold: charged what its meter says, or given back. */
  readonly settle: (turn: Running) => Promise<void>;
  /** The next turn, held. Throws where it cannot be paid. */
  readonly next: (turn: Running, worst: Usage) => Promise<Running>;
  /** Charges what another model wrote down of the caller's words. */
  readonly charge: (turn: Running, model: string | undefined, used: Usage) => Promise<void>;
  readonly writeError: (error: AppError) => unknown;
}

const NORMAL = 1000;
const GOING_AWAY = 1001;
const POLICY = 1008;
/** An upstream that said no goodbye, or nonsense. */
const LOST: ReadonlySet<number> = new Set([0, 1002, 1006, 1007, 1009]);
const UPSTREAM_LOST = 1011;
/** Answers that may be made at once. */
const MOST_AT_ONCE = 16;
/** A side that says nothing is asked whether it is there, and is gone when it does not say so this many times. */
const PING_EVERY_MS = 30_000;
const MOST_UNANSWERED = 3;

interface Message {
  readonly data: Buffer;
  readonly isBinary: boolean;
}

/**
 * Two WebSockets joined. Each answer is charged as it ends, and the next one is held before the upstream is heard
 * again: where that cannot be paid, the caller is told and both sides are closed. What the caller says goes on when the
 * answer to it is held. Who asks for several answers at once has each held before it is asked for. Runs once.
 */
export class Conversation {
  readonly #deps: ConversationDeps;
  readonly #caller: MessageSocket;
  readonly #upstream: MessageSocket;
  readonly #context: Context;
  #turn: Held;
  /** Held for answers that are made beside the one of `#turn`. */
  readonly #spare: Held[] = [];
  /** Answers the caller has asked for that are not over, and those of all that the upstream has begun. */
  #asked = 0;
  #begun = 0;
  /** What the caller has said since it asked for an answer that is being held. */
  #waiting: Message[] | undefined;
  #unanswered = { caller: 0, upstream: 0 };
  /** The model that writes down what the caller says. */
  #transcriber: string | undefined;
  #soundBytes = 0;
  #textBytes = 0;
  #isOver = false;
  readonly #pings: NodeJS.Timeout;
  /** Turns end one after the other. */
  #queue: Promise<void> = Promise.resolve();
  #resolve: () => void = () => undefined;
  readonly ended = new Promise<void>((resolve) => {
    this.#resolve = resolve;
  });

  /** `turn` is held for the worst of `context`. */
  constructor(
    deps: ConversationDeps,
    caller: MessageSocket,
    upstream: MessageSocket,
    context: Context,
    turn: Running,
  ) {
    this.#deps = deps;
    this.#caller = caller;
    this.#upstream = upstream;
    this.#context = context;
    this.#turn = { turn, worst: context.worst() };
    pipe(caller, upstream, (data, isBinary) => this.#said({ data, isBinary }));
    pipe(upstream, caller, (data) => this.#heard(data));
    caller.onClose = (code, reason) => this.#end(code, reason);
    upstream.onClose = (code, reason) =>
      LOST.has(code) ? this.#end(UPSTREAM_LOST, 'the upstream broke off') : this.#end(code, reason);
    caller.onPong = () => void (this.#unanswered.caller = 0);
    upstream.onPong = () => void (this.#unanswered.upstream = 0);
    this.#pings = setInterval(() => this.#ping(), PING_EVERY_MS);
    this.#pings.unref();
    upstream.resume();
    caller.resume();
  }

  /** The server stops: both sides are told. */
  stop(): void {
    this.#end(GOING_AWAY, 'the server is restarting');
  }

  /** A connection that is lost without a word would keep its hold for good. */
  #ping(): void {
    for (const side of ['caller', 'upstream'] as const) {
      const socket = side === 'caller' ? this.#caller : this.#upstream;
      if (this.#unanswered[side] >= MOST_UNANSWERED) {
        this.#end(GOING_AWAY, 'the connection is lost');
        socket.cut();
        return;
      }
      this.#unanswered[side] += 1;
      socket.ping();
    }
  }

  /** What goes on of the caller's message right now. */
  #said(message: Message): Buffer | undefined {
    this.#unanswered.caller = 0;
    if (this.#isOver) return undefined;
    const { data } = message;
    if (this.#waiting !== undefined) {
      this.#waiting.push(message);
      return undefined;
    }
    this.#context.add(data);
    const asks = asksForAnswer(data);
    if (asks) this.#asked += 1;
    const isOneMore = asks && this.#asked > 1 + this.#spare.length;
    if (!isOneMore && this.#short().length === 0) return data;
    this.#waiting = [];
    this.#caller.pause();
    this.#queue = this.#queue.then(() => this.#holdFor(message, isOneMore));
    return undefined;
  }

  /** What is held for answers that are not begun, and not enough for all that was said. */
  #short(): Held[] {
    const worst = this.#context.worst();
    const isShort = (held: Held): boolean => !isEnough(held, worst);
    if (this.#spare.length === 0) return this.#begun === 0 && isShort(this.#turn) ? [this.#turn] : [];
    return [this.#turn, ...this.#spare].slice(this.#begun).filter(isShort);
  }

  /** Holds more for what the caller has said. Where it cannot be paid, the caller is told, and this is over. */
  async #holdMore(): Promise<void> {
    for (const held of this.#short()) await swap(this.#deps, held, this.#context.roomy());
  }

  /** Holds what a message asks for, an answer beside the others or more for the next, before it goes on. */
  async #holdFor({ data, isBinary }: Message, isOneMore: boolean): Promise<void> {
    try {
      await this.#holdMore();
    } catch (thrown) {
      this.#refuse(thrown);
      return;
    }
    try {
      if (isOneMore) await this.#holdBeside();
      this.#upstream.send(data, isBinary);
    } catch (thrown) {
      this.#asked = Math.max(0, this.#asked - 1);
      this.#tell(asAppError(thrown));
    }
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const message of waiting) {
      const shown = this.#said(message);
      if (shown !== undefined) this.#upstream.send(shown, message.isBinary);
    }
    if (this.#waiting === undefined) this.#caller.resume();
  }

  async #holdBeside(): Promise<void> {
    if (this.#spare.length + 1 >= MOST_AT_ONCE)
      throw new AppError('invalid_request', `no more than ${String(MOST_AT_ONCE)} answers at once`);
    const worst = this.#context.worst();
    this.#spare.push({ turn: await this.#deps.next(this.#turn.turn, worst), worst });
  }

  #tell(error: AppError): void {
    this.#caller.send(Buffer.from(JSON.stringify(this.#deps.writeError(error))), false);
  }

  #heard(data: Buffer): Buffer {
    this.#unanswered.upstream = 0;
    const shown = this.#turn.turn.secrets.mask(data);
    const tapped = tapMessage(shown);
    if (tapped === undefined) return shown;
    if (tapped.begun === true) {
      this.#begun += 1;
      this.#context.begun();
    }
    this.#soundBytes += tapped.soundBytes ?? 0;
    this.#textBytes += tapped.textBytes ?? 0;
    if (tapped.session !== undefined) this.#context.session(tapped.session);
    this.#transcriber = tapped.session?.transcriber ?? this.#transcriber;
    const { heard } = tapped;
    if (heard !== undefined) {
      const { turn } = this.#turn;
      this.#queue = this.#queue.then(() => this.#deps.charge(turn, this.#transcriber, heard));
    }
    if (tapped.done !== undefined) {
      const { usage } = tapped.done;
      // Nothing more is heard until the next answer can be paid for.
      this.#upstream.pause();
      this.#queue = this.#queue.then(() => this.#endTurn(usage));
    }
    return shown;
  }

  async #endTurn(usage: Usage | undefined): Promise<void> {
    const { turn } = this.#turn;
    this.#note(usage);
    await this.#deps.settle(turn);
    this.#asked = Math.max(0, this.#asked - 1);
    this.#begun = Math.max(0, this.#begun - 1);
    // What was asked for and refused has no end: when nothing is made any more, nothing is asked for.
    if (this.#begun === 0) this.#asked = 0;
    if (this.#isOver) return;
    try {
      const worst = this.#context.worst();
      this.#turn = this.#spare.shift() ?? { turn: await this.#deps.next(turn, worst), worst };
      await this.#holdMore();
      this.#upstream.resume();
    } catch (thrown) {
      this.#refuse(thrown);
    }
  }

  #refuse(thrown: unknown): void {
    const error = asAppError(thrown);
    this.#tell(error);
    this.#end(POLICY, error.reason ?? error.code);
  }

  /** What this turn used: as reported, else counted. */
  #note(usage: Usage | undefined): void {
    const { meter } = this.#turn.turn;
    const isCounted = this.#soundBytes > 0 || this.#textBytes > 0;
    meter.finished = true;
    meter.produced = usage !== undefined || isCounted;
    if (meter.produced) meter.reported = usage ?? this.#context.counted(this.#soundBytes, this.#textBytes);
    this.#context.ended(usage);
    this.#soundBytes = 0;
    this.#textBytes = 0;
  }

  #end(code: number, reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#pings);
    this.#caller.close(code === 0 ? NORMAL : code, reason);
    this.#upstream.close(NORMAL, '');
    void this.#queue.then(async () => {
      // What was begun and never said its usage is counted; a turn that had not begun costs nothing.
      this.#note(undefined);
      for (const { turn } of [this.#turn, ...this.#spare]) await this.#deps.settle(turn);
      this.#resolve();
    });
  }
}
