const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',\r\n');
const CLOSE = Buffer.from(']');
const NOTHING = Buffer.from('[]');

/**
 * A stream as one JSON list, an item for each event: how Gemini answers `streamGenerateContent` without `alt=sse`
 * (ai.google.dev/api, generateContent).
 */
export class JsonList {
  #isOpen = false;

  item(data: Buffer): Buffer {
    const before = this.#isOpen ? COMMA : OPEN;
    this.#isOpen = true;
    return Buffer.concat([before, data]);
  }

  end(): Buffer {
    return this.#isOpen ? CLOSE : NOTHING;
  }

  /** The last item and the end. */
  last(body: unknown): Buffer {
    return Buffer.concat([this.item(Buffer.from(JSON.stringify(body))), CLOSE]);
  }
}
