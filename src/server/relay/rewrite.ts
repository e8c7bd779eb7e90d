import type { ChatEvent } from '#core/chat/event.ts';
import { AppError, asAppError } from '#core/error.ts';
import type { Frame } from '../dialects/frame.ts';
import type { Answer } from './answer.ts';
import { asEgress, callerDialect } from './format.ts';
import { maskFrame } from './mask.ts';
import { noteFrame } from './meter.ts';
import type { RelayDeps } from './ports.ts';
import { brokenOff, type Checkpoint, drained, readOff, type Stream, streamHeaders } from './repeat.ts';
import { known, type Running } from './running.ts';

/** Whether what the caller gets are other bytes than what the upstream sends. */
export const isRewritten = ({ format, wire, list }: Running): boolean =>
  format.name !== wire.name || list !== undefined;

/** A whole reply in the caller's format; undefined where it is repeated as it came. */
export const convertWhole = (
  running: Running,
  { body }: Extract<Answer, { kind: 'whole' }>,
): Buffer | undefined => {
  if (running.format.name === running.wire.name) return undefined;
  const events = asEgress(running.format).readWhole(body);
  for (const event of events) if (event.type === 'error') throw event.error;
  return Buffer.from(JSON.stringify(callerDialect(running).writeWhole(events)));
};

/**
 * Gives a stream to a caller of another format, or of another framing: bytes become events and events bytes. What it
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
  const { format, wire, list } = running;
  const { reply } = running.call;
  if (!reply.started) reply.start(200, streamHeaders(running));
  const out: Buffer[] = [];
  try {
    const source = framesOf(deps, running, stream, checkpoint, out);
    const frames =
      format.name === wire.name
        ? source
        : callerDialect(running).writeStream(seenBy(running, asEgress(format).readStream(source)));
    for await (const frame of frames) {
      const bytes = list === undefined ? frame.raw : list.write(frame);
      if (bytes.length > 0) out.push(bytes);
    }
    if (list !== undefined) out.push(list.end());
    flush(running, out);
    reply.end();
  } catch (thrown) {
    stream.discard();
    throw running.stopped ?? asAppError(thrown);
  }
};

const flush = (running: Running, out: Buffer[]): void => {
  const [only] = out;
  if (only === undefined) return;
  running.isFull = !running.call.reply.write(out.length === 1 ? only : Buffer.concat(out));
  out.length = 0;
};

/** The upstream's frames, metered. Before it waits for more, what the ones before became is written. */
async function* framesOf(
  { clock }: Pick<RelayDeps, 'clock'>,
  running: Running,
  stream: Stream,
  checkpoint: Checkpoint,
  out: Buffer[],
): AsyncGenerator<Frame> {
  const { first, rest, parser } = stream;
  const { format, secret } = running;
  for (const { frame, tapped } of first) {
    yield readable(frame);
    if (tapped?.done === true) return void readOff(stream);
  }
  for (;;) {
    flush(running, out);
    if (running.isFull) await drained(running, clock.monotonic());
    const next = await rest.next();
    running.lastWriteMs = clock.monotonic();
    for (const frame of next.done === true ? parser.end() : parser.feed(next.value)) {
      maskFrame(frame, secret);
      const tapped = format.tap(frame);
      noteFrame(running.meter, frame, tapped);
      if (tapped?.error !== undefined) throw tapped.error;
      yield readable(frame);
      if (tapped?.done === true) return void readOff(stream);
    }
    if (next.done === true) {
      if (!running.meter.finished) throw brokenOff();
      return;
    }
    checkpoint(running, running.lastWriteMs);
  }
}

const readable = (frame: Frame): Frame => {
  if (frame.oversized !== true) return frame;
  throw new AppError('upstream_failed', 'the upstream sent an event that is too large to be converted');
};

/** What of the events is for this caller. An error ends the stream, told by whoever ends the call. */
async function* seenBy(running: Running, events: AsyncIterable<ChatEvent>): AsyncGenerator<ChatEvent> {
  const { wantsStreamUsage } = known(running.asked, 'read').facts;
  for await (const event of events) {
    if (event.type === 'error') throw event.error;
    if (event.type !== 'usage' || wantsStreamUsage) yield event;
  }
}
