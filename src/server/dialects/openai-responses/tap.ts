import { containerOfItem, containersOfOutput } from '../containers.ts';
import type { Tapped } from '../dialect.ts';
import { namedIn } from '../named-model.ts';
import { outlinedField } from '../event-outline.ts';
import type { Frame, Outline } from '../frame.ts';
import { holdsError, readErrorInside } from '../openai/error.ts';
import { type Fields, fieldsOf, isFields, listOf, ownOf, parsedFields, textOf } from '#core/json/fields.ts';
import { stringBytes, stringEnd, weighParsed, type Weight } from '../openai/scan.ts';
import { readPictureUsage } from '../openai/usage/media-usage.ts';
import { type ServiceTerms, STANDARD, termsOf } from '#core/quota/service-terms.ts';
import { readUsage } from '../openai/usage/usage.ts';
import { outputOf, readReplyEnd } from './reply/reply-end.ts';
import { paidCallOf, toolCallsIn } from './tool-calls.ts';

const DELTA = Buffer.from('"delta":"');
const TYPE = Buffer.from('"type":"');
/** A finished item is parsed only if it is a call of the upstream's own tool. */
const OWN_CALLS = [
  Buffer.from('_search_call"'),
  Buffer.from('code_interpreter_call"'),
  Buffer.from('"container_id"'),
] as const;

/**
 * Reads usage, finish or error of one event. Most events are deltas: only the length of one string is measured. The others
 * are recognized by the event name; three or four per stream are parsed.
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
      return OWN_CALLS.some((call) => data.includes(call)) ? tapDone(parsedFields(data)) : undefined;
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
      return name.startsWith('response.') ? undefined : tapOtherFormat(parsedFields(data));
  }
};

const NAME = /"type" ?: ?"(response\.[\w.]+)"/;

/** Reads an event with an image that is too large to parse; of a last event, only the fields after the items. */
const tapOutline = (outline: Outline): Tapped => {
  const name = NAME.exec(outline.head.toString('latin1'))?.[1] ?? '';
  const [, status = ''] = /^response\.(completed|incomplete|failed|cancelled)$/.exec(name) ?? [];
  if (status === '') return { content: true };
  const names = [
    'usage',
    'tool_usage',
    'incomplete_details',
    'service_tier',
    'background',
    'background_options',
    ...(status === 'failed' ? ['error'] : []),
  ];
  const fields = Object.fromEntries(names.map((field) => [field, outlinedField(outline, field)]));
  return { ...tapResponse({ ...fields, status }, 'counted-before'), content: true, done: true };
};

/** Reads the last event of a stream; undefined if the stream broke off inside it. */
const tapEnd = ({ data, unterminated }: Frame): Tapped | undefined => {
  const body = parsedFields(data);
  if (body === undefined && unterminated === true) return undefined;
  const {
    outputBytes: answerBytes,
    content: _,
    ...told
  } = tapResponse(fieldsOf(body?.['response']), 'to-weigh');
  return { ...told, ...(answerBytes !== undefined && { answerBytes }), done: true };
};

/** Usage, finish, error and text size of a whole response. */
export const tapWhole = (body: unknown): Tapped => (isFields(body) ? tapResponse(body, 'to-weigh') : {});

const tapResponse = (response: Fields, text: 'to-weigh' | 'counted-before'): Tapped => {
  const usage = readUsage(response['usage']);
  const pictures = picturesIn(response);
  const toolCalls = toolCallsIn(response);
  const served = servedIn(response);
  const containerIds = containersOfOutput(response['output']);
  const hasError = isFailed(response);
  const finish = hasError ? undefined : readReplyEnd(response);
  const weight: Weight = { bytes: 0, content: false };
  const items = text === 'to-weigh' ? outputOf(response).map(fieldsOf) : [];
  for (const item of items) weighItem(item, weight);
  return {
    ...(usage !== undefined && { usage }),
    ...(pictures !== undefined && { pictures }),
    ...(toolCalls !== undefined && { toolCalls }),
    ...(served !== undefined && { served }),
    ...(containerIds.length > 0 && { containerIds }),
    ...(usage !== undefined && namedIn(response['model'], response['id'])),
    ...(finish !== undefined && { finish }),
    ...(hasError && { error: readErrorInside(response) }),
    ...(weight.content && { content: true, outputBytes: weight.bytes }),
    ...(items.some(({ type }) => type === 'reasoning') && { thinks: true }),
  };
};

/**
 * The completion windows of background responses, as tiers: OpenAI sells the longer ones below its standard price
 * (developers.openai.com, background mode). Another tier that was served has its own price.
 */
const WINDOWS: Readonly<Record<string, string>> = { '2h': 'window_2h', '8h': 'window_8h' };

const servedIn = (response: Fields): ServiceTerms | undefined => {
  const served = termsOf(response['service_tier']);
  const window = ownOf(WINDOWS, textOf(fieldsOf(response['background_options'])['completion_window']) ?? '');
  const isDiscounted = response['background'] === true && (served?.tier ?? STANDARD) === STANDARD;
  return window !== undefined && isDiscounted ? { tier: window } : served;
};

/** Images generated by a tool; their usage is separate from the model's own (`tool_usage`). */
const picturesIn = (response: Fields): Tapped['pictures'] => {
  const count = listOf(response['output'])
    .map(fieldsOf)
    .filter(({ type, status }) => type === 'image_generation_call' && status === 'completed').length;
  const usage = readPictureUsage(fieldsOf(response['tool_usage'])['image_gen']);
  return count === 0 && usage === undefined ? undefined : { count, usage };
};

/** Whether a response says that it failed. */
export const isFailed = (response: Fields): boolean =>
  response['status'] === 'failed' || holdsError(response);

/** Measures the text of an item; a copy in another field does not count again. */
const weighItem = (item: Fields, weight: Weight): void => {
  switch (item['type']) {
    case 'message':
      for (const part of listOf(item['content'])) {
        const { text, refusal, transcript, data } = fieldsOf(part);
        weighParsed([text, refusal, transcript], weight);
        // Audio in base64 counts as content, but not as text.
        weight.content ||= textOf(data) !== undefined;
      }
      weight.content ||= textOf(fieldsOf(item['audio'])['data']) !== undefined;
      return;
    case 'reasoning':
      for (const part of [...listOf(item['summary']), ...listOf(item['content'])])
        weighParsed(fieldsOf(part)['text'], weight);
      return;
    default:
      weighParsed([item['name'], item['arguments'], item['input'], item['code']], weight);
      // An item of the upstream's own tool (search, image) counts as content.
      weight.content = true;
  }
};

const tapDelta = (data: Buffer, name: string): Tapped => {
  // Audio in base64 counts as content, but not as text.
  if (name === 'response.audio.delta') return { content: true };
  const at = data.indexOf(DELTA);
  if (at !== -1) {
    const start = at + DELTA.length;
    const bytes = stringBytes(data, start, stringEnd(data, start));
    return bytes === 0 ? {} : { content: true, outputBytes: bytes };
  }
  // Some compatible upstreams put spaces between, or send an object.
  const weight: Weight = { bytes: 0, content: false };
  weighParsed(parsedFields(data)?.['delta'], weight);
  return weight.content ? { content: true, outputBytes: weight.bytes } : {};
};

const tapAdded = (body: Fields | undefined): Tapped | undefined => {
  const item = fieldsOf(body?.['item']);
  const itemId = textOf(item['id']);
  const named = itemId !== undefined && { itemId, ...ranIn(item) };
  if (item['type'] === 'reasoning') return { ...named, thinks: true };
  if (item['type'] === 'message') return named === false ? undefined : named;
  const drawing = item['type'] === 'image_generation_call' && ({ drawing: true } as const);
  return { ...named, ...drawing, content: true, outputBytes: Buffer.byteLength(textOf(item['name']) ?? '') };
};

const tapDone = (body: Fields | undefined): Tapped | undefined => {
  const item = fieldsOf(body?.['item']);
  const toolCall = paidCallOf(item);
  return toolCall === undefined ? ranIn(item) : { content: true, toolCall, ...ranIn(item) };
};

const ranIn = (item: Fields): Pick<Tapped, 'containerIds'> | undefined => {
  const id = containerOfItem(item);
  return id === undefined ? undefined : { containerIds: [id] };
};

/** Reads an event of another format: an error in another shape, or a whole response. */
const tapOtherFormat = (body: Fields | undefined): Tapped | undefined => {
  if (body === undefined) return undefined;
  if (holdsError(body)) return { error: readErrorInside(body) };
  return body['object'] === 'response' ? { ...tapResponse(body, 'to-weigh'), done: true } : undefined;
};

/** The event's type from its first bytes, if the upstream sends no event names. */
const typeOf = (data: Buffer): string => {
  const at = data.indexOf(TYPE);
  if (at === 1) {
    const start = at + TYPE.length;
    return data.toString('latin1', start, stringEnd(data, start));
  }
  return textOf(parsedFields(data)?.['type']) ?? '';
};
