import type { PaidTool } from '#contract/options/tool-prices.ts';
import type { ChatEvent, FinishReason } from '#core/chat/event.ts';
import type { ChatRequest, DialectName } from '#core/chat/request.ts';
import type { NameRules } from '#core/chat/fitted-names.ts';
import type { ToolCalls, Usage } from '#core/chat/usage.ts';
import type { AppError } from '#core/error.ts';
import type { CountName } from '#core/quota/merge-reports.ts';
import type { Frame } from './frame.ts';

/** What routing, limits and the hold need to know of a request, in any format. */
export interface RequestFacts {
  readonly model: string;
  readonly stream: boolean;
  /** The most tokens one answer may have, where the caller said so. */
  readonly maxOutputTokens: number | undefined;
  /** How many answers are asked for; at least 1. */
  readonly choices: number;
  /** How many times a price per call is paid; not given: once. Pictures are several, larger or finer. */
  readonly callFactor?: number;
  /** An upper estimate of the prompt, for the hold. */
  readonly inputTokensEstimate: number;
  /** The caller asked for usage at the end of the stream itself, so it is shown to it. */
  readonly wantsStreamUsage: boolean;
  /** A tool of the upstream's that draws is offered to the model: its pictures are paid beside the answer. */
  readonly draws?: ToolPictures;
  /** Tools of the upstream's that are paid by the call and offered to the model, as often as the hold assumes. */
  readonly toolCalls?: ToolCalls;
}

/** How a model is to draw in the middle of an answer. */
export interface ToolPictures {
  /** The model that draws. */
  readonly model: string;
  readonly size: string | undefined;
  readonly quality: string | undefined;
  /** The most pictures, where the caller said so. */
  readonly most: number | undefined;
}

/** What one frame or one whole body tells about the call. */
export interface Tapped {
  readonly usage?: Usage;
  /** Counts of it that are 0 because nothing was said of them: an earlier report may have told them. */
  readonly usageLacks?: readonly CountName[];
  /** A tool has drawn one more picture. */
  readonly picture?: true;
  /** All that a tool has drawn, and what it used for that where it says so. */
  readonly drawn?: { readonly pictures: number; readonly usage: Usage | undefined };
  /** The upstream has run a tool of its own that is paid by the call, once more. */
  readonly toolCall?: PaidTool;
  /** All such calls of the answer, so far. */
  readonly toolCalls?: ToolCalls;
  readonly finish?: FinishReason;
  readonly error?: AppError;
  /** The answer ended as a failure that other formats have no word for: to their callers it is an error. */
  readonly failure?: AppError;
  /** Something the caller would see: text, a tool call, reasoning. Until the first one the call may go elsewhere. */
  readonly content?: boolean;
  /**
   * How much answer it carries, for the estimate when no usage ever comes: UTF-8 bytes of its text, so that a
   * character outside the Latin alphabet, about a token of its own, weighs more than a letter.
   */
  readonly outputBytes?: number;
  /** Carries nothing but usage: not for callers who did not ask for it. */
  readonly usageOnly?: boolean;
  /** An item its upstream may keep, by the name later requests have for it. */
  readonly itemId?: string;
  /** The stream's own end mark. */
  readonly done?: boolean;
}

/** The formats of calls that are no chats. */
export type PlainName =
  | 'openai-completions'
  | 'openai-edits'
  | 'openai-embeddings'
  | 'gemini-embeddings'
  | 'openai-responses-compact'
  | 'openai-images'
  | 'openai-speech'
  | 'openai-transcriptions'
  | 'openai-moderations'
  | 'openai-realtime'
  | 'rerank';

/** A stream that was repeated up to here: the events it began with, and what was written last. */
export interface PassedStream {
  readonly first: readonly Frame[];
  /** The last comes last. */
  readonly last: readonly Buffer[];
}

/**
 * A wire format, as far as bytes that are only repeated need it: facts of the request, the tap of the reply, errors.
 * Endpoints that are never converted (embeddings, old completions) are just this.
 */
export interface Wire {
  readonly name: DialectName | PlainName;
  /** Checks the fields that matter to us, bounds every number. Throws `invalid_request` naming the field. */
  facts(body: Readonly<Record<string, unknown>>): RequestFacts;
  /** Asks the upstream for usage at the end of a stream; returns the body unchanged where the format always sends it. */
  askForUsage(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Usage, finish or error of one frame, reading no more of it than that takes, and keeping nothing of it. */
  tap(frame: Frame): Tapped | undefined;
  tapWhole(body: unknown): Tapped;
  /** What an answer is taken to have used when its upstream tells nothing; default: its text counted. */
  usageWithoutReport?(body: Readonly<Record<string, unknown>>, reply: unknown): Usage;
  /** What a form costs is known from its model and its length: it may go out while it still comes. */
  readonly goesOutEarly?: true;
  /** A whole answer may be something else than JSON: it goes on as it comes. */
  readonly answersInBytes?: true;
  /** `retryAfter` is the upstream's header of that name, as it came. */
  readError(status: number, body: unknown, retryAfter?: string): AppError;
  writeError(error: AppError, requestId: string): { readonly status: number; readonly body: unknown };
  /** What follows the last event of a stream, where an end is marked. */
  readonly endMark?: Buffer;
  /** An error after the stream began: the frames that end it well. */
  /** `passed`: what the caller has of the stream so far, where it was repeated. */
  writeStreamError(error: AppError, requestId: string, passed?: PassedStream): Buffer;
}

/** Reads one stream, frame by frame. */
export interface StreamReader {
  /** What a frame says; nothing after the format's end mark. What cannot be read says nothing. */
  read(frame: Frame): readonly ChatEvent[];
  /** What is left to say once no more frames come. */
  end(): readonly ChatEvent[];
  /**
   * Of two frames one behind the other that are the same but for one text in their JSON, where the first says that text
   * and nothing else, the second says its own and nothing else, and reading the second changes nothing.
   */
  readonly saysAlike?: true;
}

/** Writes one stream, event by event. */
export interface StreamWriter {
  /** The frames that say an event. An error ends the stream: only `end` follows it. */
  write(event: ChatEvent): readonly Frame[];
  /** What ends the stream. */
  end(): readonly Frame[];
  /**
   * Takes note of a plain piece of text behind another one that was written here: with its own text it was written as that
   * was. Not given where no two of them are alike.
   */
  noteText?(characters: number): void;
}

/** The upstream's half of a chat format: what it takes to ask and to understand the answer. */
export interface Egress extends Pick<Wire, 'askForUsage' | 'tap' | 'tapWhole' | 'readError'> {
  readonly name: string;
  /** Throws `invalid_request` naming the field that this format cannot say. */
  writeRequest(request: ChatRequest): Readonly<Record<string, unknown>>;
  readWhole(body: unknown): ChatEvent[];
  /** A whole reply where a stream was asked for comes as the only frame. */
  openReader(): StreamReader;
  /** Its upstreams know no stop sequences: who hears them for another format's caller ends the answer there itself. */
  readonly hasNoStops?: true;
  /**
   * How many stop sequences a model takes; default: any number. Who hears it for another format's caller who has more ends
   * the answer there itself.
   */
  mostStops?(model: string): number;
  /** How tools and calls may be called; default: as in chats, in plain letters. */
  readonly names?: NameRules;
  /** The body of a whole reply whose bytes are not JSON; undefined where they make no sense. Default: JSON. */
  parseWhole?(bytes: Buffer): unknown;
}

/** A wire format, spoken from both sides. `read` turns the wire into our words, `write` our words into the wire. */
export interface Dialect extends Wire, Egress {
  readonly name: DialectName;
  readRequest(body: unknown): ChatRequest;
  /** `asked`: the request that is answered, where what is called in it decides how a call is written. */
  writeWhole(events: readonly ChatEvent[], asked?: ChatRequest): unknown;
  openWriter(asked?: ChatRequest): StreamWriter;
}
