export type Json = Readonly<Record<string, unknown>>;

/** A provider's error answer. */
export interface Refusal {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The body of an answer: JSON, or the text or bytes of a stream. */
export interface Page {
  readonly contentType: string;
  readonly bytes: Buffer | string;
}

/** The kind of request: a text or a tool call, whole or streamed. */
export interface Question {
  readonly calls: boolean;
  readonly stream: boolean;
  /** The answer must be JSON. */
  readonly inJson?: boolean;
}

/** One kind of upstream, as in its provider's published reference. */
export interface Wire {
  readonly type: number;
  readonly name: string;
  /** Where the format is published. */
  readonly reference: string;
  readonly key: string;
  readonly other?: string;
  /** The provider's name of the model. */
  readonly model: string;
  /** The path and query of a whole chat; `streamed` if streams have another path. */
  readonly chat: string;
  readonly streamed?: string;
  /** The headers it requires, for authentication and others: a pattern or the exact text. */
  readonly headers: Readonly<Record<string, string | RegExp>>;
  /** Fields that the body of a whole chat must have. */
  readonly asks: Json;
  readonly answer: (question: Question) => Page;
  /** Earlier calls that fetch an access token: path and answer. */
  readonly before?: { readonly path: string; readonly body: Json };
  readonly offersTools: boolean;
  /** Whether it reports usage. */
  readonly tellsUsage: boolean;
  readonly badKey: Refusal;
  readonly rateLimit: Refusal;
  readonly models?: { readonly path: string; readonly body: unknown; readonly names: readonly string[] };
}

export const json = (body: unknown): Page => ({
  contentType: 'application/json',
  bytes: JSON.stringify(body),
});

export const events = (...list: readonly (Json | string)[]): Page => ({
  contentType: 'text/event-stream',
  bytes: list.map((data) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`).join(''),
});

/** Named events. */
export const namedEvents = (list: readonly (readonly [name: string, data: Json])[]): Page => ({
  contentType: 'text/event-stream',
  bytes: list.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join(''),
});

/** The text of every upstream's answer, in pieces, and its token counts. */
export const WORDS = ['All', ' is', ' well', '.'] as const;
export const TEXT = WORDS.join('');
export const PROMPT_TOKENS = 11;
export const COMPLETION_TOKENS = 4;
export const ARGUMENTS = '{"city":"Paris"}';
