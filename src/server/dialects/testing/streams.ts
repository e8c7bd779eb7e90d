import type { ChatEvent } from '#core/chat/event.ts';
import type { Dialect, Egress } from '../dialect.ts';
import type { Frame } from '../frame.ts';

/** The events that a format reads from these frames. */
export async function* readStream(
  { openReader }: Pick<Egress, 'openReader'>,
  frames: AsyncIterable<Frame>,
): AsyncGenerator<ChatEvent> {
  const reader = openReader();
  for await (const frame of frames) yield* reader.read(frame);
  yield* reader.end();
}

/** The frames in which a format writes these events; nothing follows an error. */
export async function* writeStream(
  { openWriter }: Pick<Dialect, 'openWriter'>,
  events: AsyncIterable<ChatEvent>,
): AsyncGenerator<Frame> {
  const writer = openWriter();
  for await (const event of events) {
    yield* writer.write(event);
    if (event.type === 'error') break;
  }
  yield* writer.end();
}
