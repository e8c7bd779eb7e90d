import type { ChatEvent } from '#core/chat/event.ts';
import { writePlace } from '../openai/citation-place.ts';
import type { Fields } from '../openai/fields.ts';

/** A citation as an annotation; undefined for one that points nowhere and that only another format can say. */
export const writeCitation = (event: Extract<ChatEvent, { type: 'citation' }>): Fields | undefined => {
  const extras = event.extras?.['openai-responses'] ?? {};
  if (extras['type'] !== undefined) return extras;
  if (event.url === undefined) return undefined;
  return {
    start_index: 0,
    end_index: 0,
    ...writePlace(event),
    ...extras,
    type: 'url_citation',
    url: event.url,
    title: event.title ?? '',
  };
};
