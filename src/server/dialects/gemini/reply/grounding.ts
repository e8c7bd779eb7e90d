import type { ChatEvent } from '#core/chat/event.ts';
import type { Fields } from '#core/json/fields.ts';
import { ByteOffsets } from './byte-offsets.ts';

type Citation = Extract<ChatEvent, { type: 'citation' }>;

/** A passage in bytes of the answer's text, and the number of the page it rests on. */
interface Support {
  readonly from: number;
  readonly to: number;
  readonly page: number;
}

/** Collects what an answer cites: each page once, and the passages that rest on it (ai.google.dev/api, GroundingMetadata). */
export class Grounding {
  readonly #offsets = new ByteOffsets();
  readonly #pages = new Map<string, Fields>();
  readonly #supports: Support[] = [];

  /** Records text of the answer. */
  addText(text: string): void {
    this.#offsets.add(text);
  }

  /** Takes a citation whose place counts from the start of the whole text. */
  cite({ url, title, startIndex, endIndex }: Citation): void {
    if (url === undefined) return;
    const web = { uri: url, ...(title !== undefined && { title }) };
    const named = JSON.stringify(web);
    if (!this.#pages.has(named)) this.#pages.set(named, { web });
    const page = [...this.#pages.keys()].indexOf(named);
    const [from, to] = [startIndex, endIndex].map((place = -1) => this.#offsets.byteAt(place));
    if (from !== undefined && to !== undefined && from < to) this.#supports.push({ from, to, page });
  }

  /** `groundingMetadata`; undefined if nothing was cited. `parts`: those of a whole answer. */
  write(parts: readonly Fields[]): Fields | undefined {
    if (this.#pages.size === 0) return undefined;
    const supports = this.#supports.map(({ from, to, page }) => ({
      segment: segmentIn(parts, from, to),
      groundingChunkIndices: [page],
    }));
    return {
      groundingChunks: [...this.#pages.values()],
      ...(supports.length > 0 && { groundingSupports: supports }),
    };
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
