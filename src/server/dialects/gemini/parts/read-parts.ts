import type { ContentPart, Media } from '#core/chat/request.ts';
import { isFields, isGiven, otherFields, textOf, type Fields } from '#core/json/fields.ts';
import { misshapen } from '../../listed-parts.ts';
import { readArguments } from '../../call-arguments.ts';
import { byIndex, callersList, camelFields } from '../fields.ts';
import { readSignature } from './signature.ts';

export const KNOWN_WITH_TEXT = new Set(['text', 'thought', 'thoughtSignature']);
const KNOWN_WITH_BLOB = new Set(['inlineData', 'fileData']);

/** The calls of a conversation so far: gives every call an id, and finds the call of a result without one. */
export class CallNames {
  readonly #open: { readonly id: string; readonly name: string }[] = [];
  #count = 0;

  /** The id of a call; if the request has none, a generated one, the same for every request of the conversation. */
  called(id: string | undefined, name: string): string {
    this.#count += 1;
    const known = id ?? `call_${this.#count}_${name.replace(/[^\w-]/g, '_').slice(0, 24)}`;
    this.#open.push({ id: known, name });
    return known;
  }

  /** The id of the call that a result answers: the given one, or the oldest open call of that name. */
  answered(id: string | undefined, name: string): string {
    const at = this.#open.findIndex((call) => (id === undefined ? call.name === name : call.id === id));
    const [call] = at === -1 ? [] : this.#open.splice(at, 1);
    return id ?? call?.id ?? `call_0_${name.replace(/[^\w-]/g, '_').slice(0, 24)}`;
  }
}

/**
 * Reads the parts of one content. A part without a common form is stored whole as an extra. Throws `invalid_request` for
 * anything else than objects, and for a part that holds two things; `param` is the name of the field.
 */
export const readParts = (value: unknown, calls: CallNames, param: string): ContentPart[] =>
  joinPieces(
    callersList(value, param).map((part, at) => {
      if (holdsTwo(part)) throw misshapen(byIndex(param, at), 'holds more than one thing');
      return readPart(part, calls, byIndex(param, at));
    }),
  );

/** What a part can be, of which Google accepts one (ai.google.dev/api/caching#Part, the union `data`). */
const KINDS: ReadonlySet<string> = new Set([
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
]);

const holdsTwo = (part: Fields): boolean => {
  let kinds = 0;
  for (const name in part) if (KINDS.has(name) && isGiven(part[name])) kinds += 1;
  return kinds > 1;
};

/** Joins thoughts that were streamed in pieces. */
const joinPieces = (pieces: readonly ContentPart[]): ContentPart[] => {
  const parts: ContentPart[] = [];
  for (const part of pieces) {
    const joined = joinThoughts(parts.at(-1), part);
    if (joined === undefined) parts.push(part);
    else parts[parts.length - 1] = joined;
  }
  return parts;
};

/** Joins a turn that was streamed as two contents, including a thought or text cut in two. */
export const joinContents = (
  before: readonly ContentPart[],
  after: readonly ContentPart[],
): readonly ContentPart[] => {
  // The last chunk of a stream only contains the finish reason.
  const [first, ...rest] = after.filter((part) => !isEmptyText(part));
  const last = before.at(-1);
  if (first === undefined) return before;
  if (last === undefined || isEmptyText(last)) return [...before.slice(0, -1), first, ...rest];
  const joined = joinThoughts(last, first) ?? joinTexts(last, first);
  return joined === undefined ? [...before, first, ...rest] : [...before.slice(0, -1), joined, ...rest];
};

const isEmptyText = (part: ContentPart): boolean =>
  part.type === 'text' && part.text === '' && part.extras === undefined;

/** The signature of a text comes with its last chunk. */
const joinTexts = (before: ContentPart, part: ContentPart): ContentPart | undefined => {
  if (before.type !== 'text' || part.type !== 'text') return undefined;
  const isPiece = Object.keys(part.extras?.gemini ?? {}).every((key) => key === 'thoughtSignature');
  if (before.extras !== undefined || !isPiece) return undefined;
  return { ...part, text: before.text + part.text };
};

/** Joins streamed chunks of a thought; the signature comes with the last one. */
const joinThoughts = (before: ContentPart | undefined, part: ContentPart): ContentPart | undefined => {
  if (before?.type !== 'reasoning' || part.type !== 'reasoning') return undefined;
  if (before.signature !== undefined || before.redacted !== undefined || part.redacted !== undefined)
    return undefined;
  return { ...before, ...part, text: before.text + part.text };
};

const readPart = (part: Fields, calls: CallNames, param: string): ContentPart => {
  if (typeof part['text'] === 'string') return readText(part, part['text']);
  if (isFields(part['inlineData']) || isFields(part['fileData'])) return readBlob(part);
  if (isFields(part['functionCall'])) return readCall(part, calls);
  if (isFields(part['functionResponse']))
    return readResult(camelFields(part['functionResponse']), calls, param);
  return unknownPart(part);
};

const readText = (part: Fields, text: string): ContentPart => {
  const others = otherFields(part, KNOWN_WITH_TEXT);
  const extras = others === undefined ? {} : { extras: { gemini: others } };
  const opened = readSignature(part['thoughtSignature']);
  if (part['thought'] === true || opened.redacted !== undefined)
    return { type: 'reasoning', text, ...opened, ...extras };
  if (opened.signatureFrom !== 'gemini') return { type: 'text', text, ...extras };
  return { type: 'text', text, extras: { gemini: { ...others, thoughtSignature: opened.signature } } };
};

/** The kind of a blob by its media type: picture, sound, or any other file, video included. */
export const mediaKind = (mediaType: string): 'image' | 'audio' | 'file' => {
  if (mediaType.startsWith('image/')) return 'image';
  return mediaType.startsWith('audio/') ? 'audio' : 'file';
};

const readBlob = (part: Fields): ContentPart => {
  const blob = camelFields(part['inlineData'] ?? part['fileData']);
  const media = readMedia(blob);
  if (media === undefined) return unknownPart(part);
  const mediaType = textOf(blob['mimeType']) ?? '';
  const name = textOf(blob['displayName']);
  const others = otherFields(part, KNOWN_WITH_BLOB);
  return {
    type: mediaKind(mediaType),
    media,
    ...(mediaKind(mediaType) === 'file' && name !== undefined && { name }),
    ...(others !== undefined && { extras: { gemini: others } }),
  };
};

/** Base64 bytes, or a URL, usually of a file stored at Google. */
export const readMedia = (blob: Fields): Media | undefined => {
  const mediaType = textOf(blob['mimeType']);
  if (typeof blob['data'] === 'string')
    return { from: 'base64', data: blob['data'], mediaType: mediaType ?? 'application/octet-stream' };
  const url = textOf(blob['fileUri']);
  return url === undefined ? undefined : { from: 'url', url, ...(mediaType !== undefined && { mediaType }) };
};

const readCall = (part: Fields, calls: CallNames): ContentPart => {
  const call = camelFields(part['functionCall']);
  const name = textOf(call['name']) ?? '';
  const { signature, signatureFrom } = readSignature(part['thoughtSignature']);
  return {
    type: 'tool-call',
    id: calls.called(textOf(call['id']), name),
    name,
    argumentsText: readArguments(call['args'] ?? {}),
    ...(signature !== undefined && signatureFrom !== undefined && { signature, signatureFrom }),
  };
};

/**
 * Reads a function's result: an object in which `output` is the text of a result and `error` that of a failure
 * (ai.google.dev/api/caching#FunctionResponse). Any other object becomes JSON text and is also stored unchanged.
 */
const readResult = (result: Fields, calls: CallNames, param: string): ContentPart => {
  const name = textOf(result['name']) ?? '';
  const response = isFields(result['response']) ? result['response'] : {};
  const keys = Object.keys(response);
  const [only] = keys;
  const isPlain =
    keys.length === 1 && (only === 'output' || only === 'error') && typeof response[only] === 'string';
  const others = otherFields(result, new Set(['id', 'name', 'response', 'parts']));
  const kept = { ...others, ...(!isPlain && keys.length > 0 && { response }) };
  const text = isPlain ? String(response[String(only)]) : keys.length === 0 ? '' : JSON.stringify(response);
  return {
    type: 'tool-result',
    callId: calls.answered(textOf(result['id']), name),
    name,
    content: [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...readParts(result['parts'], calls, `${param}.functionResponse.parts`),
    ],
    ...(only === 'error' && isPlain && { isError: true }),
    ...(Object.keys(kept).length > 0 && { extras: { gemini: kept } }),
  };
};

const unknownPart = (part: Fields): ContentPart => ({
  type: 'text',
  text: '',
  extras: { gemini: { type: 'part', part } },
});
