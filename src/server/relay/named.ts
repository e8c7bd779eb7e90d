import type { ChatEvent } from '#core/chat/event.ts';
import { asCallerNames } from '#core/chat/fitted-names.ts';
import { plainNames } from '../dialects/name-rules.ts';
import { asEgress, callerDialect } from './format.ts';
import { known, type Running } from './running.ts';

/**
 * A reply begins with its name, its model and its time; where the upstream left one out, ours stands there. Its calls are
 * of the tools as their caller calls them.
 */
export const named = (event: ChatEvent, running: Running): ChatEvent => {
  if (event.type === 'tool-call-start') {
    const { names: rules = plainNames } = asEgress(running.format);
    const { names: callers = plainNames } = callerDialect(running);
    return asCallerNames(event, running.chatRequest, { rules, callers });
  }
  if (event.type !== 'start') return event;
  const { call, asked, createdAtMs } = running;
  return {
    ...event,
    id: event.id === '' ? call.requestId : event.id,
    model: event.model === '' ? known(asked, 'read').facts.model : event.model,
    createdAtMs: event.createdAtMs ?? createdAtMs,
  };
};
