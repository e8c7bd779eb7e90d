import type { ChatEvent } from '#core/chat/event.ts';
import { listOf, textOf, type Fields } from '../openai/fields.ts';
import { ByteOffsets } from './byte-offsets.ts';
import { camelFields, camelList } from './fields.ts';

type Citation = Extract<ChatEvent, { type: 'citation' }>;
type Page = Pick<Citation, 'url' | 'title'>;

/**
 * The pages one answer rests on. Every piece of a reply may list all of them again, and only the last says which words
 * rest on which (ai.google.dev/api/generate-content, GroundingMetadata): they are told at the end of the answer.
 */
export class Pages {
  readonly #offsets = new ByteOffsets();
  #grounding: Fields = {};
  readonly #quoted: Page[] = [];

  /** Takes note of words that were said. */
  said(text: string): void {
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

  /** A citation for every stretch of words that rests on a page, and for every other page, each once. */
  citations(choice: number): ChatEvent[] {
    const chunks = camelList(this.#grounding['groundingChunks']).map((chunk) =>
      pageOf(camelFields(chunk['web'] ?? chunk['retrievedContext'] ?? chunk['maps'])),
    );
    const placed = camelList(this.#grounding['groundingSupports']).flatMap((support) =>
      this.#placed(support, chunks),
    );
    const known = new Set(placed.map(({ url }) => url));
    const told = new Set<string>();
    return [...placed, ...[...chunks, ...this.#quoted].filter(({ url }) => !known.has(url))].flatMap(
      (page): ChatEvent[] => {
        const named = JSON.stringify(page);
        if (page.url === undefined || told.has(named)) return [];
        told.add(named);
        return [{ type: 'citation', choice, ...page }];
      },
    );
  }

  #placed(support: Fields, chunks: readonly Page[]): Omit<Citation, 'type' | 'choice'>[] {
    const segment = camelFields(support['segment']);
    const startIndex = this.#offsets.characterAt(Number(segment['startIndex'] ?? 0));
    const endIndex = this.#offsets.characterAt(Number(segment['endIndex'] ?? Number.NaN));
    // Counted from the start of a part that is not the first: where that began nobody tells in a stream.
    const isKnown = startIndex !== undefined && endIndex !== undefined && (segment['partIndex'] ?? 0) === 0;
    const place = isKnown ? { startIndex, endIndex } : {};
    return listOf(support['groundingChunkIndices']).flatMap((index) => {
      const page = chunks[Number(index)];
      return page === undefined ? [] : [{ ...page, ...place }];
    });
  }
}

const pageOf = (page: Fields): Page => {
  const url = textOf(page['uri']);
  const title = textOf(page['title']);
  return { ...(url !== undefined && { url }), ...(title !== undefined && { title }) };
};
