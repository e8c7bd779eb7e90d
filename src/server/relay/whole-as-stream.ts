import type { ChatEvent } from '#core/chat/event.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { Frame } from '../dialects/frame.ts';

/** A whole reply as the events of a stream, for upstreams that do not stream although they were asked to. */
export const wholeAsStream = async (dialect: Dialect, body: unknown): Promise<Frame[]> => {
  const frames: Frame[] = [];
  for await (const frame of dialect.writeStream(oneByOne(dialect.readWhole(body)))) frames.push(frame);
  return frames;
};

async function* oneByOne(events: readonly ChatEvent[]): AsyncGenerator<ChatEvent> {
  yield* events;
}
