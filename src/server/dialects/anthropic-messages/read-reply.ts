import type { ChatEvent } from '#core/chat/event.ts';
import type { Frame } from '../frame.ts';
import { holdsError, readErrorInside } from '../openai/error.ts';
import { isFields, listOf, type Fields } from '../openai/fields.ts';
import { ReplyReader } from './reply-reader.ts';

/** A whole reply as events: the same as the stream that would have said it. */
export const readWhole = (body: unknown): ChatEvent[] => {
  if (!isFields(body)) return [];
  if (body['content'] === undefined && holdsError(body))
    return [{ type: 'error', error: readErrorInside(body) }];
  const { content, stop_reason, stop_sequence, stop_details, usage, ...message } = body;
  const reader = new ReplyReader();
  const events = reader.read({ type: 'message_start', message });
  for (const [index, block] of listOf(content).entries()) {
    events.push(
      ...reader.read({ type: 'content_block_start', index, content_block: block }),
      ...reader.read({ type: 'content_block_stop', index }),
    );
  }
  const delta = { stop_reason, stop_sequence, stop_details };
  events.push(...reader.read({ type: 'message_delta', delta, usage }));
  return events;
};

/** A stream as events. Ends at the end mark; what cannot be read is skipped. */
export async function* readStream(frames: AsyncIterable<Frame>): AsyncGenerator<ChatEvent> {
  const reader = new ReplyReader();
  for await (const frame of frames) {
    if (frame.data.length === 0) continue;
    const text = frame.data.toString();
    const body = parse(text);
    if (body === undefined) {
      if (text.trim() === '[DONE]') return;
      if (frame.event === 'error') yield { type: 'error', error: readErrorInside(text) };
      continue;
    }
    const type = typeof body['type'] === 'string' ? body['type'] : frame.event;
    if (type === 'message_stop') return;
    if (EVENTS.has(type)) yield* reader.read({ ...body, type });
    else if (type === 'message') yield* readWhole(body);
    else if (frame.event === 'error' || holdsError(body))
      yield { type: 'error', error: readErrorInside(body) };
  }
}

const EVENTS = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
]);

const parse = (text: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
