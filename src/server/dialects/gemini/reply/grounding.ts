import type { ChatEvent } from '#core/chat/event.ts';
import type { Fields } from '#core/json/fields.ts';
import { ByteOffsets } from './byte-offsets.ts';

type Citation = Extract<ChatEvent, { type: 'citation' }>;

/** Collects what an answer cites: each page once, and the passages that rest on it (ai.google.dev/api, GroundingMetadata). */
export class Grounding {
  readonly #offsets = new ByteOffsets();
  readonly #citations: Citation[] = [];

  /** Records text of the answer. */
  addText(text: string): void {
    this.#offsets.add(text);
  }

  /** Takes a citation whose place counts from the start of the whole text; it may come before that text. */
  cite(citation: Citation): void {
    this.#citations.push(citation);
  }

  /** `groundingMetadata`, once the text is whole; undefined if nothing was cited. `parts`: those of a whole answer. */
  write(parts: readonly Fields[]): Fields | undefined {
    const numbers = new Map<string, number>();
    const pages: Fields[] = [];
    const supports: Fields[] = [];
    for (const { url, title, startIndex, endIndex } of this.#citations) {
      if (url === undefined) continue;
      const web = { uri: url, ...(title !== undefined && { title }) };
      const named = JSON.stringify(web);
      const page = numbers.get(named) ?? pages.push({ web }) - 1;
      numbers.set(named, page);
      const [from, to] = [startIndex, endIndex].map((place = -1) => this.#offsets.byteAt(place));
      if (from !== undefined && to !== undefined && from < to)
        supports.push({ segment: segmentIn(parts, from, to), groundingChunkIndices: [page] });
    }
    if (pages.length === 0) return undefined;
    return { groundingChunks: pages, ...(supports.length > 0 && { groundingSupports: supports }) };
  }
}

/** Places count from the start of a part. The chunks of a stream are one text, as clients join them. */
const segmentIn = (parts: readonly Fields[], from: number, to: number): Fields => {
  let begin = 0;
  for (const [partIndex, { text, thought }] of parts.entries()) {
    if (typeof text !== 'string' || thought === true) continue;
    const end = begin + Buffer.byteLength(text);
    if (from < end)
      return {
        ...(partIndex > 0 && { partIndex }),
        startIndex: from - begin,
        endIndex: Math.min(to, end) - begin,
        text: Buffer.from(text)
          .subarray(from - begin, to - begin)
          .toString(),
      };
    begin = end;
  }
  return { startIndex: from, endIndex: to };
};
