import type { ChatEvent } from '#core/chat/event.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import { asAppError, type AppError } from '#core/error.ts';
import type { StreamWriter } from '../dialect.ts';
import type { Frame } from '../frame.ts';
import type { Fields } from '../openai/fields.ts';
import { writeError } from '../openai/write-error.ts';
import { writeFrame } from '../sse.ts';
import { echoOf } from './echo.ts';
import { freeTextTools } from '../openai/free-text.ts';
import { ReplyWriter } from './write-reply.ts';

/** Events as those of this format. The last one says the whole response again; nothing follows an error. */
export const openWriter = (asked?: ChatRequest): StreamWriter => {
  const writer = new ReplyWriter(freeTextTools(asked), echoOf(asked));
  let hasFailed = false;
  const fail = (error: AppError): Fields[] => {
    hasFailed = true;
    return writer.fail(error);
  };
  const write = (event: ChatEvent): Fields[] => {
    if (hasFailed) return [];
    if (event.type === 'error') return fail(event.error);
    try {
      return writer.write(event);
    } catch (thrown) {
      return fail(asAppError(thrown));
    }
  };
  return {
    write: (event) => write(event).map(frameOf),
    end: () => (hasFailed ? [] : writer.end().map(frameOf)),
  };
};

/** Events as one whole response. An error among them becomes the reply. */
export const writeWhole = (events: readonly ChatEvent[], asked?: ChatRequest): unknown => {
  const writer = new ReplyWriter(freeTextTools(asked), echoOf(asked));
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
