import type { ChatEvent } from '#core/chat/event.ts';
import { StopCutter } from '#core/chat/stop-cutter.ts';
import { AppError, asAppError } from '#core/error.ts';
import type { StreamReader, StreamWriter } from '../dialects/dialect.ts';
import type { Frame } from '../dialects/frame.ts';
import type { Answer, SeenFrame } from './answer.ts';
import { eachPiece } from './each-piece.ts';
import { asEgress, callerDialect } from './format.ts';
import { maskFrame } from './mask.ts';
import { chargeOf, noteFrame } from './meter.ts';
import type { RelayDeps } from './ports.ts';
import {
  brokenOff,
  type Checkpoint,
  drained,
  readOff,
  type Stream,
  streamHeaders,
  wordsIn,
} from './repeat.ts';
import { known, type Running } from './running.ts';

/** Whether what the caller gets are other bytes than what the upstream sends. */
export const isRewritten = ({ format, wire, outlet }: Running): boolean =>
  format.name !== wire.name || outlet.list !== undefined;

/** A whole reply in the caller's format; undefined where it is repeated as it came. */
export const convertWhole = (
  running: Running,
  { body }: Extract<Answer, { kind: 'whole' }>,
): Buffer | undefined => {
  if (running.format.name === running.wire.name) return undefined;
  const read = asEgress(running.format).readWhole(body);
  const cutter = cutterOf(running);
  const cut = cutter === undefined ? read : read.flatMap((event) => [...cutter.take(event)]);
  const events = cut.map((event) => named(event, running));
  for (const event of events) if (event.type === 'error') throw event.error;
  return Buffer.from(JSON.stringify(callerDialect(running).writeWhole(events, running.chatRequest)));
};

/**
 * Gives a stream to a caller of another format, or of another framing: frames become events and events frames. What it
 * costs is read from what the upstream sends, by the same tap as where bytes are repeated. Everything one piece of the
 * upstream's stream comes out as is written at once; the next piece is not read before the caller has room for it.
 * Throws what ended the stream before its end.
 */
export const rewrite = async (
  deps: Pick<RelayDeps, 'clock'>,
  running: Running,
  stream: Stream,
  checkpoint: Checkpoint,
): Promise<void> => {
  const { first, rest, parser } = stream;
  const { outlet } = running;
  const { reply } = running.call;
  if (!reply.started) reply.start(200, streamHeaders(running));
  const writer = new Rewriter(running);
  const take = (piece: Buffer): boolean | Promise<boolean> => {
    outlet.lastWriteMs = deps.clock.monotonic();
    const isOver = writer.take(parser.feed(piece));
    writer.flush();
    if (isOver) return false;
    checkpoint(running, outlet.lastWriteMs);
    return outlet.isFull ? drained(running, outlet.lastWriteMs) : true;
  };
  try {
    const isOver = first.some((seen) => writer.say(seen));
    writer.flush();
    if (!isOver && outlet.isFull) await drained(running, deps.clock.monotonic());
    const hasMore = !isOver && (await eachPiece(rest, take));
    if (writer.isCut) stream.discard();
    else if (!hasMore) void readOff(stream);
    else {
      writer.take(parser.end());
      if (!running.meter.finished) throw brokenOff();
    }
    writer.end();
    reply.end();
  } catch (thrown) {
    // What came before it is charged, and told.
    writer.flush();
    stream.discard();
    throw running.stopped ?? asAppError(thrown);
  }
};

/** A reply begins with its name, its model and its time; where the upstream left one out, ours stands there. */
const named = (event: ChatEvent, { call, asked, createdAtMs }: Running): ChatEvent => {
  if (event.type !== 'start') return event;
  return {
    ...event,
    id: event.id === '' ? call.requestId : event.id,
    model: event.model === '' ? known(asked, 'read').facts.model : event.model,
    createdAtMs: event.createdAtMs ?? createdAtMs,
  };
};

/** What ends the answer at the caller's stop sequences, where its upstream does not. */
const cutterOf = ({ format, chatRequest }: Running): StopCutter | undefined => {
  const stops = chatRequest?.stop ?? [];
  return stops.length > 0 && asEgress(format).hasNoStops === true ? new StopCutter(stops) : undefined;
};

/** One stream on its way from one format or framing to another. */
class Rewriter {
  readonly #running: Running;
  readonly #secret: Buffer;
  readonly #showsUsage: boolean;
  /** Undefined where only the framing is another. */
  readonly #formats: { readonly reader: StreamReader; readonly writer: StreamWriter } | undefined;
  readonly #cutter: StopCutter | undefined;
  #out: Buffer[] = [];

  constructor(running: Running) {
    const { format, wire } = running;
    this.#running = running;
    this.#secret = running.secret;
    this.#showsUsage = known(running.asked, 'read').facts.wantsStreamUsage;
    if (format.name !== wire.name) {
      this.#cutter = cutterOf(running);
      this.#formats = {
        reader: asEgress(format).openReader(),
        writer: callerDialect(running).openWriter(running.chatRequest),
      };
    }
  }

  /** A stop sequence ended the answer, which its upstream would go on with. */
  get isCut(): boolean {
    return this.#cutter?.hasCut === true;
  }

  /** Reads these frames, for the caller and for the meter. True after the stream's own end mark. */
  take(frames: readonly Frame[]): boolean {
    const { format, meter } = this.#running;
    for (const frame of frames) {
      maskFrame(frame, this.#secret);
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
    else this.#sayAll(this.#formats.reader.read(frame));
    return tapped?.done === true || this.isCut;
  }

  /** Writes what is left to say. */
  end(): void {
    const { list } = this.#running.outlet;
    if (this.#formats !== undefined) {
      if (this.isCut) this.#tellCutUsage();
      else this.#sayAll(this.#formats.reader.end());
      for (const frame of this.#formats.writer.end()) this.#put(frame);
    }
    if (list !== undefined) this.#out.push(list.end());
    this.flush();
  }

  /** An upstream that is stopped tells no usage: what came is counted, for the caller as for its bill. */
  #tellCutUsage(): void {
    const { meter, asked } = this.#running;
    meter.finished = true;
    const charge = chargeOf(meter, known(asked, 'read').facts.inputTokensEstimate);
    if (charge.action === 'settle') this.#sayAll([{ type: 'usage', usage: charge.usage }]);
  }

  flush(): void {
    const [only] = this.#out;
    if (only === undefined) return;
    const bytes = this.#out.length === 1 ? only : Buffer.concat(this.#out);
    this.#out = [];
    this.#running.outlet.write(bytes);
  }

  /** What of the events is for this caller. An error ends the stream, told by whoever ends the call. */
  #sayAll(read: readonly ChatEvent[]): void {
    const cutter = this.#cutter;
    const events = cutter === undefined ? read : read.flatMap((event) => [...cutter.take(event)]);
    for (const event of events) {
      if (event.type === 'error') throw event.error;
      if (event.type === 'usage' && !this.#showsUsage) continue;
      const told = named(event, this.#running);
      for (const frame of this.#formats?.writer.write(told) ?? []) this.#put(frame);
    }
  }

  #put(frame: Frame): void {
    const refusal = wordsIn(this.#running, frame);
    if (refusal !== undefined) throw refusal;
    const { list } = this.#running.outlet;
    const bytes = list === undefined ? frame.raw : list.write(frame);
    if (bytes.length > 0) this.#out.push(bytes);
  }
}
