import type { FinishReason } from '#core/chat/event.ts';
import type { ToolCalls } from '#core/chat/usage.ts';
import { termsOf } from '#core/quota/service-terms.ts';
import type { AppError } from '#core/error.ts';
import { sumOfChoices } from '#core/quota/merge-reports.ts';
import type { Tapped } from '../dialect.ts';
import { namedIn } from '../named-model.ts';
import { outlinedField } from '../event-outline.ts';
import type { Frame, Outline } from '../frame.ts';
import { holdsError, readErrorInside } from './error.ts';
import { type Fields, isFields, listOf, parsedFields, textOf } from '#core/json/fields.ts';
import { readFailure, readFinishReason } from './finish-reason.ts';
import { isPlainDone } from './plain-done.ts';
import { scanChunk, weighParsed, type StreamPiece, type Weight } from './scan.ts';
import { readToolCalls, searchesOfModel } from './tools/tool-calls.ts';
import { findUsage, indexOf, usageAtTop, usageByChoice } from './usage/usage.ts';

/** Where a choice keeps its piece of the answer: an object in chats, a bare string in old completions. */
type ReplyPiece = StreamPiece | 'message';

/**
 * Makes the tap of a format with frames `{"choices":[{…}]}`. It parses a frame only if it may contain usage, a finish
 * or an error, as two or three per stream do; of all others it only measures the text.
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

/** Reads a chunk with a picture too large to parse: only what comes after the picture. */
const tapOutline = (outline: Outline): Tapped => {
  const usage = findUsage({ usage: outlinedField(outline, 'usage') });
  const finish = readFinishReason(outlinedField(outline, 'finish_reason'));
  return { ...(usage !== undefined && { usage }), ...(finish !== undefined && { finish }), content: true };
};

/** Usage, finish, error and text size of a parsed response. */
export const tapParsed = (body: unknown, piece: ReplyPiece, isError = false): Tapped => {
  if (!isFields(body)) return {};
  const atTop = usageAtTop(body);
  const usageOfChoices = atTop === undefined ? usageByChoice(body) : undefined;
  const usage = atTop ?? (usageOfChoices && sumOfChoices(usageOfChoices.values()));
  const toolCalls = usage === undefined ? undefined : toolCallsIn(body);
  const served = body['service_tier'] === undefined ? undefined : termsOf(body['service_tier']);
  const hasError = isError || holdsError(body);
  const weight: Weight = { bytes: 0, content: false };
  let repeatedBytes = 0;
  let finish: FinishReason | undefined;
  let failure: AppError | undefined;
  const choices = listOf(body['choices']);
  const ended: number[] = [];
  for (const [place, choice] of choices.entries()) {
    if (!isFields(choice)) continue;
    const reason = readFinishReason(choice['finish_reason']);
    if (reason !== undefined) ended.push(piece === 'message' ? place : indexOf(choice, place));
    finish = reason ?? finish;
    if (finish === 'other') failure ??= readFailure(choice);
    weighParsed(choice[piece] ?? (piece === 'message' ? choice['delta'] : undefined), weight);
    if (piece === 'delta' && choice['message'] !== undefined) repeatedBytes += bytesOf(choice['message']);
  }
  // A report of only zeros is no usage, but still a frame that only callers who asked for usage expect.
  const reports = usage !== undefined || isFields(body['usage']);
  const nothingElse = reports && !hasError && choices.length === 0;
  const tapped: Writable<Tapped> = {};
  if (usage !== undefined) {
    tapped.usage = usage;
    const named = namedIn(body['model'], body['id']);
    if (named !== undefined) Object.assign(tapped, named);
  }
  if (usageOfChoices !== undefined) tapped.usageOfChoices = usageOfChoices;
  if (toolCalls !== undefined) tapped.toolCalls = toolCalls;
  if (served !== undefined) tapped.served = served;
  if (finish !== undefined) {
    tapped.finish = finish;
    tapped.ended = ended;
  }
  if (failure !== undefined) tapped.failure = failure;
  if (hasError) tapped.error = readErrorInside(body);
  if (weight.content) {
    tapped.content = true;
    tapped.outputBytes = weight.bytes;
  }
  if (repeatedBytes > 0) tapped.answerBytes = repeatedBytes;
  if (nothingElse) tapped.usageOnly = true;
  return tapped;
};

/** A value that is still being put together: quicker than to spread what may be absent. */
type Writable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

const bytesOf = (piece: unknown): number => {
  const weight: Weight = { bytes: 0, content: false };
  weighParsed(piece, weight);
  return weight.bytes;
};

const toolCallsIn = (body: Fields): ToolCalls | undefined =>
  readToolCalls(body['usage']) ?? searchesOfModel(textOf(body['model']));
