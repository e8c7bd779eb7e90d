import type { ChatEvent } from '#core/chat/event.ts';
import type { StreamReader } from '../../dialect.ts';
import { holdsError, readErrorInside } from '../../openai/error.ts';
import { isFields, listOf, parsedFields } from '#core/json/fields.ts';
import { isPlainDone } from '../../openai/plain-done.ts';
import { ReplyReader } from './reply-reader.ts';

/** A whole response as events, the same as its stream would give. */
export const readWhole = (body: unknown): ChatEvent[] => {
  if (!isFields(body)) return [];
  if (body['content'] === undefined && holdsError(body))
    return [{ type: 'error', error: readErrorInside(body) }];
  const { content, stop_reason, stop_sequence, stop_details, usage, ...message } = body;
  const reader = new ReplyReader();
  const events = reader.read({ message }, 'message_start');
  // Some compatible upstreams answer as callers may ask: with a plain text.
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
  for (const [index, block] of blocks.entries()) {
    events.push(
      ...reader.read({ index, content_block: block }, 'content_block_start'),
      ...reader.read({ index }, 'content_block_stop'),
    );
  }
  const delta = { stop_reason, stop_sequence, stop_details };
  events.push(...reader.read({ delta, usage }, 'message_delta'));
  return events;
};

/** A stream as events, up to its end mark. */
export const openReader = (): StreamReader => {
  const reader = new ReplyReader();
  let isOver = false;
  return {
    read: ({ data, event }) => {
      isOver ||= isPlainDone(data);
      if (isOver || data.length === 0) return [];
      const text = data.toString();
      const body = parsedFields(text);
      if (body === undefined)
        return event === 'error' ? [{ type: 'error', error: readErrorInside(text) }] : [];
      const type = typeof body['type'] === 'string' ? body['type'] : event;
      isOver = type === 'message_stop';
      if (EVENTS.has(type)) return reader.read(body, type);
      if (type === 'message') return readWhole(body);
      return !isOver && (event === 'error' || holdsError(body))
        ? [{ type: 'error', error: readErrorInside(body) }]
        : [];
    },
    end: () => [],
    hasUniformDeltas: true,
  };
};

const EVENTS = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
]);
