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

export interface Tool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly parameters?: unknown;
  readonly strict?: boolean;
  readonly extras?: Extras;
}

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

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

/** A field that an upstream of any other format cannot honour, and the sentence that says so. */
export interface OnlyIn {
  readonly dialect: DialectName;
  readonly param: string;
  readonly message: string;
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
  readonly endUser?: string;
  /** Given when the request asks for something that can neither be said in another format nor left out. */
  readonly onlyIn?: OnlyIn;
  readonly extras: Extras;
}
