import { type AppError, asAppError } from '#core/error.ts';
import type { Usage } from '#core/chat/usage.ts';
import type { MessageSocket } from '#core/message-socket.ts';
import { countedUsage, tapMessage } from '../../dialects/openai-realtime/openai-realtime.ts';
import { mask } from '../mask.ts';
import type { Running } from '../running.ts';
import { pipe } from './pipe.ts';

export interface ConversationDeps {
  /** Closes a turn's hold: charged what its meter says, or given back. */
  readonly settle: (turn: Running) => Promise<void>;
  /** The next turn, held. Throws where it cannot be paid. */
  readonly next: (turn: Running, used: Usage | undefined) => Promise<Running>;
  /** Charges what another model wrote down of the caller's words. */
  readonly charge: (turn: Running, model: string | undefined, used: Usage) => Promise<void>;
  readonly writeError: (error: AppError) => unknown;
}

const NORMAL = 1000;
const GOING_AWAY = 1001;
const POLICY = 1008;

/**
 * Two WebSockets joined. Each answer is charged as it ends, and the next one is held before the upstream is heard
 * again: where that cannot be paid, the caller is told and both sides are closed. Runs once.
 */
export class Conversation {
  readonly #deps: ConversationDeps;
  readonly #caller: MessageSocket;
  readonly #upstream: MessageSocket;
  #turn: Running;
  #before: Usage | undefined;
  /** The model that writes down what the caller says. */
  #transcriber: string | undefined;
  #soundSeconds = 0;
  #textBytes = 0;
  #isOver = false;
  /** Turns end one after the other. */
  #queue: Promise<void> = Promise.resolve();
  #resolve: () => void = () => undefined;
  readonly ended = new Promise<void>((resolve) => {
    this.#resolve = resolve;
  });

  constructor(deps: ConversationDeps, caller: MessageSocket, upstream: MessageSocket, turn: Running) {
    this.#deps = deps;
    this.#caller = caller;
    this.#upstream = upstream;
    this.#turn = turn;
    pipe(caller, upstream, (data) => data);
    pipe(upstream, caller, (data, isBinary) => this.#heard(data, isBinary));
    caller.onClose = (code, reason) => this.#end(code, reason);
    upstream.onClose = (code, reason) => this.#end(code, reason);
    upstream.resume();
    caller.resume();
  }

  /** The server stops: both sides are told. */
  stop(): void {
    this.#end(GOING_AWAY, 'the server is restarting');
  }

  #heard(data: Buffer, isBinary: boolean): Buffer {
    const shown = mask(data, this.#turn.secret);
    const tapped = isBinary ? undefined : tapMessage(shown);
    if (tapped === undefined) return shown;
    this.#soundSeconds += tapped.soundSeconds ?? 0;
    this.#textBytes += tapped.textBytes ?? 0;
    this.#transcriber = tapped.transcriber ?? this.#transcriber;
    const { heard } = tapped;
    if (heard !== undefined) {
      const turn = this.#turn;
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
    const turn = this.#turn;
    this.#note(usage);
    await this.#deps.settle(turn);
    if (this.#isOver) return;
    try {
      this.#turn = await this.#deps.next(turn, this.#before);
      this.#upstream.resume();
    } catch (thrown) {
      const error = asAppError(thrown);
      const said = Buffer.from(JSON.stringify(this.#deps.writeError(error)));
      this.#caller.send(said, false);
      this.#end(POLICY, error.reason ?? error.code);
    }
  }

  /** What this turn used: as reported, else counted. */
  #note(usage: Usage | undefined): void {
    const { meter } = this.#turn;
    const isCounted = this.#soundSeconds > 0 || this.#textBytes > 0;
    meter.finished = true;
    meter.produced = usage !== undefined || isCounted;
    if (meter.produced)
      meter.reported = usage ?? countedUsage(this.#soundSeconds, this.#textBytes, this.#before);
    this.#before = usage ?? this.#before;
    this.#soundSeconds = 0;
    this.#textBytes = 0;
  }

  #end(code: number, reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#caller.close(code === 0 ? NORMAL : code, reason);
    this.#upstream.close(NORMAL, '');
    void this.#queue.then(async () => {
      // What was begun and never said its usage is counted; a turn that had not begun costs nothing.
      this.#note(undefined);
      await this.#deps.settle(this.#turn);
      this.#resolve();
    });
  }
}
