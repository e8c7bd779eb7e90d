import { AT_ONCE_MAX_BYTES } from '#core/json/bounds.ts';
import type { ChatEvent } from '#core/chat/event.ts';
import type { StopCutter } from '#core/chat/stop-cutter.ts';
import { AppError } from '#core/error.ts';
import type { StreamReader, StreamWriter, Tapped } from '../../dialects/dialect.ts';
import type { Frame } from '../../dialects/frame.ts';
import type { SseParser } from '../../dialects/sse.ts';
import { type Masking, type SeenFrame, type SeenFar, maskAndTap } from './mask.ts';
import { stopCutterFor, CallerEvents } from './caller-events.ts';
import { asEgress, callerDialect } from '../request/format.ts';
import { isExcused, noteFrame } from '../bill/meter.ts';
import { chargedUsage, limitFrames } from './money-end.ts';
import { wordsIn } from './repeat.ts';
import type { Answered } from '../stages.ts';
import { type LargePicture, largePicture } from './picture-pieces.ts';
import { inShortPieces } from './short-pieces.ts';
import { TextRun } from './text-run.ts';

type TextDelta = Extract<ChatEvent, { type: 'text-delta' }>;

/** The reader and writer of a conversion between two formats. */
interface Formats {
  readonly reader: StreamReader;
  readonly writer: StreamWriter;
  /** Undefined if every frame has to be parsed. */
  readonly run: TextRun | undefined;
}

/** Lets other work run; what was written so far is sent meanwhile. */
type Pause = () => Promise<void>;

/** Converts one stream from one format or framing to another. */
export class Rewriter {
  readonly #answered: Answered;
  readonly #masking: Masking;
  readonly #showsUsage: boolean;
  /** Undefined if only the framing differs. */
  readonly #formats: Formats | undefined;
  readonly #cutter: StopCutter | undefined;
  readonly #callerEvents: CallerEvents;
  #out: Buffer[] = [];

  constructor(answered: Answered, masking: Masking) {
    this.#answered = answered;
    this.#masking = masking;
    this.#callerEvents = new CallerEvents(answered, answered.live.meter);
    this.#showsUsage = answered.request.facts.wantsStreamUsage;
    if (answered.format.name === answered.wire.name) return;
    this.#cutter = stopCutterFor(answered);
    this.#formats = openFormats(answered, masking, this.#cutter === undefined);
  }

  /** Whether a stop sequence ended the answer before the upstream did. */
  get isCut(): boolean {
    return this.#cutter?.hasCut === true;
  }

  /** Takes the beginning of a chunk that need not be parsed, as far as it is surely paid; returns the rest. */
  takeAlike(piece: Buffer, parser: SseParser): Buffer {
    const from = parser.isBetweenEvents ? this.#takeAlike(piece) : 0;
    return from === 0 ? piece : piece.subarray(from);
  }

  /** Reads frames; `far` has those another thread has processed. Returns true after the stream's own end mark. */
  takeFrames(frames: readonly Frame[], far?: SeenFar): boolean {
    for (const came of frames) {
      if (came.oversized !== true && this.#takeAlike(came.raw) > 0) continue;
      if (this.say(this.hear(came, far))) return true;
    }
    return false;
  }

  /** Masks, taps and counts one frame. */
  hear(came: Frame, far?: SeenFar): SeenFrame {
    const { format, live } = this.#answered;
    if (came.oversized === true) {
      noteFrame(live.meter, came, undefined);
      throw tooLargeToConvert();
    }
    const { frame, tapped } = far?.get(came) ?? maskAndTap(came, format, this.#masking);
    noteFrame(live.meter, frame, tapped);
    if (tapped?.error !== undefined && !isExcused(tapped, live.meter)) throw tapped.error;
    return { frame, tapped };
  }

  /** Like `takeFrames`, but uses `saySlowly` for large frames. */
  async takeFramesSlowly(frames: readonly Frame[], far: SeenFar, pause: Pause): Promise<boolean> {
    for (const came of frames) {
      const isOver = far.has(came)
        ? await this.saySlowly(this.hear(came, far), pause)
        : this.takeFrames([came]);
      if (isOver) return true;
    }
    return false;
  }

  /** Like `say`, for a frame that may be large: a long text is written in pieces, with a pause before each. */
  async saySlowly(seen: SeenFrame, pause: Pause): Promise<boolean> {
    const { frame, tapped } = seen;
    if (this.#formats === undefined || frame.raw.length <= AT_ONCE_MAX_BYTES || frame.oversized === true)
      return this.say(seen);
    const { reader, writer, run } = this.#formats;
    run?.forget();
    await pause();
    for (const event of reader.read(frame)) {
      const picture = largePicture(event, this.#answered.wire.name);
      if (picture !== undefined) {
        await this.#sayPicture(writer, picture, pause);
        continue;
      }
      for (const piece of inShortPieces(event)) {
        await pause();
        this.#sayAll(writer, [piece]);
      }
    }
    return tapped?.done === true || this.isCut;
  }

  /** Writes the bytes in steps, but sends the frame whole, so that no error appears inside it. */
  async #sayPicture(
    writer: StreamWriter,
    { around, pieces, join }: LargePicture,
    pause: Pause,
  ): Promise<void> {
    const made: Buffer[] = [];
    for (const piece of pieces()) {
      made.push(piece);
      await pause();
    }
    const before = this.#out;
    this.#out = [];
    this.#sayAll(writer, [around]);
    this.#out = [...before, ...this.#out.flatMap((bytes) => join(bytes, made) ?? [bytes])];
  }

  say({ frame, tapped }: SeenFrame): boolean {
    if (frame.oversized === true) throw tooLargeToConvert();
    if (this.#formats === undefined) this.#put(frame);
    else this.#convert(this.#formats, frame, tapped);
    return tapped?.done === true || this.isCut;
  }

  /** Ends every answer as if it had reached its maximum length; `next` is not shown. */
  endAtLimit(next: Frame): void {
    const { live } = this.#answered;
    this.flush();
    if (this.#formats === undefined) for (const frame of limitFrames(this.#answered, next)) this.#put(frame);
    else {
      const usage = chargedUsage(this.#answered);
      const isCut = true;
      const events = this.#callerEvents.end(isCut, 'length');
      this.#endAll(
        this.#formats.writer,
        events.map((event) => (event.type === 'usage' && usage ? { ...event, usage } : event)),
      );
    }
    if (live.outlet.list !== undefined) this.#out.push(live.outlet.list.end());
    const end = this.#taken();
    if (end !== undefined) live.outlet.keepEnd(end);
  }

  /** Writes what is left, but keeps back the bytes that end the answer. */
  end(): void {
    const { outlet } = this.#answered.live;
    const { list } = outlet;
    this.flush();
    if (this.#formats !== undefined) {
      const { reader, writer } = this.#formats;
      // We stop this upstream, so it reports no usage; the text received is counted instead.
      if (this.isCut) this.#answered.live.meter.finished = true;
      else this.#sayAll(writer, reader.end());
      this.#endAll(writer, this.#callerEvents.end(this.isCut));
    }
    if (list !== undefined) this.#out.push(list.end());
    const end = this.#taken();
    if (end !== undefined) outlet.keepEnd(end);
  }

  /**
   * The bytes that end a failed stream: the usage so far, if the caller wants it, and the error. Undefined if only the
   * framing differs.
   */
  fail(error: AppError, requestId: string): Buffer | undefined {
    if (this.#formats === undefined) return undefined;
    const { writer } = this.#formats;
    const usage = this.#showsUsage ? this.#callerEvents.usage() : [];
    const events: ChatEvent[] = [...usage, { type: 'error', error, requestId }];
    const frames = [...events.flatMap((event) => [...writer.write(event)]), ...writer.end()];
    return Buffer.concat(frames.map(({ raw }) => raw));
  }

  flush(): void {
    const { outlet } = this.#answered.live;
    // Joining the pieces of a large picture would copy it once more.
    if (this.#out.some(({ length }) => length > AT_ONCE_MAX_BYTES)) {
      for (const bytes of this.#out) outlet.write(bytes);
      this.#out = [];
    }
    const bytes = this.#taken();
    if (bytes !== undefined) outlet.write(bytes);
  }

  /** Returns the bytes written since the last call. */
  #taken(): Buffer | undefined {
    const [only] = this.#out;
    if (only === undefined) return undefined;
    const bytes = this.#out.length === 1 ? only : Buffer.concat(this.#out);
    this.#out = [];
    return bytes;
  }

  /** Takes consecutive events that differ from the last one only in their text; returns where they end. */
  #takeAlike(bytes: Buffer): number {
    const { run, writer } = this.#formats ?? {};
    if (run === undefined) return 0;
    const { meter, rolling } = this.#answered.live;
    let from = 0;
    for (;;) {
      const end = run.find(bytes, from, rolling?.fineBytes(meter));
      if (end === -1) return from;
      this.#out.push(run.write(bytes));
      meter.produced = true;
      meter.outputBytes += run.outputBytes;
      writer?.noteText?.(run.characters);
      from = end;
    }
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
   * Sends the events this caller gets. Throws an error event; whoever ends the call reports it.
   * @returns the written frame, if one event became one frame
   */
  #sayAll(writer: StreamWriter, read: readonly ChatEvent[]): Frame | undefined {
    const cutter = this.#cutter;
    const events = cutter === undefined ? read : read.flatMap((event) => [...cutter.take(event)]);
    let only: Frame | undefined;
    for (const event of events) {
      const frames = this.#writeAll(writer, this.#callerEvents.take(event));
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

  #endAll(writer: StreamWriter, events: readonly ChatEvent[]): void {
    this.#writeAll(writer, events);
    for (const frame of writer.end()) this.#put(frame);
  }

  #put(frame: Frame): void {
    const refusal = wordsIn(this.#answered, frame);
    if (refusal !== undefined) throw refusal;
    const { list } = this.#answered.live.outlet;
    const bytes = list === undefined ? frame.raw : list.write(frame);
    if (bytes.length > 0) this.#out.push(bytes);
  }
}

/** Checked before the frame is searched for keys, because that takes long and the frame is not sent anyway. */
const tooLargeToConvert = (): AppError =>
  new AppError('upstream_failed', 'the upstream sent an event that is too large to be converted');

/** Checking words, another framing and stop sequences all need every event. */
const openFormats = (answered: Answered, masking: Masking, isUncut: boolean): Formats => {
  const { format, wire, translations, checkReply, live } = answered;
  const reader = asEgress(format).openReader();
  const writer = callerDialect(wire).openWriter(translations.chatRequest);
  const canRun = reader.hasUniformDeltas === true && writer.noteText !== undefined;
  const isPlain = isUncut && checkReply === undefined && live.outlet.list === undefined;
  return { reader, writer, run: canRun && isPlain ? new TextRun(masking) : undefined };
};

/** Whether an event only adds text to the first answer, and its frame says nothing else. */
const isTextAlone = (event: ChatEvent, tapped: Tapped | undefined): event is TextDelta =>
  event.type === 'text-delta' &&
  event.choice === 0 &&
  hasNothingElse(event, 3) &&
  tapped?.outputBytes === Buffer.byteLength(event.text) &&
  hasNothingElse(tapped, 2);

const hasNothingElse = (value: object, count: number): boolean => Object.keys(value).length === count;
