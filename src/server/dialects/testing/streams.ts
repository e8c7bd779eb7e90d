import type { ChatEvent } from '#core/chat/event.ts';
import type { Dialect, Egress } from '../dialect.ts';
import type { Frame } from '../frame.ts';
import { SseParser } from '../sse.ts';

/** The events that a format reads from these frames. */
export async function* readStream(
  { openReader }: Pick<Egress, 'openReader'>,
  frames: Iterable<Frame> | AsyncIterable<Frame>,
): AsyncGenerator<ChatEvent> {
  const reader = openReader();
  for await (const frame of frames) yield* reader.read(frame);
  yield* reader.end();
}

/** The frames in which a format writes these events; nothing follows an error. */
export async function* writeStream(
  { openWriter }: Pick<Dialect, 'openWriter'>,
  events: Iterable<ChatEvent> | AsyncIterable<ChatEvent>,
): AsyncGenerator<Frame> {
  const writer = openWriter();
  for await (const event of events) {
    yield* writer.write(event);
    if (event.type === 'error') break;
  }
  yield* writer.end();
}

/** A body that arrives in these pieces. */
export async function* inPieces(pieces: Iterable<Buffer>): AsyncGenerator<Buffer> {
  yield* pieces;
}

/** The frames of an event stream that arrives in these pieces. */
export const framesOf = (pieces: readonly Buffer[]): Frame[] => {
  const parser = new SseParser();
  return [...pieces.flatMap((piece) => parser.feed(piece)), ...parser.end()];
};
