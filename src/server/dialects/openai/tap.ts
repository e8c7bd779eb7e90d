import type { FinishReason } from '#core/chat/event.ts';
import type { ToolCalls } from '#core/chat/usage.ts';
import type { AppError } from '#core/error.ts';
import type { Tapped } from '../dialect.ts';
import { outlinedField } from '../event-outline.ts';
import type { Frame, Outline } from '../frame.ts';
import { holdsError, readErrorInside } from './error.ts';
import { type Fields, isFields, listOf, parsedFields, textOf } from './fields.ts';
import { readFailure, readFinishReason } from './finish-reason.ts';
import { isPlainDone } from './plain-done.ts';
import { scanChunk, weighParsed, type StreamPiece, type Weight } from './scan.ts';
import { readToolCalls } from './tool-calls.ts';
import { findUsage } from './usage.ts';

/** Where a choice keeps its piece of the answer: an object in chats, a bare string in old completions. */
type ReplyPiece = StreamPiece | 'message';

/**
 * Builds the tap of a format whose frames are `{"choices":[{…}]}`. A frame is parsed only when it can hold usage, a
 * finish or an error, which is two or three of a stream; of any other one only the strings of its piece are measured.
 */
export const tapOf =
  (piece: StreamPiece) =>
  (frame: Frame): Tapped | undefined => {
    const { data, event, outline } = frame;
    if (data.length === 0) return outline === undefined ? undefined : tapOutline(outline);
    if (isPlainDone(data)) return { done: true };
    const isError = event === 'error';
    const { mustParse, content, bytes } = scanChunk(data, piece);
    if (!mustParse && !isError) return content ? { content: true, outputBytes: bytes } : undefined;
    const body = parsedFields(data);
    if (body !== undefined) return tapParsed(body, piece, isError);
    return isError ? { error: readErrorInside(data.toString()) } : undefined;
  };

/** A chunk with a picture too large to be read: what stands behind it counts. */
const tapOutline = (outline: Outline): Tapped => {
  const usage = findUsage({ usage: outlinedField(outline, 'usage') });
  const finish = readFinishReason(outlinedField(outline, 'finish_reason'));
  return { ...(usage !== undefined && { usage }), ...(finish !== undefined && { finish }), content: true };
};

/** Usage, finish, error and weight of a reply that is parsed. */
export const tapParsed = (body: unknown, piece: ReplyPiece, isError = false): Tapped => {
  if (!isFields(body)) return {};
  const usage = findUsage(body);
  const toolCalls = usage === undefined ? undefined : toolCallsIn(body);
  const hasError = isError || holdsError(body);
  const weight: Weight = { bytes: 0, content: false };
  let finish: FinishReason | undefined;
  let failure: AppError | undefined;
  const choices = listOf(body['choices']);
  for (const choice of choices) {
    if (!isFields(choice)) continue;
    finish = readFinishReason(choice['finish_reason']) ?? finish;
    if (finish === 'other') failure ??= readFailure(choice);
    weighParsed(choice[piece] ?? (piece === 'message' ? choice['delta'] : undefined), weight);
  }
  const nothingElse = usage !== undefined && !hasError && choices.length === 0;
  return {
    ...(usage !== undefined && { usage }),
    ...(toolCalls !== undefined && { toolCalls }),
    ...(finish !== undefined && { finish }),
    ...(failure !== undefined && { failure }),
    ...(hasError && { error: readErrorInside(body) }),
    ...(weight.content && { content: true, outputBytes: weight.bytes }),
    ...(nothingElse && { usageOnly: true }),
  };
};

/** OpenAI's models that search before every answer do not count it (their price names a call for each). */
const ALWAYS_SEARCHES = /^gpt-.*-search-(preview|api)/;

const toolCallsIn = (body: Fields): ToolCalls | undefined => {
  const told = readToolCalls(body['usage']);
  const [, kind] = ALWAYS_SEARCHES.exec(textOf(body['model']) ?? '') ?? [];
  if (told !== undefined || kind === undefined) return told;
  return kind === 'preview' ? { web_search_preview: 1 } : { web_search: 1 };
};
