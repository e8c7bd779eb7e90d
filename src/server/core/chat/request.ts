/** The wire formats a caller may speak and an upstream may expect. */
export type DialectName = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini';

/** Fields only one format knows, kept so that the same format gets them back. */
export type Extras = Partial<Readonly<Record<DialectName, Readonly<Record<string, unknown>>>>>;

/** A picture, sound or file: where it is, or its bytes in base64. */
export type Media =
  | { readonly from: 'url'; readonly url: string; readonly mediaType?: string }
  | { readonly from: 'base64'; readonly data: string; readonly mediaType: string }
  | { readonly from: 'file-id'; readonly fileId: string };

/**
 * A part or a tool we have no word for is an empty text (or a bare tool) whose extras hold it whole, its `type` included.
 * `signatureFrom` names the format whose upstream made a thought or signed a call: only it accepts the signature back.
 */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string; readonly extras?: Extras }
  | { readonly type: 'image'; readonly media: Media; readonly detail?: string; readonly extras?: Extras }
  | { readonly type: 'audio'; readonly media: Media; readonly extras?: Extras }
  | { readonly type: 'file'; readonly media: Media; readonly name?: string; readonly extras?: Extras }
  | {
      readonly type: 'reasoning';
      readonly text: string;
      readonly signature?: string;
      readonly signatureFrom?: DialectName;
      /** A thought that is only there in encrypted form. */
      readonly redacted?: string;
      readonly extras?: Extras;
    }
  | {
      readonly type: 'tool-call';
      readonly id: string;
      readonly name: string;
      readonly argumentsText: string;
      readonly signature?: string;
      readonly signatureFrom?: DialectName;
      /** The tool takes text: its arguments are JSON with that text in its one field, `input`. */
      readonly isFreeText?: true;
      readonly extras?: Extras;
    }
  | {
      readonly type: 'tool-result';
      readonly callId: string;
      readonly name?: string;
      readonly content: readonly ContentPart[];
      readonly isError?: boolean;
      readonly extras?: Extras;
    }
  | { readonly type: 'refusal'; readonly text: string; readonly extras?: Extras };

export interface Message {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  readonly content: readonly ContentPart[];
  readonly name?: string;
  readonly extras?: Extras;
}

/** A search of the web that the upstream does itself, as far as more than one format can say how. */
export interface WebSearch {
  readonly allowedDomains?: readonly string[];
  readonly blockedDomains?: readonly string[];
  readonly mostSearches?: number;
  readonly contextSize?: 'low' | 'medium' | 'high';
  /** About where the user is: `city`, `region`, `country`, `timezone`. */
  readonly place?: Readonly<Record<string, string>>;
}

export interface Tool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly parameters?: unknown;
  readonly strict?: boolean;
  /** Given when it takes text, told as JSON with one field, `input`: its own description, and the grammar to follow. */
  readonly freeText?: {
    readonly description?: string;
    readonly syntax?: string;
    readonly definition?: string;
  };
  /** Given when it is no function of the caller's but a search that upstreams of several formats do. */
  readonly webSearch?: WebSearch;
  readonly extras?: Extras;
}

/** Of all tools only those of these names may be called, or one of them has to be. */
export interface AllowedTools {
  readonly allowed: readonly string[];
  readonly mode: 'auto' | 'required';
}

export type PlainToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

export type ToolChoice = PlainToolChoice | AllowedTools;

export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json' }
  | {
      readonly type: 'json-schema';
      readonly name: string;
      readonly schema: unknown;
      readonly description?: string;
      readonly strict?: boolean;
    };

export interface Reasoning {
  readonly effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  readonly budgetTokens?: number;
  readonly enabled?: boolean;
  readonly summary?: string;
}

/** How an answer is to be said aloud. */
export interface Speech {
  /** The name of a voice, which is its maker's own. */
  readonly voice?: string;
  /** What the sound comes in (`wav`, `pcm16`, …); not given: bare samples of 16 bits. */
  readonly format?: string;
}

/** A field that only upstreams of these formats can honour, and the sentence that says so. */
export interface OnlyIn {
  readonly dialects: readonly DialectName[];
  readonly param: string;
  readonly message: string;
  /** Given when it is a tool that an answer can do without: its kind. */
  readonly spareTool?: string;
}

/** A chat request in our own words: able to hold what each of the four formats can say. */
export interface ChatRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly messages: readonly Message[];
  readonly tools?: readonly Tool[];
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly stop?: readonly string[];
  readonly seed?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  /** How many answers are asked for. */
  readonly choices?: number;
  readonly responseFormat?: ResponseFormat;
  readonly reasoning?: Reasoning;
  /** Given when the answer may, or is to, hold pictures: the field that says so. */
  readonly imagesAskedBy?: string;
  /** Given when the answer is to be said aloud. */
  readonly speech?: Speech;
  readonly endUser?: string;
  /** Given when the answer is to tell how likely its words were, and `top` other words at each place. */
  readonly logprobs?: { readonly top?: number };
  /** Given when the request asks for what can neither be said in every format nor left out. */
  readonly onlyIn?: readonly OnlyIn[];
  readonly extras: Extras;
}
