import { AT_ONCE_MAX_BYTES } from '#core/json/bounds.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import type { OptionValues } from '#contract/options.ts';
import { type AppError, asAppError } from '#core/error.ts';
import type { WordOptions } from '#core/words/check-words.ts';
import type { Dialect, Wire } from '../../dialects/dialect.ts';
import type { Reference } from '../../dialects/openai-responses/references.ts';
import type { RelayCall } from '../calls.ts';
import {
  readRequest,
  type Rename,
  aliasedFarRequest,
  type Surveyed,
  surveyed,
} from '../request/read-request.ts';
import type { AssumedUsage, CallerRequest, FarRequest, WriteTerms, WrittenBody } from '../request/request.ts';
import { channelToWire, type FarDesk, type FarForm, type FarRead, type FarThreads } from './far-wire.ts';
import { copied } from './own-bytes.ts';

/** Parsing a body with more values on this thread would block other calls. */
const NEAR_MAX_VALUES = 10_000;

const formOf = ({ channel, ...terms }: WriteTerms): FarForm => ({
  ...terms,
  channel: channelToWire(channel),
});

/** A request whose body is parsed in another thread. A fact that this thread lacks is asked for there, once. */
export class AskedFar implements FarRequest {
  readonly #desk: FarDesk;
  readonly #refusals = new Map<string, AppError | undefined>();
  readonly #missing = new Map<string, WriteTerms>();
  readonly word: string | undefined;
  readonly references: readonly Reference[];
  readonly hasNoEffects: boolean;
  readonly promptHead: string | undefined;
  readonly assumed: AssumedUsage | undefined;
  /** Asks the thread that has the request: some replies are read with the whole request at hand. */
  readonly ask: FarDesk['ask'];
  chatRequest: ChatRequest | undefined;

  constructor(desk: FarDesk, { word, references, hasNoEffects, promptHead, assumed }: FarRead) {
    this.#desk = desk;
    this.ask = desk.ask;
    this.assumed = assumed;
    this.word = word;
    this.references = references;
    this.hasNoEffects = hasNoEffects;
    this.promptHead = promptHead;
  }

  refusal(terms: WriteTerms): AppError | undefined {
    const { channel, format, isUnsigned, omitsTools } = terms;
    const key = `${String(channel.id)} ${format} ${String(isUnsigned)} ${String(omitsTools)}`;
    if (!this.#refusals.has(key)) this.#missing.set(key, terms);
    return this.#refusals.get(key);
  }

  async learn(): Promise<boolean> {
    if (this.#missing.size === 0) return false;
    for (const [key, terms] of this.#missing) {
      try {
        this.chatRequest = await this.#desk.ask({ kind: 'write', form: formOf(terms) });
        this.#refusals.set(key, undefined);
      } catch (thrown) {
        const error = asAppError(thrown);
        if (error.code !== 'invalid_request') throw error;
        this.#refusals.set(key, error);
      }
    }
    this.#missing.clear();
    return true;
  }

  async spareTokens(): Promise<number> {
    return (await this.#desk.ask({ kind: 'spare' })).tokens;
  }

  async bodyFor(terms: WriteTerms, upstreamModel: string, options: OptionValues): Promise<WrittenBody> {
    const question = { kind: 'send', form: formOf(terms), upstreamModel, options } as const;
    const { bytes, ...rest } = await this.#desk.ask(question);
    return { ...rest, body: bytes === undefined ? undefined : Buffer.from(bytes.buffer) };
  }
}

/**
 * Repeats `decide` until everything it asks of a far request is known. For a request read in this thread it runs once,
 * at once.
 */
export const decided = <Value>(
  { far }: Pick<CallerRequest, 'far'>,
  decide: () => Value,
): Value | Promise<Value> => (far === undefined ? decide() : decidedFar(far, decide));

const decidedFar = async <Value>(
  far: NonNullable<CallerRequest['far']>,
  decide: () => Value,
): Promise<Value> => {
  for (;;) {
    const value = decide();
    if (!(await far.learn())) return value;
  }
};

/** Counting the pages of a longer document on this thread would block other calls. */
const NEAR_DOCUMENT_BYTES = 16 * 1024;
/** How PDF and ZIP files begin in base64. */
const DOCUMENTS = ['JVBERi0', 'UEsDB'] as const;

const hasDocument = (bytes: Buffer): boolean =>
  bytes.length > NEAR_DOCUMENT_BYTES && DOCUMENTS.some((head) => bytes.includes(head, 0, 'latin1'));

/**
 * The survey of a body that this thread may parse; undefined for one that is too large. Throws `invalid_request` if it is
 * too large for any.
 */
export const surveyIfLight = (bytes: Buffer): Surveyed | undefined => {
  if (bytes.length > AT_ONCE_MAX_BYTES || hasDocument(bytes)) return undefined;
  const survey = surveyed(bytes);
  return survey.values > NEAR_MAX_VALUES ? undefined : survey;
};

interface Reading {
  readonly call: RelayCall;
  readonly wire: Wire | Dialect;
  readonly userId: number;
  readonly words: WordOptions;
  readonly rename: Rename;
}

/** A request, and how to free its place in another thread if it has one. */
export interface ReadRequest {
  readonly request: CallerRequest;
  readonly release: (() => void) | undefined;
}

/** Reads a body on this thread, or returns a promise and reads it in another if it is large. Throws as `readRequest`. */
export const readAnywhere = (
  threads: FarThreads | undefined,
  reading: Reading,
  bytes: Buffer,
): ReadRequest | Promise<ReadRequest> => {
  const survey = threads === undefined ? surveyed(bytes) : surveyIfLight(bytes);
  if (threads !== undefined && survey === undefined) return readFar(threads, reading, bytes);
  const { call, wire, rename } = reading;
  return { request: readRequest(call, wire, bytes, survey, rename), release: undefined };
};

const readFar = async (
  threads: FarThreads,
  { call, wire, userId, words, rename }: Reading,
  bytes: Buffer,
): Promise<ReadRequest> => {
  const desk = threads.open(userId, call.ip);
  try {
    const read = await desk.ask({ kind: 'read', call: farCall(call), bytes: await copied([bytes]), words });
    const request = aliasedFarRequest({ ...read, bytes, far: new AskedFar(desk, read) }, wire, rename);
    return { request, release: () => desk.leave() };
  } catch (thrown) {
    desk.leave();
    throw thrown;
  }
};

const farCall = ({ operation, dialect, playground, pathModel, pathStream, headers }: RelayCall) => ({
  operation,
  dialect,
  playground,
  pathModel,
  pathStream,
  headers,
});
