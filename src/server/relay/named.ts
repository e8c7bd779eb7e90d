import type { ChatEvent } from '#core/chat/event.ts';
import { known, type Running } from './running.ts';

/** A reply begins with its name, its model and its time; where the upstream left one out, ours stands there. */
export const named = (event: ChatEvent, { call, asked, createdAtMs }: Running): ChatEvent => {
  if (event.type !== 'start') return event;
  return {
    ...event,
    id: event.id === '' ? call.requestId : event.id,
    model: event.model === '' ? known(asked, 'read').facts.model : event.model,
    createdAtMs: event.createdAtMs ?? createdAtMs,
  };
};
