/** The wire formats a caller may speak and an upstream may expect. */
export type DialectName = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini';

/** Fields that only one format knows, kept so that an upstream of that format gets them. */
export type Extras = Partial<Readonly<Record<DialectName, Readonly<Record<string, unknown>>>>>;

/** A picture, sound or file: its URL, or its bytes in base64. */
export type Media =
  | { readonly from: 'url'; readonly url: string; readonly mediaType?: string }
  | { readonly from: 'base64'; readonly data: string; readonly mediaType: string }
  | { readonly from: 'file-id'; readonly fileId: string };

/**
 * A part or tool without a common form is an empty text (or a bare tool) whose extras contain the whole, `type`
 * included. `signatureFrom` is the format of the upstream that made a thought or signed a call: only that format
 * accepts the signature back.
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
      /** A thought that exists only in encrypted form. */
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
      /** True if the tool takes free text: its arguments are JSON with one field, `input`. */
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

/** One message of a conversation, in our words. */
export interface Message {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  readonly content: readonly ContentPart[];
  readonly name?: string;
  readonly extras?: Extras;
  /** Its index in the caller's request, for errors that name it. */
  readonly place?: number;
}

/** A web search run by the upstream: the settings that more than one format has. */
export interface WebSearch {
  readonly allowedDomains?: readonly string[];
  readonly blockedDomains?: readonly string[];
  readonly mostSearches?: number;
  readonly contextSize?: 'low' | 'medium' | 'high';
  /** Where the user is: `city`, `region`, `country`, `timezone`. */
  readonly place?: Readonly<Record<string, string>>;
}

/** A function the model may call. */
export interface Tool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly parameters?: unknown;
  readonly strict?: boolean;
  /** Set if it takes free text, sent as JSON with one field, `input`: its own description and grammar. */
  readonly freeText?: {
    readonly description?: string;
    readonly syntax?: string;
    readonly definition?: string;
  };
  /** Set if it is not the caller's function but a web search that upstreams of several formats offer. */
  readonly webSearch?: WebSearch;
  readonly extras?: Extras;
  /** Its index in the caller's request, for errors that name it. */
  readonly place?: number;
}

/** Only tools of these names may be called, or one of them must be. */
export interface AllowedTools {
  readonly allowed: readonly string[];
  readonly mode: 'auto' | 'required';
}

/** Whether tools may or must be called, or the name of the one that must be. */
export type PlainToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

/** What the caller says about calling tools. */
export type ToolChoice = PlainToolChoice | AllowedTools;

/** The form an answer must have. */
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

/** How much the model is asked to think. */
export interface Reasoning {
  readonly effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  readonly budgetTokens?: number;
  readonly enabled?: boolean;
  readonly summary?: string;
}

/** How to speak an answer aloud. */
export interface Speech {
  /** The name of a voice, defined by the upstream's maker. */
  readonly voice?: string;
  /** The sound format (`wav`, `pcm16`, …); absent for raw 16-bit samples. */
  readonly format?: string;
}

/** A field that only upstreams of these formats support, with the error message that says so. */
export interface OnlyIn {
  readonly dialects: readonly DialectName[];
  readonly param: string;
  readonly message: string;
  /** The type of tool, if the answer can do without it. */
  readonly spareTool?: string;
}

/** A chat request in the common form: it can express what each of the four formats can. */
export interface ChatRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly messages: readonly Message[];
  readonly tools?: readonly Tool[];
  /**
   * The tools offered at the end, if instructions within the conversation add or remove some. Only upstreams of the
   * caller's own format read those instructions.
   */
  readonly laterTools?: readonly Tool[];
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
  /** Set if the answer may or must contain pictures: the field that asks for them. */
  readonly imagesAskedBy?: string;
  /** Set if the answer is to be spoken. */
  readonly speech?: Speech;
  readonly endUser?: string;
  /** Set if the caller wants token probabilities, with `top` alternatives at each place. */
  readonly logprobs?: { readonly top?: number };
  /** Set if the request has fields that not every format can express and that cannot be left out. */
  readonly onlyIn?: readonly OnlyIn[];
  readonly extras: Extras;
}
