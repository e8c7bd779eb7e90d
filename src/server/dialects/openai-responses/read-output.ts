import type { ChatEvent } from '#core/chat/event.ts';
import { PLACE_FIELDS, readPlace } from '../openai/citation-place.ts';
import { FREE_TEXT_BEGINS, FREE_TEXT_ENDS, writeFreeText } from '../openai/free-text.ts';
import { fieldsOf, isFields, listOf, otherFields, textOf, type Fields } from '../openai/fields.ts';
import { ownExtras } from './read-parts.ts';
import { readThought } from './read-items.ts';
import { readSealed } from './sealed.ts';
import { joinedName } from './namespaces.ts';
import { readLogprobs, withLogprobs } from '../openai/logprobs.ts';

/** What has been told of an item already, so that its end adds only what is missing. */
export interface Told {
  /** A call was announced. */
  started: boolean;
  /** Text, a thought or arguments came in pieces. */
  pieces: boolean;
  citations: boolean;
  /** Its end was read. */
  closed: boolean;
}

export const nothingTold = (): Told => ({ started: false, pieces: false, citations: false, closed: false });

/** The first word of an item: only calls have one. */
export const readItemStart = (item: Fields, index: number, told: Told): ChatEvent[] => {
  const isFreeText = item['type'] === 'custom_tool_call';
  if ((item['type'] !== 'function_call' && !isFreeText) || told.started) return [];
  told.started = true;
  return [
    {
      type: 'tool-call-start',
      choice: 0,
      index,
      id: textOf(item['call_id']) ?? textOf(item['id']) ?? '',
      name: joinedName(item),
      ...(isFreeText && { isFreeText }),
    },
  ];
};

/** What a finished item says beyond what was told of it in pieces: all of it where there were none. */
export const readItemEnd = (item: Fields, index: number, told: Told): ChatEvent[] => {
  switch (item['type']) {
    case 'message':
      return listOf(item['content'])
        .filter(isFields)
        .flatMap((part) => readPart(part, told));
    case 'reasoning': {
      const text = told.pieces ? '' : readThought(item);
      return [
        ...(text === '' ? [] : [{ type: 'reasoning-delta' as const, choice: 0, text }]),
        ...readThoughtEnd(item),
      ];
    }
    case 'function_call':
      return [...readItemStart(item, index, told), ...readArguments(textOf(item['arguments']), index, told)];
    case 'custom_tool_call':
      return [...readItemStart(item, index, told), ...readInput(textOf(item['input']) ?? '', index, told)];
    case 'image_generation_call':
      return [readImage(item)];
    default:
      return [{ type: 'opaque', choice: 0, extras: { 'openai-responses': item } }];
  }
};

const readImage = (item: Fields): ChatEvent => {
  const data = textOf(item['result']);
  if (data === undefined) return { type: 'opaque', choice: 0, extras: { 'openai-responses': item } };
  const mediaType = `image/${textOf(item['output_format']) ?? 'png'}`;
  return { type: 'image', choice: 0, media: { from: 'base64', data, mediaType } };
};

export const readCitation = (annotation: Fields): ChatEvent => {
  const url = textOf(annotation['url']);
  const title = textOf(annotation['title']);
  const others =
    annotation['type'] === 'url_citation'
      ? otherFields(annotation, new Set(['type', 'url', 'title', ...PLACE_FIELDS]))
      : annotation;
  return {
    type: 'citation',
    choice: 0,
    ...(url !== undefined && { url }),
    ...(title !== undefined && { title }),
    ...(annotation['type'] === 'url_citation' && readPlace(annotation)),
    ...ownExtras(others),
  };
};

/** Text with its log probabilities, where there are any. */
export const readText = (text: string, logprobs: unknown): Extract<ChatEvent, { type: 'text-delta' }> => ({
  type: 'text-delta',
  choice: 0,
  text,
  ...withLogprobs(readLogprobs(logprobs)),
});

const readPart = (part: Fields, told: Told): ChatEvent[] => {
  const text = told.pieces ? undefined : textOf(part['text']);
  const refusal = told.pieces ? undefined : textOf(part['refusal']);
  const { data, transcript } = fieldsOf(part['type'] === 'output_audio' && !told.pieces ? part : undefined);
  const citations = told.citations ? [] : listOf(part['annotations']).filter(isFields);
  const events: ChatEvent[] = [];
  if (text !== undefined) events.push(readText(text, part['logprobs']));
  if (refusal !== undefined) events.push({ type: 'refusal-delta', choice: 0, text: refusal });
  if (typeof data === 'string' || typeof transcript === 'string') {
    events.push({
      type: 'audio-delta',
      choice: 0,
      ...(typeof data === 'string' && { data }),
      ...(typeof transcript === 'string' && { transcript }),
    });
  }
  return [...events, ...citations.map(readCitation)];
};

const readThoughtEnd = (item: Fields): ChatEvent[] => {
  const signature = textOf(item['encrypted_content']);
  if (signature === undefined) return [];
  // Marked by another gateway like this one, with nothing in it.
  const sealed = readSealed(signature);
  const isPlain =
    sealed.signature === undefined && sealed.redacted === undefined && sealed.callSignature === undefined;
  return isPlain ? [] : [{ type: 'reasoning-end', choice: 0, signature, signatureFrom: 'openai-responses' }];
};

/** The end of a text that came in pieces, or all of it, as JSON. */
const readInput = (input: string, index: number, told: Told): ChatEvent[] => {
  const argumentsText = told.pieces
    ? FREE_TEXT_ENDS
    : FREE_TEXT_BEGINS + writeFreeText(input) + FREE_TEXT_ENDS;
  return [{ type: 'tool-call-delta', choice: 0, index, argumentsText }];
};

const readArguments = (argumentsText: string | undefined, index: number, told: Told): ChatEvent[] =>
  told.pieces || argumentsText === undefined
    ? []
    : [{ type: 'tool-call-delta', choice: 0, index, argumentsText }];
