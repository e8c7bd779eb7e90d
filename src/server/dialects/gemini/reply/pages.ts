import type { ChatEvent } from '#core/chat/event.ts';
import { listOf, textOf, type Fields, numberOf } from '#core/json/fields.ts';
import { ByteOffsets } from './byte-offsets.ts';
import { camelFields, camelList } from '../fields.ts';

type Citation = Extract<ChatEvent, { type: 'citation' }>;
type Page = Pick<Citation, 'url' | 'title'>;

/**
 * Collects the web pages an answer is based on. Each chunk may list them all again, and only the last one maps them to
 * text (ai.google.dev/api/generate-content, GroundingMetadata), so the citations come at the end of the answer.
 */
export class Pages {
  readonly #offsets = new ByteOffsets();
  #grounding: Fields = {};
  readonly #quoted: Page[] = [];

  /** Records text of the answer. */
  addText(text: string): void {
    this.#offsets.add(text);
  }

  note(candidate: Fields): void {
    const grounding = camelFields(candidate['groundingMetadata']);
    this.#grounding = { ...this.#grounding, ...grounding };
    const quoted = camelFields(candidate['citationMetadata']);
    this.#quoted.push(
      ...[...camelList(quoted['citations']), ...camelList(quoted['citationSources'])].map(pageOf),
    );
  }

  /** Citations for every passage based on a page, and for every other page once. */
  citations(choice: number): ChatEvent[] {
    const chunks = camelList(this.#grounding['groundingChunks']).map((chunk) =>
      pageOf(camelFields(chunk['web'] ?? chunk['retrievedContext'] ?? chunk['maps'])),
    );
    const placed = camelList(this.#grounding['groundingSupports']).flatMap((support) =>
      this.#placed(support, chunks),
    );
    const cited = new Set(placed.flatMap(({ url, title }) => [url, nameOf({ url, title })]));
    // One address under two titles is two pages; what is only quoted has no title to tell it by.
    const others = [
      ...chunks.filter((page) => !cited.has(nameOf(page))),
      ...this.#quoted.filter(({ url }) => !cited.has(url)),
    ];
    const listed = new Set<string>();
    return [...placed, ...others].flatMap((page): ChatEvent[] => {
      const named = JSON.stringify(page);
      if (page.url === undefined || listed.has(named)) return [];
      listed.add(named);
      return [{ type: 'citation', choice, ...page }];
    });
  }

  #placed(support: Fields, chunks: readonly Page[]): Omit<Citation, 'type' | 'choice'>[] {
    const segment = camelFields(support['segment']);
    const startIndex = this.#offsets.characterAt(numberOf(segment['startIndex'] ?? 0));
    const endIndex = this.#offsets.characterAt(numberOf(segment['endIndex'] ?? Number.NaN));
    // Offsets count from the start of the part; in a stream, only the start of the first part is known.
    const isKnown = startIndex !== undefined && endIndex !== undefined && (segment['partIndex'] ?? 0) === 0;
    const place = isKnown ? { startIndex, endIndex } : {};
    return listOf(support['groundingChunkIndices']).flatMap((index) => {
      const page = chunks[numberOf(index)];
      return page === undefined ? [] : [{ ...page, ...place }];
    });
  }
}

const nameOf = ({ url, title }: Page): string => JSON.stringify([url, title]);

const pageOf = (page: Fields): Page => {
  const url = textOf(page['uri']);
  const title = textOf(page['title']);
  return { ...(url !== undefined && { url }), ...(title !== undefined && { title }) };
};
