import type { ChatEvent } from './event.ts';

/** How much of one answer was said, and where in it the statement begins that is being said. */
interface Said {
  characters: number;
  statementAt: number;
}

/**
 * Events for a format whose answers are one text each: of an answer that was said in several statements (messages, blocks
 * with a search between them) the citations count from where the whole text begins. Nothing is put between two: the text
 * is the upstream's, to the letter.
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

  /** Takes note of more text of the first answer's statement. */
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
