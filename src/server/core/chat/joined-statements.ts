import type { ChatEvent } from './event.ts';

/** The length of one answer so far, and where its current message or block begins. */
interface ChoiceText {
  characters: number;
  statementAt: number;
}

/**
 * Adjusts citations for formats with a single text per answer. If an answer has several messages or blocks (with a
 * search between them), citation offsets count from the start of the whole text. The texts are joined without any
 * separator, exactly as the upstream sent them. A citation without a place gets the current end of the text, because
 * clients refuse citations without one.
 */
export class JoinedStatements {
  readonly #texts: ChoiceText[] = [];

  take(event: ChatEvent): ChatEvent {
    if (event.type !== 'text-delta' && event.type !== 'citation') return event;
    let text = this.#texts[event.choice];
    if (text === undefined) this.#texts[event.choice] = text = { characters: 0, statementAt: 0 };
    if (event.type === 'citation') return placed(event, text);
    if (event.begins === true) text.statementAt = text.characters;
    text.characters += event.text.length;
    return event;
  }

  /** Counts text that was added to the first answer. */
  addText(characters: number): void {
    const [text] = this.#texts;
    if (text !== undefined) text.characters += characters;
  }
}

type Citation = Extract<ChatEvent, { type: 'citation' }>;

const placed = (citation: Citation, { characters, statementAt }: ChoiceText): Citation => {
  const { startIndex: start, endIndex: end } = citation;
  return {
    ...citation,
    startIndex: start === undefined ? characters : start + statementAt,
    endIndex: end === undefined ? characters : end + statementAt,
  };
};
