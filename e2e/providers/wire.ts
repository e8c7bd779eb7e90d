export type Json = Readonly<Record<string, unknown>>;

/** What a provider answers where it refuses. */
export interface Refusal {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A page of the answer: JSON, or the text or bytes of a stream. */
export interface Page {
  readonly contentType: string;
  readonly bytes: Buffer | string;
}

/** What is asked of it: to say something or to call a tool, whole or streamed. */
export interface Question {
  readonly calls: boolean;
  readonly stream: boolean;
  /** The answer is to be JSON. */
  readonly inJson?: boolean;
}

/** One kind of upstream as its provider's published reference describes it. */
export interface Wire {
  readonly type: number;
  readonly name: string;
  /** Where the format is published. */
  readonly reference: string;
  readonly key: string;
  readonly other?: string;
  /** The model as the provider calls it. */
  readonly model: string;
  /** Where a whole chat goes below the address, with the query; `streamed` where a stream goes elsewhere. */
  readonly chat: string;
  readonly streamed?: string;
  /** Headers that prove who asks, and others it needs; a shape, or the text itself. */
  readonly headers: Readonly<Record<string, string | RegExp>>;
  /** Fields the body of a whole chat has, at least. */
  readonly asks: Json;
  readonly answer: (question: Question) => Page;
  /** Calls that come before, to get a token: their path and what they answer. */
  readonly before?: { readonly path: string; readonly body: Json };
  readonly offersTools: boolean;
  /** Whether it says what was used. */
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

/** Events that have names. */
export const namedEvents = (list: readonly (readonly [name: string, data: Json])[]): Page => ({
  contentType: 'text/event-stream',
  bytes: list.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join(''),
});

/** What every upstream says, in pieces, and what it counts. */
export const WORDS = ['All', ' is', ' well', '.'] as const;
export const TEXT = WORDS.join('');
export const PROMPT_TOKENS = 11;
export const COMPLETION_TOKENS = 4;
export const ARGUMENTS = '{"city":"Paris"}';
