import type { ChatEvent } from '#core/chat/event.ts';
import { PLACE_FIELDS, readPlace } from '../../openai/citation-place.ts';
import { FREE_TEXT_BEGINS, FREE_TEXT_ENDS, writeFreeText } from '../../openai/tools/free-text.ts';
import { readArguments } from '../../call-arguments.ts';
import { fieldsOf, isFields, listOf, otherFields, textOf, type Fields } from '#core/json/fields.ts';
import { ownExtras } from '../parts/read-parts.ts';
import { readReasoningText } from '../parts/read-items.ts';
import { readSealed } from '../parts/sealed.ts';
import { joinedName } from '../parts/namespaces.ts';
import { readLogprobs, withLogprobs } from '../../openai/logprobs.ts';

/** What has been read of an item so far; its end adds only what is missing. */
export interface ItemProgress {
  /** The start of its tool call was read. */
  started: boolean;
  /** Text, reasoning or arguments came as deltas. */
  deltas: boolean;
  citations: boolean;
  /** Its end was read. */
  closed: boolean;
}

/** The progress of an item of which nothing was read. */
export const newProgress = (): ItemProgress => ({
  started: false,
  deltas: false,
  citations: false,
  closed: false,
});

/** The event for an item's start; only tool calls have one. */
export const readItemStart = (item: Fields, index: number, progress: ItemProgress): ChatEvent[] => {
  const isFreeText = item['type'] === 'custom_tool_call';
  if ((item['type'] !== 'function_call' && !isFreeText) || progress.started) return [];
  progress.started = true;
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

/** The events for a finished item: what its deltas did not hold, or everything if there were none. */
export const readItemEnd = (item: Fields, index: number, progress: ItemProgress): ChatEvent[] => {
  switch (item['type']) {
    case 'message':
      return [
        // As we write it.
        ...(progress.deltas ? [] : readSound(fieldsOf(item['audio']))),
        ...listOf(item['content'])
          .filter(isFields)
          .flatMap((part) => readPart(part, progress)),
      ];
    case 'reasoning': {
      const text = progress.deltas ? '' : readReasoningText(item);
      return [
        ...(text === '' ? [] : [{ type: 'reasoning-delta' as const, choice: 0, text }]),
        ...readReasoningEnd(item),
      ];
    }
    case 'function_call':
      return [
        ...readItemStart(item, index, progress),
        ...argumentsOf(readArguments(item['arguments']), index, progress),
      ];
    case 'custom_tool_call':
      return [
        ...readItemStart(item, index, progress),
        ...readInput(textOf(item['input']) ?? '', index, progress),
      ];
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

/** Reads an annotation; one that is no `url_citation` is kept whole for its own format. */
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

/** Text with its log probabilities, if any. */
export const readText = (text: string, logprobs: unknown): Extract<ChatEvent, { type: 'text-delta' }> => ({
  type: 'text-delta',
  choice: 0,
  text,
  ...withLogprobs(readLogprobs(logprobs)),
});

const readSound = ({ data, transcript }: Fields): ChatEvent[] =>
  typeof data === 'string' || typeof transcript === 'string'
    ? [
        {
          type: 'audio-delta',
          choice: 0,
          ...(typeof data === 'string' && { data }),
          ...(typeof transcript === 'string' && { transcript }),
        },
      ]
    : [];

const readPart = (part: Fields, progress: ItemProgress): ChatEvent[] => {
  const text = progress.deltas ? undefined : textOf(part['text']);
  const refusal = progress.deltas ? undefined : textOf(part['refusal']);
  const citations = progress.citations ? [] : listOf(part['annotations']).filter(isFields);
  const events: ChatEvent[] = [];
  if (text !== undefined) events.push(readText(text, part['logprobs']));
  if (refusal !== undefined) events.push({ type: 'refusal-delta', choice: 0, text: refusal });
  if (part['type'] === 'output_audio' && !progress.deltas) events.push(...readSound(part));
  return [...events, ...citations.map(readCitation)];
};

const readReasoningEnd = (item: Fields): ChatEvent[] => {
  const signature = textOf(item['encrypted_content']);
  if (signature === undefined) return [];
  // A mark of another gateway like this one, without a signature.
  const sealed = readSealed(signature);
  const isPlain =
    sealed.signature === undefined && sealed.redacted === undefined && sealed.callSignature === undefined;
  return isPlain ? [] : [{ type: 'reasoning-end', choice: 0, signature, signatureFrom: 'openai-responses' }];
};

/** Free text as JSON arguments: the end of those that came as deltas, or all of them. */
const readInput = (input: string, index: number, progress: ItemProgress): ChatEvent[] => {
  const argumentsText = progress.deltas
    ? FREE_TEXT_ENDS
    : FREE_TEXT_BEGINS + writeFreeText(input) + FREE_TEXT_ENDS;
  return [{ type: 'tool-call-delta', choice: 0, index, argumentsText }];
};

const argumentsOf = (argumentsText: string, index: number, progress: ItemProgress): ChatEvent[] =>
  progress.deltas || argumentsText === ''
    ? []
    : [{ type: 'tool-call-delta', choice: 0, index, argumentsText }];
