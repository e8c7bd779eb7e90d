import { CallerEvents, stopCutterFor } from './caller-events.ts';
import { afterOthers } from '#core/time/after-others.ts';
import { asAppError } from '#core/error.ts';
import type { ParsedReply, Stream } from './answer.ts';
import type { Frame } from '../../dialects/frame.ts';
import { tappedFar } from '../far/far-events.ts';
import type { SeenFar, SeenFrame } from './mask.ts';
import { asEgress, callerDialect } from '../request/format.ts';
import type { RelayDeps } from '../ports.ts';
import { type Charging, brokenOff, drained, drainRest, streamHeaders } from './repeat.ts';
import { showFirst, showPaid } from './money-end.ts';
import { Rewriter } from './rewriter.ts';
import type { Answered, ReplyContext } from '../stages.ts';
import { readToEnd } from './read-stream.ts';

/** Whether the caller gets different bytes than the upstream sends. */
export const isRewritten = ({ format, wire, live }: Answered): boolean =>
  format.name !== wire.name || live.outlet.list !== undefined;

/**
 * Converts a whole reply to the caller's format; undefined if it goes out unchanged. Throws an error found in the
 * reply, or one for content the caller's format cannot express.
 */
export const convertWhole = (
  context: ReplyContext,
  { bytes, body, meter, far }: ParsedReply,
): Buffer | undefined => {
  if (far?.refused !== undefined) throw far.refused;
  if (far !== undefined) return far.isConverted ? bytes : undefined;
  const { format, wire, translations } = context;
  if (format.name === wire.name) return undefined;
  const read = asEgress(format).readWhole(body);
  const cutter = stopCutterFor(context);
  const cut = cutter === undefined ? read : read.flatMap((event) => [...cutter.take(event)]);
  const callerEvents = new CallerEvents(context, meter);
  const events = [...cut.flatMap((event) => callerEvents.take(event)), ...callerEvents.end()];
  return Buffer.from(JSON.stringify(callerDialect(wire).writeWhole(events, translations.chatRequest)));
};

/**
 * Converts a stream to the caller's format or framing: frames become events, and events become frames. Cost is read
 * from the upstream's frames by the same tap as for unchanged streams. The output of one upstream chunk is written at
 * once; the next is read when the caller has room for it. The end is kept back until the answer is charged. Throws if
 * the stream broke off.
 */
export const rewrite = async (
  deps: Pick<RelayDeps, 'clock' | 'farThreads'>,
  answered: Answered,
  stream: Stream,
  { checkpoint, close }: Charging,
): Promise<void> => {
  const { first, parser, masking } = stream;
  const { live, call } = answered;
  const { outlet } = live;
  const { reply } = call;
  if (!reply.started) reply.start(200, streamHeaders(outlet));
  const writer = new Rewriter(answered, masking);
  outlet.writer = writer;
  const take = (piece: Buffer): boolean | Promise<boolean> => {
    outlet.lastWriteMs = deps.clock.monotonic();
    const { rolling, meter } = live;
    const isFine = rolling === undefined || rolling.look(meter) > 0;
    const rest = isFine ? writer.takeAlike(piece, parser) : piece;
    const isNear = !isFine || parser.pendingBytes + rest.length >= (rolling?.fineBytes(meter) ?? Infinity);
    const frames = parser.feed(rest);
    if (isNear && frames.length > 0) return takeSlowly(frames);
    const far = tappedFar(deps.farThreads, answered, frames);
    return far === undefined ? give(frames) : far.then((seen) => giveSlowly(frames, seen));
  };
  const takeSlowly = async (frames: readonly Frame[]): Promise<boolean> => {
    const far = await tappedFar(deps.farThreads, answered, frames);
    return showPaid(
      answered,
      frames,
      (frame) => writer.hear(frame, far),
      async (seen) => goOn(await writer.saySlowly(seen, pause)),
    );
  };
  const give = (frames: readonly Frame[]): boolean | Promise<boolean> => goOn(writer.takeFrames(frames));
  const giveSlowly = async (frames: readonly Frame[], far: SeenFar): Promise<boolean> =>
    goOn(await writer.takeFramesSlowly(frames, far, pause));
  const say = async (frames: readonly SeenFrame[]): Promise<boolean> => {
    for (const seen of frames) if (await writer.saySlowly(seen, pause)) return false;
    return true;
  };
  const pause = async (): Promise<void> => {
    writer.flush();
    await (outlet.isFull ? drained(answered) : afterOthers());
    if (live.stopped !== undefined) throw live.stopped;
  };
  const goOn = (isOver: boolean): boolean | Promise<boolean> => {
    writer.flush();
    if (isOver) return false;
    checkpoint(answered, outlet.lastWriteMs);
    return outlet.isFull ? drained(answered) : true;
  };
  try {
    const isOver = !(await showFirst(answered, first, say));
    // The upstream may be silent for long from here on, and the process may be killed: save the cost now.
    await goOn(isOver);
    const hasMore = !isOver && (await readToEnd(answered, stream, take)) !== 'taken';
    if (hasMore) await takeSlowly(parser.end());
    if (writer.isCut || live.cutBefore !== undefined) stream.discard();
    else if (!hasMore) void drainRest(stream);
    else if (!live.meter.finished) throw brokenOff();
    if (live.cutBefore === undefined) writer.end();
    else writer.endAtLimit(live.cutBefore);
  } catch (thrown) {
    // What came before the error is charged, so send it first.
    writer.flush();
    stream.discard();
    throw live.stopped ?? asAppError(thrown);
  }
  await close();
  reply.end(outlet.takeEnd());
};
