import type { ChatEvent } from '#core/chat/event.ts';
import { isFields, listOf, textOf, type Fields } from '#core/json/fields.ts';

/**
 * The web pages behind an answer, which Perplexity and xAI repeat with every chunk (docs.perplexity.ai and docs.x.ai:
 * `search_results` with titles, `citations` as URLs). Written once, at the end of the answer, unless an annotation
 * already names them.
 */
export class Pages {
  readonly #titles = new Map<string, string | undefined>();
  readonly #cited = new Set<string>();

  note(body: Fields): void {
    for (const page of [...listOf(body['search_results']), ...listOf(body['citations'])]) {
      const { url, title } = isFields(page) ? page : { url: page, title: undefined };
      const address = textOf(url);
      if (address !== undefined) this.#titles.set(address, textOf(title) ?? this.#titles.get(address));
    }
  }

  /** Adds the pages before the end of the answer that ends first. */
  beside(events: ChatEvent[]): ChatEvent[] {
    if (this.#titles.size === 0) return events;
    for (const event of events)
      if (event.type === 'citation' && event.url !== undefined) this.#cited.add(event.url);
    const at = events.findIndex((event) => event.type === 'finish');
    const end = events[at];
    return end?.type === 'finish' ? events.toSpliced(at, 0, ...this.#rest(end.choice)) : events;
  }

  #rest(choice: number): ChatEvent[] {
    const pages = [...this.#titles].filter(([url]) => !this.#cited.has(url));
    this.#titles.clear();
    return pages.map(([url, title]) => ({
      type: 'citation',
      choice,
      url,
      ...(title !== undefined && { title }),
    }));
  }
}
