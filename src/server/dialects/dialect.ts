import type { Counting } from './openai/usage/estimate-tokens.ts';
import type { PaidTool } from '#contract/options/tool-prices.ts';
import type { ChatEvent, FinishReason } from '#core/chat/event.ts';
import type { ChatRequest, DialectName } from '#core/chat/request.ts';
import type { NameRules } from '#core/chat/fitted-names.ts';
import type { ToolCalls, Usage } from '#core/chat/usage.ts';
import type { AppError } from '#core/error.ts';
import type { ServiceTerms } from '#core/quota/service-terms.ts';
import type { CountName } from '#core/quota/merge-reports.ts';
import type { Fields } from '#core/json/fields.ts';
import type { NamedContainer } from './containers.ts';
import type { CutStream, ShownStream } from './ends/cut-stream.ts';
import type { Frame } from './frame.ts';

/** The facts of a request that routing, limits and the hold need, in any format. */
export interface RequestFacts {
  /** The caller's name of it, or what an alias of the site stands for. */
  readonly model: string;
  /** The name in the request, if it is an alias of the model. */
  readonly askedModel?: string;
  readonly stream: boolean;
  /** Maximum tokens of one answer, if the caller set it. */
  readonly maxOutputTokens: number | undefined;
  /** The maximum is in a field that not every upstream of the format knows, so an answer may be longer. */
  readonly isLimitForeign?: boolean;
  /** Number of answers asked for; at least 1. */
  readonly choices: number;
  /**
   * How many answers may be made and charged, if that is more than `choices`: best-of, or fields only some upstreams
   * know.
   */
  readonly paidAnswers?: number;
  /** Longer answers with token probabilities would be too long to read, so none is requested. */
  readonly answerTokensMost?: number;
  /** Multiplies a price per call; absent means once. Set for several, larger or finer pictures. */
  readonly callFactor?: number;
  /** Upper estimate of the prompt tokens, for the hold. */
  readonly inputTokensEstimate: number;
  /** How many of them are of sound, which may cost more; missing if none are. */
  readonly soundTokens?: number;
  /** How many are of pictures, pages of documents among them; missing if none are. */
  readonly pictureTokens?: number;
  /** How many more there are if the pictures whose size is not known are large; missing if the size of all is known. */
  readonly morePictureTokens?: number;
  /**
   * How many of them are read again, as the query is for each document to rank. Part of the hold beside the estimate,
   * and never charged.
   */
  readonly readAgainTokens?: number;
  /** How many are known exactly: sent as token numbers, or of a conversation of known length; missing if none are. */
  readonly knownTokens?: number;
  /** Cache writes are to last for an hour, which costs more. */
  readonly keepsAnHour?: true;
  /** The most that an honest upstream counts; missing if it may read more than was sent. */
  readonly promptTokensMost?: number;
  /**
   * The prompt may fill the model's context, because part of it is not in the request or cannot be counted: files, which
   * are surely read, or what tools may read (web pages, answers of tool servers).
   */
  readonly mayFillContext?: 'files' | 'tools';
  /** Continues a conversation that the upstream keeps, whose length is not known from the request. */
  readonly continues?: boolean;
  /** The caller itself asked for usage at the end of the stream, so it gets it. */
  readonly wantsStreamUsage: boolean;
  /** The answer is to be spoken, so its tokens may be of sound. */
  readonly speaks?: true;
  /** The model may use the upstream's image tool: its pictures are charged separately. */
  readonly draws?: ToolPictures;
  /** The upstream's own tools that are charged per call and offered to the model, with the calls a hold assumes. */
  readonly toolCalls?: ToolCalls;
  /** The output of an answer that a larger hold assumes; missing if it is the same. */
  readonly outputTokensMost?: number;
  /** The calls that a larger hold assumes; missing if they are the same. */
  readonly toolCallsMost?: ToolCalls;
  /** The path of a field that names something in the upstream's account; absent if none does. */
  readonly accountObject?: string;
  /** The containers it names, which must be the caller's own; absent if it names none. */
  readonly containers?: readonly NamedContainer[];
  /** The field that asks the upstream for work that has no price. */
  readonly unpricedWork?: string;
  /** The tier, speed and region requested; missing if the standard will do. */
  readonly terms?: ServiceTerms;
}

/** The pictures that a tool may make in an answer. */
export interface ToolPictures {
  /** The model that makes them. */
  readonly model: string;
  readonly size: string | undefined;
  readonly quality: string | undefined;
  /** How often a picture is shown before it is done. */
  readonly previews: unknown;
  /** Maximum number of pictures, if the caller set it. */
  readonly most: number | undefined;
}

/** What one frame or whole body reports about the call. */
export interface Tapped {
  readonly usage?: Usage;
  /** Counts of `usage` that are 0 only because this report lacks them; an earlier report may have them. */
  readonly usageLacks?: readonly CountName[];
  /** The parts of `usage` by choice index, if choices report theirs separately. */
  readonly usageOfChoices?: ReadonlyMap<number, Usage>;
  /** A tool begins to draw, and has made, one more picture. */
  readonly drawing?: true;
  readonly picture?: true;
  /** All pictures that a tool has made, and their usage if reported. */
  readonly pictures?: { readonly count: number; readonly usage: Usage | undefined };
  /** The upstream ran one of its own tools that is charged per call. */
  readonly toolCall?: PaidTool;
  /** All such calls of the answer so far. */
  readonly toolCalls?: ToolCalls;
  /** The tier, speed and place it was served with. */
  readonly served?: ServiceTerms;
  /** The model that the reply names. */
  readonly model?: string;
  /** The upstream's id of the reply, as its bills may name it. */
  readonly replyId?: string;
  readonly finish?: FinishReason;
  readonly error?: AppError;
  /** The answer ended in a failure that other formats cannot express: their callers get an error. */
  readonly failure?: AppError;
  /** The failure is only that this frame has no words: words of earlier ones excuse it. */
  readonly lacksWords?: true;
  /** The numbers of the answers that ended in this frame. */
  readonly ended?: readonly number[];
  /** Something the caller sees: text, a tool call, reasoning. Before the first, the call can be retried elsewhere. */
  readonly content?: boolean;
  /**
   * UTF-8 bytes of answer text in it, for the estimate if no usage comes. Bytes, because a character outside the Latin
   * alphabet is about a token of its own and should count more than a letter.
   */
  readonly outputBytes?: number;
  /** The same of the whole answer, where an event repeats it; there may have been no words before it. */
  readonly answerBytes?: number;
  /** The answer contains thinking that is not fully shown. */
  readonly thinks?: true;
  /** Contains only usage: hidden from callers who did not ask for it. */
  readonly usageOnly?: boolean;
  /** The id of an item the upstream may keep, as later requests refer to it. */
  readonly itemId?: string;
  /** The containers that code ran in, as later requests refer to them. */
  readonly containerIds?: readonly string[];
  /** The stream's own end mark. */
  readonly done?: boolean;
}

/** Formats of operations other than chat. */
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

/** A stream forwarded unchanged so far: its first events, and the last ones written. */
export interface PassedStream {
  readonly first: readonly Frame[];
  /** The most recent frame is last. */
  readonly last: readonly Buffer[];
  /** The items shown so far, if the last event repeats them and they were stored. */
  readonly items?: readonly Fields[] | undefined;
}

/** What is done about the length of an answer where a body says none. */
export type IfUnsaid = 'set' | 'leave';

/**
 * A wire format as needed to forward bytes unchanged: facts of the request, tap of the response, errors. Formats that
 * are never converted (embeddings, old completions) need no more.
 */
export interface Wire {
  readonly name: DialectName | PlainName;
  /**
   * Checks the fields used here and bounds every number. Throws `invalid_request` naming the field.
   * @param counting how the prompt's texts are counted; default: by their bytes
   */
  facts(body: Readonly<Record<string, unknown>>, counting?: Counting): RequestFacts;
  /** The upstream's own tools that a model uses without being asked to; missing if there are none. */
  toolsOf?(model: string): ToolCalls | undefined;
  /** Asks the upstream for usage at the end of a stream; missing if the format always sends it. */
  askForUsage?(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Reads usage, finish or error from one frame, parsing as little as possible and keeping nothing. */
  tap(frame: Frame): Tapped | undefined;
  tapWhole(body: unknown): Tapped;
  /**
   * Lowers the length of the answer that a body asks for to this many tokens, and sets or leaves it where it is not
   * said. Returns a body that asks for less unchanged. Absent where a length cannot be asked for.
   */
  limitOutput?(
    body: Readonly<Record<string, unknown>>,
    tokens: number,
    ifUnsaid: IfUnsaid,
  ): Readonly<Record<string, unknown>>;
  /**
   * An event of a stream with its words replaced by what `cut` leaves of them, and without its end, usage, calls and media;
   * undefined if it has no words. Without this, an event that is not paid in full is withheld, unless all it has is one text.
   */
  cutWords?(event: Fields, cut: (words: string) => string): Fields | undefined;
  /**
   * The frames that end a forwarded stream correctly: its answers have reached their greatest length. Absent where that
   * cannot be said.
   */
  endAtLimit?(cut: CutStream): readonly Frame[];
  /** The usage to assume if the upstream reports none; default: counted from the text. */
  usageWithoutReport?(body: Readonly<Record<string, unknown>>, reply: unknown): Usage;
  /** The model and length of a form decide its price, so it may be sent while it is still arriving. */
  readonly goesOutEarly?: true;
  /** A whole response may be other than JSON, such as sound: it is forwarded as it arrives. */
  readonly answersInBytes?: true;
  /** `retryAfter` is the upstream's header, unparsed. */
  readError(status: number, body: unknown, retryAfter?: string): AppError;
  writeError(error: AppError, requestId: string): { readonly status: number; readonly body: unknown };
  /** What follows the last event of a stream, if the format marks the end. */
  readonly endMark?: Buffer;
  /** The frames that end a stream correctly with an error. */
  /** `passed`: what the caller already has of a stream that was forwarded unchanged. */
  writeStreamError(error: AppError, requestId: string, passed?: PassedStream): Buffer;
}

/** Reads a stream, frame by frame. */
export interface StreamReader {
  /** The events of a frame; none after the end mark. Unreadable frames give no events. */
  read(frame: Frame): readonly ChatEvent[];
  /** The remaining events once the stream has ended. */
  end(): readonly ChatEvent[];
  /**
   * True if frames that differ only in one JSON text give events that differ only in that text, and reading them
   * changes no state. Then the second of two such frames need not be parsed.
   */
  readonly hasUniformDeltas?: true;
}

/** Writes a stream, event by event. */
export interface StreamWriter {
  /** The frames for an event. After an error, only `end` may be called. */
  write(event: ChatEvent): readonly Frame[];
  /** The frames that end the stream. */
  end(): readonly Frame[];
  /**
   * Records a further chunk of plain text that was copied from the frame before it, with its own text put in. Absent if
   * no two frames are alike.
   */
  noteText?(characters: number): void;
}

/** The upstream's side of a chat format: writes requests and reads responses. */
export interface Egress extends Pick<
  Wire,
  'askForUsage' | 'tap' | 'tapWhole' | 'readError' | 'limitOutput' | 'cutWords'
> {
  readonly name: string;
  /** Throws `invalid_request` naming a field that this format cannot express. */
  writeRequest(request: ChatRequest): Readonly<Record<string, unknown>>;
  readWhole(body: unknown): ChatEvent[];
  /** If the upstream sends a whole reply instead of a stream, it is the only frame. */
  openReader(): StreamReader;
  /** Its upstreams have no stop sequences: for callers of other formats we end the answer ourselves. */
  readonly hasNoStops?: true;
  /**
   * How many stop sequences a model takes; default: any number. Further ones of callers of other formats are applied by us.
   */
  mostStops?(model: string): number;
  /** Its upstreams refuse stop sequences of only white space: those are applied by us, too. */
  readonly refusesBlankStops?: true;
  /** The allowed names of tools and ids of calls. Default: those of chats. */
  readonly names?: NameRules;
  /** Parses the bytes of a whole reply; undefined if invalid. Default: JSON. */
  parseWhole?(bytes: Buffer): unknown;
}

/** A wire format, for callers and upstreams. `read` turns wire bytes into requests and events, `write` does the inverse. */
export interface Dialect extends Wire, Egress {
  readonly name: DialectName;
  readRequest(body: unknown): ChatRequest;
  /** `asked` is the answered request: its tools decide how a call is written. */
  writeWhole(events: readonly ChatEvent[], asked?: ChatRequest): unknown;
  openWriter(asked?: ChatRequest): StreamWriter;
  endAtLimit(cut: CutStream): readonly Frame[];
  /** Records what a stream shows; missing if the format's last event does not repeat it. */
  openShown?(): ShownStream;
}
