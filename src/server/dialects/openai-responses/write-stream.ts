import type { ChatEvent } from '#core/chat/event.ts';
import { asAppError, type AppError } from '#core/error.ts';
import type { Frame } from '../frame.ts';
import type { Fields } from '../openai/fields.ts';
import { writeError } from '../openai/write-error.ts';
import { writeFrame } from '../sse.ts';
import { ReplyWriter } from './write-reply.ts';

/** Events as those of this format. The last one says the whole response again; an error ends it too. */
export async function* writeStream(events: AsyncIterable<ChatEvent>): AsyncGenerator<Frame> {
  const writer = new ReplyWriter();
  for await (const event of events) {
    if (event.type === 'error') {
      yield* writer.fail(event.error).map(frameOf);
      return;
    }
    let said: Fields[];
    try {
      said = writer.write(event);
    } catch (thrown) {
      yield* writer.fail(asAppError(thrown)).map(frameOf);
      return;
    }
    yield* said.map(frameOf);
  }
  yield* writer.end().map(frameOf);
}

/** Events as one whole response. An error among them becomes the reply. */
export const writeWhole = (events: readonly ChatEvent[]): unknown => {
  const writer = new ReplyWriter();
  for (const event of events) {
    if (event.type === 'error') return writeError(event.error, '').body;
    writer.write(event);
  }
  writer.end();
  return writer.read();
};

/** Ends a stream that was only repeated so far, so that its last number is not known. */
export const writeStreamError = (error: AppError, requestId: string): Buffer => {
  const writer = new ReplyWriter();
  const said = writer
    .fail(error, requestId)
    .filter(({ type }) => type === 'error' || type === 'response.failed');
  return Buffer.concat(said.map((event) => frameOf(event).raw));
};

const frameOf = (event: Fields): Frame => writeFrame(JSON.stringify(event), String(event['type']));
