import type { ChatEvent } from '#core/chat/event.ts';
import { isFields, listOf, otherFields, textOf } from '#core/json/fields.ts';

type Citation = Extract<ChatEvent, { type: 'citation' }>;

const KNOWN_IN_CITATION = new Set(['type', 'url', 'title']);

/** The web address of a search result; one the caller provided has any text as its source. */
const webAddress = (source: unknown): string | undefined =>
  typeof source === 'string' && /^https?:\/\//.test(source) ? source : undefined;

/** Reads what a text cites. Only citations of web pages are the same in every format. */
export const readCitations = (list: unknown): Citation[] =>
  listOf(list)
    .filter(isFields)
    .map((citation): Citation => {
      const url = textOf(citation['url']) ?? webAddress(citation['source']);
      const title = textOf(citation['title'] ?? citation['document_title']);
      // A web citation is the same in every format; other kinds are stored whole.
      const others =
        citation['type'] === 'web_search_result_location'
          ? otherFields(citation, KNOWN_IN_CITATION)
          : citation;
      return {
        type: 'citation',
        choice: 0,
        ...(url !== undefined && { url }),
        ...(title !== undefined && { title }),
        ...(others !== undefined && { extras: { 'anthropic-messages': others } }),
      };
    });
