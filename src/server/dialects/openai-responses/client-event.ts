import { AppError } from '#core/error.ts';
import { valuesIn, AT_ONCE_MAX_BYTES } from '#core/json/bounds.ts';
import { type JsonMember, jsonMembers } from '#core/json/members.ts';

/*
 * What callers send over a WebSocket of `/v1/responses`. Source: developers.openai.com/api/docs/guides/websocket-mode
 * and `ResponsesClientEvent` of OpenAI's clients.
 */

/** An event requests a response, or to end a running one, or needs no answer. */
export type ClientEvent = CreateEvent | InterruptEvent | { readonly type: 'acknowledged' };

/** `response.interrupt`: Codex 0.162 and later wants to say something else before this response has ended. */
export interface InterruptEvent {
  readonly type: 'interrupt';
  readonly responseId: string;
}

/** `response.create`: the body of a `POST /v1/responses`, and what only the connection needs. */
export interface CreateEvent {
  readonly type: 'create';
  /** The lane of the connection it runs in; undefined for the default lane. */
  readonly streamId: string | undefined;
  /** False: only prepares what later turns continue from. */
  readonly generates: boolean;
  readonly previousId: string | undefined;
  readonly model: string;
  /** Whether the upstream may store its response; false if the request forbids it. */
  readonly mayBeKept: boolean;
  /** It continues a conversation that the upstream keeps. */
  readonly isOfConversation: boolean;
  /** Its input as items of a JSON list, without the brackets, in pieces; undefined if it is neither a text nor a list. */
  readonly input: readonly Buffer[] | undefined;
  /**
   * The body of the same call over HTTP, streamed, in pieces: joining many megabytes takes long.
   * @param history items that come before its input, in place of `previous_response_id`
   */
  body(history?: readonly Buffer[]): readonly Buffer[];
}

const STREAM_ID = /^[\w.-]{1,256}$/;
/** Fields of the connection itself, or decided by it. */
const ENVELOPE: ReadonlySet<string> = new Set(['type', 'stream_id', 'generate', 'background', 'stream']);
/** Splitting a text of more values would block other calls. */
const MOST_VALUES = 100_000;
/** A larger one is not parsed just to name its fault. */
const MOST_WORD_LETTERS = 100;

const COMMA = Buffer.from(',');
const QUOTE = 0x22;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;

/** An error with the code that OpenAI's clients know. */
const refused = (reason: string, message: string, param?: string): AppError =>
  new AppError('invalid_request', message, { reason, ...(param !== undefined && { param }) });

/** Reads what a caller sends. Throws `invalid_request` or `payload_too_large`. */
export const readClientEvent = (data: Buffer): ClientEvent => {
  if (valuesIn(data, MOST_VALUES) === Infinity)
    throw new AppError('payload_too_large', 'the event holds too many values: send it over HTTP');
  const members = membersOf(data);
  const field = (name: string): unknown => parsedField(data, members.get(name));
  const type = field('type');
  // Codex tells the server that it has read a response.
  if (type === 'response.processed') return { type: 'acknowledged' };
  if (type === 'response.interrupt') return interruptOf(field('response_id'), field('mode'));
  if (type !== 'response.create') throw isJson(data) ? unknownType(type) : notJson();
  if (field('background') === true)
    throw refused('unsupported_parameter', "'background' is not supported over a WebSocket", 'background');
  const previousId = field('previous_response_id') ?? undefined;
  if (previousId !== undefined && typeof previousId !== 'string')
    throw refused('invalid_type', "'previous_response_id' must be a string", 'previous_response_id');
  const model = field('model');
  return {
    type: 'create',
    streamId: streamIdOf(field('stream_id')),
    generates: field('generate') !== false,
    previousId,
    model: typeof model === 'string' ? model : '',
    mayBeKept: field('store') !== false,
    isOfConversation: (field('conversation') ?? null) !== null,
    input: itemsIn(data, members.get('input')),
    body: (history) => bodyOf(data, members, history),
  };
};

/** The only mode that Codex uses: unfinished items are dropped. */
const INTERRUPT_MODE = 'discard_partial_items';

const interruptOf = (responseId: unknown, mode: unknown): InterruptEvent => {
  if (typeof responseId !== 'string' || responseId === '')
    throw refused('missing_required_parameter', "Missing required parameter: 'response_id'.", 'response_id');
  if (mode !== INTERRUPT_MODE)
    throw refused('invalid_value', `Invalid mode: supported values are: '${INTERRUPT_MODE}'.`, 'mode');
  return { type: 'interrupt', responseId };
};

/** The lane an event belongs to, if it is readable; errors about the event name it. */
export const laneOf = (data: Buffer): string | undefined => {
  if (valuesIn(data, MOST_VALUES) === Infinity) return undefined;
  try {
    return streamIdOf(parsedField(data, membersOf(data).get('stream_id')));
  } catch {
    return undefined;
  }
};

/** If a name occurs twice, the last one counts, as in every JSON parser. */
const membersOf = (data: Buffer): ReadonlyMap<string, JsonMember> => {
  try {
    return new Map(jsonMembers(data).map((member) => [member.name, member]));
  } catch {
    throw notJson();
  }
};

/** A parsed plain value; undefined for a list or an object. */
const parsedField = (data: Buffer, member: JsonMember | undefined): unknown => {
  if (member === undefined) return undefined;
  const first = data[member.start];
  if (first === OPEN_LIST) return undefined;
  // Nobody needs its content.
  if (first === OPEN_OBJECT) return {};
  if (member.end - member.start > 6 * KNOWN_LETTERS) return undefined;
  try {
    return JSON.parse(data.toString('utf8', member.start, member.end)) as unknown;
  } catch {
    throw notJson();
  }
};

/** No id, type or name is longer. */
const KNOWN_LETTERS = 1024;

const isJson = (data: Buffer): boolean => {
  if (data.length > AT_ONCE_MAX_BYTES) return true;
  try {
    const value = JSON.parse(data.toString()) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

const notJson = (): AppError =>
  refused('invalid_json', 'We could not parse the event: a JSON object is expected.');

const unknownType = (type: unknown): AppError => {
  if (typeof type !== 'string')
    return refused('missing_required_parameter', "Missing required parameter: 'type'.", 'type');
  const word = type.slice(0, MOST_WORD_LETTERS);
  return refused(
    'invalid_value',
    `Invalid value: '${word}'. Supported values are: 'response.create' and 'response.interrupt'.`,
    'type',
  );
};

const streamIdOf = (value: unknown): string | undefined => {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && STREAM_ID.test(value)) return value;
  throw refused(
    'invalid_stream_id',
    "The 'stream_id' field must be a non-empty string with at most 256 characters and may only contain letters, " +
      'numbers, underscores, hyphens, and periods.',
    'stream_id',
  );
};

const itemsIn = (data: Buffer, member: JsonMember | undefined): readonly Buffer[] | undefined => {
  if (member === undefined) return [];
  const { start, end } = member;
  if (data[start] === OPEN_LIST) return [trimmed(data.subarray(start + 1, end - 1))];
  if (data[start] !== QUOTE) return undefined;
  const text = data.subarray(start, end);
  return [Buffer.from('{"type":"message","role":"user","content":'), text, Buffer.from('}')];
};

const trimmed = (bytes: Buffer): Buffer => {
  let start = 0;
  let end = bytes.length;
  while (start < end && (bytes[start] ?? 0) <= 0x20) start += 1;
  while (end > start && (bytes[end - 1] ?? 0) <= 0x20) end -= 1;
  return bytes.subarray(start, end);
};

const bodyOf = (
  data: Buffer,
  members: ReadonlyMap<string, JsonMember>,
  history: readonly Buffer[] | undefined,
): readonly Buffer[] => {
  const pieces: Buffer[] = [Buffer.from('{"stream":true')];
  const replaced = history === undefined ? undefined : itemsIn(data, members.get('input'));
  for (const { name, start, end } of members.values()) {
    if (ENVELOPE.has(name)) continue;
    if (replaced !== undefined && (name === 'input' || name === 'previous_response_id')) continue;
    pieces.push(Buffer.from(`,${JSON.stringify(name)}:`), data.subarray(start, end));
  }
  if (replaced !== undefined)
    pieces.push(Buffer.from(',"input":['), ...joinedItems(history ?? [], replaced), Buffer.from(']'));
  pieces.push(Buffer.from('}'));
  return pieces;
};

/** Lists of items as one, all without brackets; the last one is in pieces. */
const joinedItems = (lists: readonly Buffer[], last: readonly Buffer[]): readonly Buffer[] =>
  [...lists.map((list) => [list]), last]
    .filter((pieces) => pieces.some(({ length }) => length > 0))
    .flatMap((pieces, index) => (index === 0 ? pieces : [COMMA, ...pieces]));
