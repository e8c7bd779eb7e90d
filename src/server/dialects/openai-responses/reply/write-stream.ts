import type { ChatEvent } from '#core/chat/event.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import { asAppError, type AppError } from '#core/error.ts';
import type { CutStream } from '../../ends/cut-stream.ts';
import type { PassedStream, StreamWriter } from '../../dialect.ts';
import type { Frame } from '../../frame.ts';
import { isFields, parsedFields, type Fields } from '#core/json/fields.ts';
import { writeError } from '../../openai/write-error.ts';
import { writeFrame } from '../../sse.ts';
import { echoOf } from './echo.ts';
import { freeTextTools, NO_TOOLS } from '../../openai/tools/free-text.ts';
import type { Begun } from './response-head.ts';
import { ReplyWriter } from './write-reply.ts';

/** Writes events as a stream. The last one repeats the whole response; nothing follows an error. */
export const openWriter = (asked?: ChatRequest): StreamWriter => {
  const writer = new ReplyWriter(freeTextTools(asked), echoOf(asked));
  let hasFailed = false;
  const fail = (error: AppError, requestId?: string): Fields[] => {
    hasFailed = true;
    return writer.fail(error, requestId);
  };
  const write = (event: ChatEvent): Fields[] => {
    if (hasFailed) return [];
    if (event.type === 'error') return fail(event.error, event.requestId);
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

/** Writes events as one whole response. An error among them becomes the reply. */
export const writeWhole = (events: readonly ChatEvent[], asked?: ChatRequest): unknown => {
  const writer = new ReplyWriter(freeTextTools(asked), echoOf(asked));
  for (const event of events) {
    if (event.type === 'error') return writeError(event.error, '').body;
    writer.write(event);
  }
  writer.end();
  return writer.read();
};

/**
 * Ends a stream that was passed through so far: the upstream's response fails, the sequence numbers continue, and it
 * repeats its items if they were collected.
 */
export const writeStreamError = (error: AppError, requestId: string, passed?: PassedStream): Buffer => {
  const begun = begunIn(passed);
  const writer = new ReplyWriter(NO_TOOLS, {}, begun && { ...begun, items: passed?.items ?? [] });
  const isBegun = (passed?.first.length ?? 0) > 0;
  const events = writer
    .fail(error, requestId)
    .filter(({ type }) => !isBegun || type === 'error' || type === 'response.failed');
  return Buffer.concat(events.map((event) => frameOf(event).raw));
};

/**
 * Ends a stream that was passed through so far, as incomplete. The response repeats its items if they were collected.
 */
export const endAtLimit = ({
  first,
  next,
  usage,
  shown,
  isPartShown = false,
}: CutStream): readonly Frame[] => {
  const begun = begunIn({ first, last: [next.raw] }) ?? { head: undefined, number: 0 };
  const { events, items } = shown?.close() ?? { events: [], items: [] };
  // The frame that was kept back has the next number, unless a part of it was sent.
  let number = Math.max(0, begun.number - (isPartShown ? 0 : 1));
  const closed = events.map(({ type, ...rest }) => ({ type, sequence_number: number++, ...rest }));
  const writer = new ReplyWriter(NO_TOOLS, {}, { ...begun, number, items });
  writer.write({ type: 'finish', choice: 0, reason: 'length' });
  if (usage !== undefined) writer.write({ type: 'usage', usage });
  return [...closed, ...writer.end()].map(frameOf);
};

const NUMBER = /"sequence_number" ?: ?(\d{1,9})/g;

/** The response that a stream began with, and the sequence number of its next event. */
const begunIn = (passed: PassedStream | undefined): Begun | undefined => {
  for (const { data } of passed?.first ?? []) {
    const response = parsedFields(data)?.['response'];
    if (!isFields(response)) continue;
    const { status: _, output: __, usage: ___, error: ____, incomplete_details: _____, ...head } = response;
    const numbers = passed?.last.flatMap((bytes) => [...bytes.toString('latin1').matchAll(NUMBER)]) ?? [];
    return { head, number: Number(numbers.at(-1)?.[1] ?? -1) + 1 };
  }
  return undefined;
};

const frameOf = (event: Fields): Frame => writeFrame(JSON.stringify(event), String(event['type']));
