import { AppError, asAppError } from '#core/error.ts';
import type { Usage } from '#core/chat/usage.ts';
import type { MessageSocket } from '#core/message-socket.ts';
import { asksForAnswer, tapMessage } from '../../dialects/openai-realtime/openai-realtime.ts';
import type { Running } from '../running.ts';
import { Answers } from './answers.ts';
import type { Context } from './context.ts';
import { type Held, isEnough, swap } from './held.ts';
import { type Pipe, pipe } from './pipe.ts';
import { type Presence, watchPresence } from './presence.ts';

export interface ConversationDeps {
  /** Closes a turn's hold: charged what its meter says, or given back. */
  readonly settle: (turn: Running) => Promise<void>;
  /** The next turn, held. Throws where it cannot be paid. */
  readonly next: (turn: Running, worst: Usage) => Promise<Running>;
  /** Charges what another model wrote down of the caller's words. */
  readonly charge: (turn: Running, model: string | undefined, used: Usage) => Promise<void>;
  /** Throws where what the caller says may not go on. */
  readonly check: (turn: Running, message: Buffer) => void;
  /** The event that says so; `message` is what it is about, where it is about one. */
  readonly writeError: (error: AppError, message?: Buffer) => unknown;
}

const NORMAL = 1000;
const GOING_AWAY = 1001;
const POLICY = 1008;
/** An upstream that said no goodbye, or nonsense. */
const LOST: ReadonlySet<number> = new Set([0, 1002, 1006, 1007, 1009]);
const UPSTREAM_LOST = 1011;
/** Answers that may be made at once. */
const MOST_AT_ONCE = 16;

interface Message {
  readonly data: Buffer;
  readonly isBinary: boolean;
}

/** What came of an answer. */
interface Made {
  readonly usage: Usage | undefined;
  readonly soundBytes: number;
  readonly textBytes: number;
}

/**
 * Two WebSockets joined. Each answer is charged as it ends, and the next one is held before the upstream is heard
 * again: where that cannot be paid, the caller is told and both sides are closed. What the caller says goes on when the
 * answer to it is held. Who asks for several answers at once has each held before it is asked for; one that the upstream
 * begins beside them by itself is held as it begins. Runs once.
 */
export class Conversation {
  readonly #deps: ConversationDeps;
  readonly #caller: MessageSocket;
  readonly #upstream: MessageSocket;
  readonly #context: Context;
  #turn: Held;
  /** Held for answers that are made beside the one of `#turn`. */
  readonly #spare: Held[] = [];
  readonly #answers = new Answers();
  readonly #said: Pipe;
  readonly #heard: Pipe;
  /** What the caller has said since it asked for an answer that is being held. */
  #waiting: Message[] | undefined;
  /** The model that writes down what the caller says. */
  #transcriber: string | undefined;
  #soundBytes = 0;
  #textBytes = 0;
  #isOver = false;
  readonly #presence: Presence;
  /** What takes time is done one after the other: turns end, and are held, in the order in which that came up. */
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
    this.#said = pipe(caller, upstream, (data, isBinary) => this.#say({ data, isBinary }));
    this.#heard = pipe(upstream, caller, (data) => this.#hear(data));
    caller.onClose = (code, reason) => this.#end(code, reason);
    upstream.onClose = (code, reason) =>
      LOST.has(code) ? this.#end(UPSTREAM_LOST, 'the upstream broke off') : this.#end(code, reason);
    this.#presence = watchPresence([caller, upstream], () => this.#end(GOING_AWAY, 'the connection is lost'));
    upstream.resume();
    caller.resume();
  }

  /** The server stops: both sides are told. */
  stop(): void {
    this.#end(GOING_AWAY, 'the server is restarting');
  }

  /** Nothing that fails here may keep the end from coming: that would leave holds open for good. */
  #enqueue(step: () => Promise<void>): void {
    this.#queue = this.#queue.then(step).catch((thrown: unknown) => this.#refuse(thrown));
  }

  /** What goes on of the caller's message right now. */
  #say(message: Message): Buffer | undefined {
    this.#presence.seen(this.#caller);
    if (this.#isOver) return undefined;
    const { data } = message;
    if (this.#waiting !== undefined) {
      this.#waiting.push(message);
      return undefined;
    }
    try {
      this.#deps.check(this.#turn.turn, data);
    } catch (thrown) {
      this.#tell(asAppError(thrown), data);
      return undefined;
    }
    this.#context.add(data);
    const asks = asksForAnswer(data);
    if (!(asks && this.#isTaken()) && this.#short().length === 0) {
      if (asks) this.#answers.ask();
      return data;
    }
    this.#waiting = [];
    this.#said.pause();
    this.#enqueue(() => this.#holdFor(message, asks));
    return undefined;
  }

  /** Whether all that is held is for other answers than the one that is asked for now. */
  #isTaken(): boolean {
    return this.#answers.isClosing || this.#answers.count >= 1 + this.#spare.length;
  }

  /** What is held for answers that are not begun, and not enough for all that was said. */
  #short(): Held[] {
    const worst = this.#context.worst();
    return [this.#turn, ...this.#spare].slice(this.#answers.begun).filter((held) => !isEnough(held, worst));
  }

  /** Holds more for what the caller has said. Where it cannot be paid, the caller is told, and this is over. */
  async #holdMore(): Promise<void> {
    for (const held of this.#short()) await swap(this.#deps, held, this.#context.roomy());
  }

  /** Holds what a message asks for, an answer beside the others or more for the next, before it goes on. */
  async #holdFor(message: Message, asks: boolean): Promise<void> {
    const { data, isBinary } = message;
    if (this.#isOver) return;
    if (asks && this.#answers.isClosing) {
      // Another answer has ended since: what was held for it is free first.
      this.#enqueue(() => this.#holdFor(message, asks));
      return;
    }
    await this.#holdMore();
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
    this.#said.resume();
  }

  async #holdBeside(): Promise<void> {
    if (this.#spare.length + 1 >= MOST_AT_ONCE)
      throw new AppError('invalid_request', `no more than ${String(MOST_AT_ONCE)} answers at once`);
    const worst = this.#context.worst();
    this.#spare.push({ turn: await this.#deps.next(this.#turn.turn, worst), worst });
  }

  /** Holds for an answer that the upstream has begun and nothing is held for. */
  async #holdBegun(): Promise<void> {
    const { count } = this.#answers;
    if (!this.#isOver && count > 1 + this.#spare.length) await this.#holdBeside();
    this.#heard.resume();
  }

  /** Gives back what is held for answers that will not be made. */
  async #giveBack(): Promise<void> {
    while (this.#spare.length >= Math.max(1, this.#answers.count)) {
      const held = this.#spare.pop();
      if (held !== undefined) await this.#deps.settle(held.turn);
    }
  }

  #tell(error: AppError, message?: Buffer): void {
    this.#caller.send(Buffer.from(JSON.stringify(this.#deps.writeError(error, message))), false);
  }

  #hear(data: Buffer): Buffer {
    this.#presence.seen(this.#upstream);
    const shown = this.#turn.turn.secrets.mask(data);
    const tapped = tapMessage(shown);
    if (tapped === undefined) return shown;
    if (tapped.begun === true) this.#begin();
    if (tapped.refused === true) {
      this.#answers.refuse();
      this.#enqueue(() => this.#giveBack());
    }
    this.#soundBytes += tapped.soundBytes ?? 0;
    this.#textBytes += tapped.textBytes ?? 0;
    if (tapped.session !== undefined) this.#context.session(tapped.session);
    this.#transcriber = tapped.session?.transcriber ?? this.#transcriber;
    const { heard, done } = tapped;
    if (heard !== undefined) {
      const { turn } = this.#turn;
      this.#enqueue(() => this.#deps.charge(turn, this.#transcriber, heard));
    }
    if (done !== undefined) {
      this.#answers.end();
      const made = this.#made(done.usage);
      // Nothing more is heard until the next answer can be paid for.
      this.#heard.pause();
      this.#enqueue(() => this.#endTurn(made));
    }
    return shown;
  }

  #begin(): void {
    this.#answers.begin();
    this.#context.begun();
    if (this.#answers.count <= 1 + this.#spare.length) return;
    this.#heard.pause();
    this.#enqueue(() => this.#holdBegun());
  }

  async #endTurn(made: Made): Promise<void> {
    const { turn } = this.#turn;
    this.#note(made);
    await this.#deps.settle(turn);
    this.#answers.close();
    if (this.#isOver) return;
    const worst = this.#context.worst();
    this.#turn = this.#spare.shift() ?? { turn: await this.#deps.next(turn, worst), worst };
    await this.#holdMore();
    this.#heard.resume();
  }

  #refuse(thrown: unknown): void {
    if (this.#isOver) return;
    const error = asAppError(thrown);
    this.#tell(error);
    this.#end(POLICY, error.reason ?? error.code);
  }

  /** What came since the last answer was over, or the first began. */
  #made(usage: Usage | undefined): Made {
    const made = { usage, soundBytes: this.#soundBytes, textBytes: this.#textBytes };
    this.#soundBytes = 0;
    this.#textBytes = 0;
    return made;
  }

  /** What this turn used: as reported, else counted. */
  #note({ usage, soundBytes, textBytes }: Made): void {
    const { meter } = this.#turn.turn;
    const isCounted = soundBytes > 0 || textBytes > 0;
    meter.finished = true;
    meter.produced = usage !== undefined || isCounted;
    if (meter.produced) meter.reported = usage ?? this.#context.counted(soundBytes, textBytes);
    this.#context.ended(usage);
  }

  #end(code: number, reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#presence.stop();
    this.#caller.close(code === 0 ? NORMAL : code, reason);
    this.#upstream.close(NORMAL, '');
    this.#enqueue(() => this.#closeHolds());
    void this.#queue.then(() => this.#resolve());
  }

  async #closeHolds(): Promise<void> {
    // What was begun and never said its usage is counted; a turn that had not begun costs nothing.
    this.#note(this.#made(undefined));
    const held = [this.#turn, ...this.#spare];
    await Promise.allSettled(held.map(({ turn }) => this.#deps.settle(turn)));
  }
}
