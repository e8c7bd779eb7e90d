import type { Tapped } from '../dialect.ts';
import { outlinedField } from '../event-outline.ts';
import type { Frame, Outline } from '../frame.ts';
import { holdsError, readErrorInside } from '../openai/error.ts';
import { type Fields, fieldsOf, isFields, listOf, parsedFields, textOf } from '../openai/fields.ts';
import { stringBytes, stringEnd, weighParsed, type Weight } from '../openai/scan.ts';
import { readDrawnUsage } from '../openai/media-usage.ts';
import { readUsage } from '../openai/usage.ts';
import { readReplyEnd } from './reply-end.ts';
import { paidCallOf, toolCallsIn } from './tool-calls.ts';

const DELTA = Buffer.from('"delta":"');
const TYPE = Buffer.from('"type":"');
/** Of items that are over only calls of the upstream's own tools are looked into. */
const OWN_CALL = Buffer.from('_search_call"');

/**
 * Usage, finish or error of one event. By far the most events are deltas: of these only the length of one string is
 * measured. The rest is told by the event's name; three or four of a stream are parsed.
 */
export const tapFrame = (frame: Frame): Tapped | undefined => {
  const { data, outline } = frame;
  if (data.length === 0) return outline === undefined ? undefined : tapOutline(outline);
  if (data.length < 16 && data.toString('latin1').trim() === '[DONE]') return { done: true };
  const name = frame.event === '' ? typeOf(data) : frame.event;
  if (name.endsWith('.delta')) return tapDelta(data, name);
  switch (name) {
    case 'response.image_generation_call.completed':
      return { content: true, picture: true };
    case 'response.output_item.done':
      return data.includes(OWN_CALL) ? tapOver(parsedFields(data)) : undefined;
    case 'response.output_item.added':
      return tapAdded(parsedFields(data));
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed':
    case 'response.cancelled':
      return tapEnd(frame);
    case 'error':
      return { error: readErrorInside(parsedFields(data) ?? data.toString()) };
    default:
      return name.startsWith('response.') ? undefined : tapStranger(parsedFields(data));
  }
};

const NAME = /"type" ?: ?"(response\.[\w.]+)"/;

/** An event with a picture too large to be read: of the one that ends the stream what stands behind its items counts. */
const tapOutline = (outline: Outline): Tapped => {
  const name = NAME.exec(outline.head.toString('latin1'))?.[1] ?? '';
  const [, status = ''] = /^response\.(completed|incomplete|failed|cancelled)$/.exec(name) ?? [];
  if (status === '') return { content: true };
  const names = ['usage', 'tool_usage', 'incomplete_details', ...(status === 'failed' ? ['error'] : [])];
  const told = Object.fromEntries(names.map((field) => [field, outlinedField(outline, field)]));
  return { ...tapResponse({ ...told, status }, false), content: true, done: true };
};

/** The end of a stream; one that broke off in the middle of this event has none. */
const tapEnd = ({ data, unterminated }: Frame): Tapped | undefined => {
  const body = parsedFields(data);
  if (body === undefined && unterminated === true) return undefined;
  return { ...tapResponse(fieldsOf(body?.['response']), false), done: true };
};

/** Usage, finish, error and weight of a whole reply. */
export const tapWhole = (body: unknown): Tapped => (isFields(body) ? tapResponse(body, true) : {});

const tapResponse = (response: Fields, weighs: boolean): Tapped => {
  const usage = readUsage(response['usage']);
  const drawn = drawnIn(response);
  const toolCalls = toolCallsIn(response);
  const hasError = isFailed(response);
  const finish = hasError ? undefined : readReplyEnd(response);
  const weight: Weight = { bytes: 0, content: false };
  if (weighs) for (const item of listOf(response['output'])) weighItem(fieldsOf(item), weight);
  return {
    ...(usage !== undefined && { usage }),
    ...(drawn !== undefined && { drawn }),
    ...(toolCalls !== undefined && { toolCalls }),
    ...(finish !== undefined && { finish }),
    ...(hasError && { error: readErrorInside(response) }),
    ...(weight.content && { content: true, outputBytes: weight.bytes }),
  };
};

/** Pictures a tool has drawn; what it used for them stands beside the model's own usage (`tool_usage`). */
const drawnIn = (response: Fields): Tapped['drawn'] => {
  const pictures = listOf(response['output'])
    .map(fieldsOf)
    .filter(({ type, status }) => type === 'image_generation_call' && status === 'completed').length;
  const usage = readDrawnUsage(fieldsOf(response['tool_usage'])['image_gen']);
  return pictures === 0 && usage === undefined ? undefined : { pictures, usage };
};

export const isFailed = (response: Fields): boolean =>
  response['status'] === 'failed' || holdsError(response);

/** What a reader sees of an item, so that a copy in another field does not count twice. */
const weighItem = (item: Fields, weight: Weight): void => {
  switch (item['type']) {
    case 'message':
      for (const part of listOf(item['content'])) {
        const { text, refusal, transcript, data } = fieldsOf(part);
        weighParsed([text, refusal, transcript], weight);
        // Sound in base64: seen, but no text.
        weight.content ||= textOf(data) !== undefined;
      }
      return;
    case 'reasoning':
      for (const part of [...listOf(item['summary']), ...listOf(item['content'])])
        weighParsed(fieldsOf(part)['text'], weight);
      return;
    default:
      weighParsed([item['name'], item['arguments'], item['input'], item['code']], weight);
      // An item of the upstream's own (a search, a picture) is something to see as well.
      weight.content = true;
  }
};

const tapDelta = (data: Buffer, name: string): Tapped => {
  // Audio comes as base64: seen, but no text.
  if (name === 'response.audio.delta') return { content: true };
  const at = data.indexOf(DELTA);
  if (at !== -1) {
    const start = at + DELTA.length;
    const bytes = stringBytes(data, start, stringEnd(data, start));
    return bytes === 0 ? {} : { content: true, outputBytes: bytes };
  }
  // With spaces between, or an object: some look-alikes.
  const weight: Weight = { bytes: 0, content: false };
  weighParsed(parsedFields(data)?.['delta'], weight);
  return weight.content ? { content: true, outputBytes: weight.bytes } : {};
};

const tapAdded = (body: Fields | undefined): Tapped | undefined => {
  const item = fieldsOf(body?.['item']);
  const itemId = textOf(item['id']);
  const named = itemId !== undefined && { itemId };
  if (item['type'] === 'message' || item['type'] === 'reasoning') return named === false ? undefined : named;
  return { ...named, content: true, outputBytes: Buffer.byteLength(textOf(item['name']) ?? '') };
};

const tapOver = (body: Fields | undefined): Tapped | undefined => {
  const toolCall = paidCallOf(fieldsOf(body?.['item']));
  return toolCall === undefined ? undefined : { content: true, toolCall };
};

/** Something that is none of this format's events: an error in another shape, or nothing we know. */
const tapStranger = (body: Fields | undefined): Tapped | undefined => {
  if (body === undefined) return undefined;
  if (holdsError(body)) return { error: readErrorInside(body) };
  return body['object'] === 'response' ? { ...tapResponse(body, true), done: true } : undefined;
};

/** The event's type from its first bytes, where the upstream sends no event names. */
const typeOf = (data: Buffer): string => {
  const at = data.indexOf(TYPE);
  if (at === 1) {
    const start = at + TYPE.length;
    return data.toString('latin1', start, stringEnd(data, start));
  }
  return textOf(parsedFields(data)?.['type']) ?? '';
};
