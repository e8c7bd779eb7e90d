import { HeardAnswer } from './heard-answer.ts';
import { asAppError } from '#core/error.ts';
import type { Answer } from './answer.ts';
import { cutterOf } from './cutter-of.ts';
import { asEgress, callerDialect } from './format.ts';
import type { RelayDeps } from './ports.ts';
import { brokenOff, type Checkpoint, drained, readOff, type Stream, streamHeaders } from './repeat.ts';
import { Rewriter } from './rewriter.ts';
import type { Running } from './running.ts';
import { toTheEnd } from './to-the-end.ts';

/** Whether what the caller gets are other bytes than what the upstream sends. */
export const isRewritten = ({ format, wire, outlet }: Running): boolean =>
  format.name !== wire.name || outlet.list !== undefined;

/** A whole reply in the caller's format; undefined where it is repeated as it came. */
export const convertWhole = (
  running: Running,
  { body, meter }: Extract<Answer, { kind: 'whole' }>,
): Buffer | undefined => {
  if (running.format.name === running.wire.name) return undefined;
  const read = asEgress(running.format).readWhole(body);
  const cutter = cutterOf(running);
  const cut = cutter === undefined ? read : read.flatMap((event) => [...cutter.take(event)]);
  const heard = new HeardAnswer(running, meter);
  const events = [...cut.flatMap((event) => heard.take(event)), ...heard.end()];
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
  const { first, parser } = stream;
  const { outlet } = running;
  const { reply } = running.call;
  if (!reply.started) reply.start(200, streamHeaders(running));
  const writer = new Rewriter(running);
  outlet.writer = writer;
  const take = (piece: Buffer): boolean | Promise<boolean> => {
    outlet.lastWriteMs = deps.clock.monotonic();
    const isOver = writer.take(piece, parser);
    writer.flush();
    if (isOver) return false;
    checkpoint(running, outlet.lastWriteMs);
    return outlet.isFull ? drained(running) : true;
  };
  try {
    const isOver = first.some((seen) => writer.say(seen));
    writer.flush();
    if (!isOver && outlet.isFull) await drained(running);
    const hasMore = !isOver && (await toTheEnd(running, stream, take)) !== 'taken';
    if (writer.isCut) stream.discard();
    else if (!hasMore) void readOff(stream);
    else {
      writer.takeFrames(parser.end());
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
