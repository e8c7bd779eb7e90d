import type { ChatEvent } from '#core/chat/event.ts';
import type { StopCutter } from '#core/chat/stop-cutter.ts';
import { AppError } from '#core/error.ts';
import type { StreamReader, StreamWriter, Tapped } from '../dialects/dialect.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Frame } from '../dialects/frame.ts';
import type { SseParser } from '../dialects/sse.ts';
import type { SeenFrame } from './answer.ts';
import { cutterOf } from './cutter-of.ts';
import { asEgress, callerDialect } from './format.ts';
import { HeardAnswer } from './heard-answer.ts';
import { maskFrame } from './mask.ts';
import { noteFrame } from './meter.ts';
import { wordsIn } from './repeat.ts';
import { known, type Running } from './running.ts';
import { TextRun } from './text-run.ts';

type TextDelta = Extract<ChatEvent, { type: 'text-delta' }>;

/** Between two formats. */
interface Formats {
  readonly reader: StreamReader;
  readonly writer: StreamWriter;
  /** Undefined where every frame has to be read. */
  readonly run: TextRun | undefined;
}

/** One stream on its way from one format or framing to another. */
export class Rewriter {
  readonly #running: Running;
  readonly #secrets: Secrets;
  readonly #showsUsage: boolean;
  /** Undefined where only the framing is another. */
  readonly #formats: Formats | undefined;
  readonly #cutter: StopCutter | undefined;
  readonly #heard: HeardAnswer;
  #out: Buffer[] = [];

  constructor(running: Running) {
    this.#running = running;
    this.#secrets = running.secrets;
    this.#heard = new HeardAnswer(running, running.meter);
    this.#showsUsage = known(running.asked, 'read').facts.wantsStreamUsage;
    if (running.format.name === running.wire.name) return;
    this.#cutter = cutterOf(running);
    this.#formats = openFormats(running, this.#secrets, this.#cutter === undefined);
  }

  /** A stop sequence ended the answer, which its upstream would go on with. */
  get isCut(): boolean {
    return this.#cutter?.hasCut === true;
  }

  /** Reads what has come, for the caller and for the meter. True after the stream's own end mark. */
  take(piece: Buffer, parser: SseParser): boolean {
    const from = parser.isBetweenEvents ? this.#takeAlike(piece) : 0;
    return from < piece.length && this.takeFrames(parser.feed(from === 0 ? piece : piece.subarray(from)));
  }

  /** The same, of what is in frames already. */
  takeFrames(frames: readonly Frame[]): boolean {
    const { format, meter } = this.#running;
    for (const frame of frames) {
      if (frame.oversized !== true && this.#takeAlike(frame.raw) > 0) continue;
      maskFrame(frame, this.#secrets);
      const tapped = format.tap(frame);
      noteFrame(meter, frame, tapped);
      if (tapped?.error !== undefined) throw tapped.error;
      if (this.say({ frame, tapped })) return true;
    }
    return false;
  }

  say({ frame, tapped }: SeenFrame): boolean {
    if (frame.oversized === true)
      throw new AppError('upstream_failed', 'the upstream sent an event that is too large to be converted');
    if (this.#formats === undefined) this.#put(frame);
    else this.#convert(this.#formats, frame, tapped);
    return tapped?.done === true || this.isCut;
  }

  /** Writes what is left to say. */
  end(): void {
    const { list } = this.#running.outlet;
    if (this.#formats !== undefined) {
      const { reader, writer } = this.#formats;
      // An upstream that is stopped tells no usage: what came is counted.
      if (this.isCut) this.#running.meter.finished = true;
      else this.#sayAll(writer, reader.end());
      this.#writeAll(writer, this.#heard.end(this.isCut));
      for (const frame of writer.end()) this.#put(frame);
    }
    if (list !== undefined) this.#out.push(list.end());
    this.flush();
  }

  /**
   * What ends the stream where it fails: what it cost so far, where the caller wants to know, and the error, as what was
   * written before goes on. Undefined where only the framing is another.
   */
  fail(error: AppError, requestId: string): Buffer | undefined {
    if (this.#formats === undefined) return undefined;
    const { writer } = this.#formats;
    const usage = this.#showsUsage ? this.#heard.usage() : [];
    const events: ChatEvent[] = [...usage, { type: 'error', error, requestId }];
    const frames = [...events.flatMap((event) => [...writer.write(event)]), ...writer.end()];
    return Buffer.concat(frames.map(({ raw }) => raw));
  }

  flush(): void {
    const [only] = this.#out;
    if (only === undefined) return;
    const bytes = this.#out.length === 1 ? only : Buffer.concat(this.#out);
    this.#out = [];
    this.#running.outlet.write(bytes);
  }

  /** Takes as many whole events as there are that say a text just as the one before did; says where they end. */
  #takeAlike(bytes: Buffer): number {
    const { run, writer } = this.#formats ?? {};
    if (run === undefined) return 0;
    const { meter } = this.#running;
    let from = 0;
    for (let end = run.find(bytes, 0); end !== -1; end = run.find(bytes, from)) {
      this.#out.push(run.write(bytes));
      meter.produced = true;
      meter.outputBytes += run.outputBytes;
      writer?.noteText?.(run.characters);
      from = end;
    }
    return from;
  }

  #convert({ reader, writer, run }: Formats, frame: Frame, tapped: Tapped | undefined): void {
    const events = reader.read(frame);
    const written = this.#sayAll(writer, events);
    const [event] = events;
    if (event !== undefined && written !== undefined && isTextAlone(event, tapped))
      run?.learn(frame, event.text, written);
    else run?.forget();
  }

  /**
   * What of the events is for this caller. An error ends the stream, told by whoever ends the call.
   * @returns the frame of an event that was the only one, as was its frame
   */
  #sayAll(writer: StreamWriter, read: readonly ChatEvent[]): Frame | undefined {
    const cutter = this.#cutter;
    const events = cutter === undefined ? read : read.flatMap((event) => [...cutter.take(event)]);
    let only: Frame | undefined;
    for (const said of events) {
      const frames = this.#writeAll(writer, this.#heard.take(said));
      if (events.length === 1 && frames.length === 1) only = frames[0];
    }
    return only;
  }

  #writeAll(writer: StreamWriter, events: readonly ChatEvent[]): readonly Frame[] {
    const frames = events.flatMap((event) =>
      event.type === 'usage' && !this.#showsUsage ? [] : [...writer.write(event)],
    );
    for (const frame of frames) this.#put(frame);
    return frames;
  }

  #put(frame: Frame): void {
    const refusal = wordsIn(this.#running, frame);
    if (refusal !== undefined) throw refusal;
    const { list } = this.#running.outlet;
    const bytes = list === undefined ? frame.raw : list.write(frame);
    if (bytes.length > 0) this.#out.push(bytes);
  }
}

/** Words that are looked for in every event, a framing of its own and stop sequences need each event. */
const openFormats = (running: Running, secrets: Secrets, isUncut: boolean): Formats => {
  const reader = asEgress(running.format).openReader();
  const writer = callerDialect(running).openWriter(running.chatRequest);
  const canRun = reader.saysAlike === true && writer.noteText !== undefined;
  const isPlain = isUncut && running.checkReply === undefined && running.outlet.list === undefined;
  return { reader, writer, run: canRun && isPlain ? new TextRun(secrets) : undefined };
};

/** Whether an event is a piece of the first answer's text and no more, and its frame told no more than that. */
const isTextAlone = (event: ChatEvent, tapped: Tapped | undefined): event is TextDelta =>
  event.type === 'text-delta' &&
  event.choice === 0 &&
  hasNothingElse(event, 3) &&
  tapped?.outputBytes === Buffer.byteLength(event.text) &&
  hasNothingElse(tapped, 2);

const hasNothingElse = (value: object, count: number): boolean => Object.keys(value).length === count;
