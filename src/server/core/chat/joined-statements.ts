import type { ChatEvent } from './event.ts';

/** The length of one answer so far, and where its current message or block begins. */
interface Said {
  characters: number;
  statementAt: number;
}

/**
 * Adjusts citations for formats with a single text per answer. If an answer has several messages or blocks (with a
 * search between them), citation offsets count from the start of the whole text. The texts are joined without any
 * separator, exactly as the upstream sent them.
 */
export class JoinedStatements {
  readonly #said: Said[] = [];

  take(event: ChatEvent): ChatEvent {
    if (event.type !== 'text-delta' && event.type !== 'citation') return event;
    let said = this.#said[event.choice];
    if (said === undefined) this.#said[event.choice] = said = { characters: 0, statementAt: 0 };
    if (event.type === 'citation') return said.statementAt === 0 ? event : moved(event, said.statementAt);
    if (event.begins === true) said.statementAt = said.characters;
    said.characters += event.text.length;
    return event;
  }

  /** Counts text that was added to the first answer. */
  addText(characters: number): void {
    const [said] = this.#said;
    if (said !== undefined) said.characters += characters;
  }
}

type Citation = Extract<ChatEvent, { type: 'citation' }>;

const moved = (citation: Citation, by: number): Citation => ({
  ...citation,
  ...(citation.startIndex !== undefined && { startIndex: citation.startIndex + by }),
  ...(citation.endIndex !== undefined && { endIndex: citation.endIndex + by }),
});
