import type { Tapped } from '../dialect.ts';
import { namedIn } from '../named-model.ts';
import type { Frame } from '../frame.ts';
import { holdsError, readErrorInside } from '../openai/error.ts';
import { type Fields, fieldsOf, isFields, listOf, parsedFields, textOf } from '#core/json/fields.ts';
import { isPlainDone } from '../openai/plain-done.ts';
import { scanChunk, weighParsed, type Weight } from '../openai/scan.ts';
import { readToolCalls } from '../openai/tools/tool-calls.ts';
import { termsOf } from '#core/quota/service-terms.ts';
import { readStopReason } from './reply/stop-reason.ts';
import { lacksIn, readUsage } from './usage.ts';

const DELTA = 'content_block_delta';
/** Quotes inside strings are escaped, so this matches only the type. */
const DELTA_MARK = Buffer.from(`"${DELTA}"`);
/** Events without anything for the tap. */
const SILENT = new Set(['ping', 'content_block_stop']);
const DONE: Tapped = { done: true };

/**
 * Usage, finish or error of one frame. Most frames are deltas, which are measured without parsing; the event name, if
 * there is one, identifies them.
 */
export const tap = (frame: Frame): Tapped | undefined => {
  const { event, data } = frame;
  if (event === DELTA || (event === '' && data.includes(DELTA_MARK))) return tapDelta(data);
  if (data.length === 0 || SILENT.has(event)) return undefined;
  // Some compatible upstreams end streams as OpenAI does.
  if (event === 'message_stop' || isPlainDone(data)) return DONE;
  const body = parsedFields(data);
  if (body !== undefined) return tapEvent(body, event);
  return event === 'error' ? { error: readErrorInside(data.toString()) } : undefined;
};

const tapDelta = (data: Buffer): Tapped | undefined => {
  const { content, bytes } = scanChunk(data, 'delta');
  return content ? { content: true, outputBytes: bytes } : undefined;
};

const tapEvent = (body: Fields, event: string): Tapped | undefined => {
  switch (body['type'] ?? event) {
    case 'message_start': {
      const usage = readUsage(fieldsOf(body['message'])['usage']);
      const ran = ranIn(fieldsOf(body['message'])['container']);
      if (usage === undefined) return ran;
      return {
        ...ran,
        usage,
        ...usageLacks(fieldsOf(body['message'])['usage']),
        ...servedIn(fieldsOf(body['message'])['usage']),
        ...namedIn(fieldsOf(body['message'])['model'], fieldsOf(body['message'])['id']),
      };
    }
    case 'content_block_start':
      return { ...weighed(body['content_block']), ...reportedBy(fieldsOf(body['content_block'])) };
    case 'message_delta': {
      const usage = readUsage(body['usage']);
      const finish = readStopReason(fieldsOf(body['delta'])['stop_reason']);
      return {
        ...(usage !== undefined && { usage, ...usageLacks(body['usage']) }),
        ...searched(body['usage']),
        ...servedIn(body['usage']),
        ...(finish !== undefined && { finish }),
        ...ranIn(fieldsOf(body['delta'])['container']),
      };
    }
    case 'message_stop':
      return DONE;
    default:
      return event === 'error' || holdsError(body) ? { error: readErrorInside(body) } : undefined;
  }
};

/** Usage, finish, error and text size of a whole response. */
export const tapWhole = (body: unknown): Tapped => {
  if (!isFields(body)) return {};
  const usage = readUsage(body['usage']);
  const finish = readStopReason(body['stop_reason']);
  return {
    ...(usage !== undefined && { usage }),
    ...searched(body['usage']),
    ...servedIn(body['usage']),
    ...ranIn(body['container']),
    ...(usage !== undefined && namedIn(body['model'], body['id'])),
    ...(finish !== undefined && { finish }),
    ...(body['content'] === undefined && holdsError(body) && { error: readErrorInside(body) }),
    ...weighed(listOf(body['content'])),
    ...(listOf(body['content']).some((block) => isThought(fieldsOf(block))) && { thinks: true }),
  };
};

const usageLacks = (usage: unknown): Pick<Tapped, 'usageLacks'> | undefined => {
  const lacks = lacksIn(usage);
  return lacks.length === 0 ? undefined : { usageLacks: lacks };
};

/** The container that code ran in. */
const ranIn = (container: unknown): Pick<Tapped, 'containerIds'> | undefined => {
  const id = textOf(fieldsOf(container)['id']);
  return id === undefined ? undefined : { containerIds: [id] };
};

/** How it was served, according to its usage. */
const servedIn = (usage: unknown): Pick<Tapped, 'served'> | undefined => {
  const { service_tier, speed, inference_geo } = fieldsOf(usage);
  const served = termsOf(service_tier, speed, inference_geo);
  return served === undefined ? undefined : { served };
};

/** A block of thoughts, which are shown at most as a summary. */
const isThought = ({ type }: Fields): boolean => type === 'thinking' || type === 'redacted_thinking';

/** What a block means for the charge: a paid search, or thoughts. */
const reportedBy = (block: Fields): Pick<Tapped, 'toolCall' | 'thinks'> | undefined => {
  const { type, name } = block;
  if (isThought(block)) return { thinks: true };
  return type === 'server_tool_use' && name === 'web_search' ? { toolCall: 'web_search' } : undefined;
};

/** Searches by the upstream, charged in addition to the tokens. */
const searched = (usage: unknown): Pick<Tapped, 'toolCalls'> | undefined => {
  const toolCalls = readToolCalls(usage);
  return toolCalls === undefined ? undefined : { toolCalls };
};

/** Blocks that begin empty, like streamed text, show nothing yet; a call shows its name. */
const weighed = (blocks: unknown): Tapped | undefined => {
  const weight: Weight = { bytes: 0, content: false };
  weighParsed(blocks, weight);
  return weight.content ? { content: true, outputBytes: weight.bytes } : undefined;
};
