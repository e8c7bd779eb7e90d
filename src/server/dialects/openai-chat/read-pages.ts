import type { ChatEvent } from '#core/chat/event.ts';
import { isFields, listOf, textOf, type Fields } from '../openai/fields.ts';

/**
 * The pages an answer rests on, which Perplexity and xAI tell beside it, again with every piece (docs.perplexity.ai and
 * docs.x.ai: `search_results` with titles, `citations` as bare addresses). They are told once, at the end of the answer,
 * where no annotation has named them.
 */
export class Pages {
  readonly #titles = new Map<string, string | undefined>();
  readonly #told = new Set<string>();

  note(body: Fields): void {
    for (const page of [...listOf(body['search_results']), ...listOf(body['citations'])]) {
      const { url, title } = isFields(page) ? page : { url: page, title: undefined };
      const address = textOf(url);
      if (address !== undefined) this.#titles.set(address, textOf(title) ?? this.#titles.get(address));
    }
  }

  /** The events of a piece, with the pages in front of the end of the first answer. */
  beside(events: ChatEvent[]): ChatEvent[] {
    if (this.#titles.size === 0) return events;
    for (const event of events)
      if (event.type === 'citation' && event.url !== undefined) this.#told.add(event.url);
    const at = events.findIndex((event) => event.type === 'finish' && event.choice === 0);
    return at === -1 ? events : events.toSpliced(at, 0, ...this.#rest());
  }

  #rest(): ChatEvent[] {
    const pages = [...this.#titles].filter(([url]) => !this.#told.has(url));
    this.#titles.clear();
    return pages.map(([url, title]) => ({
      type: 'citation',
      choice: 0,
      url,
      ...(title !== undefined && { title }),
    }));
  }
}
