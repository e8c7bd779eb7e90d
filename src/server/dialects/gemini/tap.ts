import type { FinishReason } from '#core/chat/event.ts';
import type { AppError } from '#core/error.ts';
import { mergeReports } from '#core/quota/merge-reports.ts';
import type { Tapped } from '../dialect.ts';
import { outlinedField } from '../event-outline.ts';
import type { Frame, Outline } from '../frame.ts';
import { namedIn } from '../named-model.ts';
import { isFields, listOf, type Fields } from '#core/json/fields.ts';
import { readErrorInside } from './error.ts';
import { termsOf } from '#core/quota/service-terms.ts';
import { camelFields, camelList } from './fields.ts';
import { BROKEN_OFF, finishWord, isWord, readFailure, readFinishReason } from './reply/finish-reason.ts';
import { toolCallsIn } from './tool-calls.ts';
import { lacksIn, readUsage } from './usage.ts';

/**
 * Every frame is a complete response object for the next chunk, with the usage so far. Frames are few, a sentence or
 * more each, so all are parsed.
 */
export const tap = (frame: Frame): Tapped | undefined => {
  const { data, event, outline } = frame;
  if (data.length === 0) return outline === undefined ? undefined : tapOutline(outline);
  // This format has no end mark; compatible upstreams send OpenAI's.
  if (data.length < 16 && data.toString('latin1').trim() === '[DONE]') return { done: true };
  try {
    const body: unknown = JSON.parse(data.toString());
    if (event === 'error') return { error: readErrorInside(body) };
    return isFields(body) ? tapReply(body) : undefined;
  } catch {
    return event === 'error' ? { error: readErrorInside(data.toString()) } : undefined;
  }
};

/** Reads a chunk with a picture too large to parse: only what comes after the picture. */
const tapOutline = (outline: Outline): Tapped => {
  const usage = readUsage(outlinedField(outline, 'usageMetadata'));
  const word = finishWord(outlinedField(outline, 'finishReason'));
  return {
    ...(usage !== undefined && { usage }),
    ...(word !== undefined && { finish: readFinishReason(word) }),
    content: true,
  };
};

/** Usage, finish, error and text size of a response, or of the list of responses that is a stream without frames. */
export const tapWhole = (body: unknown): Tapped => {
  if (!Array.isArray(body)) return isFields(body) ? tapReply(body) : {};
  let total: Tapped = {};
  let bytes = 0;
  for (const piece of listOf(body).filter(isFields)) {
    const tapped = tapReply(piece);
    bytes += tapped.outputBytes ?? 0;
    const usage = tapped.usage && mergeReports(total.usage, tapped.usage, tapped.usageLacks);
    const { usageLacks: _, ...reported } = tapped;
    total = { ...total, ...reported, ...(usage && { usage }), ...(bytes > 0 && { outputBytes: bytes }) };
  }
  const { failure, lacksWords: _, ...reported } = total;
  return failure === undefined || bytes > 0 ? reported : total;
};

const tapReply = (reply: Fields): Tapped => {
  const body = camelFields(reply);
  const usage = readUsage(body['usageMetadata']);
  const toolCalls = toolCallsIn(body);
  const served = servedIn(camelFields(body['usageMetadata']));
  const weight = { bytes: 0, content: false, calls: false };
  let finish: FinishReason | undefined;
  let failures: AppError[] | undefined;
  let lacksWords = false;
  const candidates = camelList(body['candidates']);
  for (const candidate of candidates) {
    const parts = camelList(camelFields(candidate['content'])['parts']);
    for (const part of parts) weigh(part, weight);
    const word = finishWord(candidate['finishReason']);
    if (word === undefined) continue;
    finish = readFinishReason(word, weight.calls);
    if (finish !== 'other') continue;
    const produced = { hasWords: parts.some(isWord), hasCalls: weight.calls };
    const failure = readFailure(word, candidate['finishMessage'], produced);
    if (failure === undefined) continue;
    (failures ??= []).push(failure);
    lacksWords ||= !BROKEN_OFF.has(word);
  }
  const isBlocked = finishWord(camelFields(body['promptFeedback'])['blockReason']) !== undefined;
  const failed = body['error'] !== undefined && body['error'] !== null;
  const lacks = usage === undefined ? [] : lacksIn(body['usageMetadata']);
  return {
    ...(usage !== undefined && { usage }),
    ...(lacks.length > 0 && { usageLacks: lacks }),
    ...(toolCalls !== undefined && { toolCalls }),
    ...(served !== undefined && { served }),
    ...(usage !== undefined && namedIn(body['modelVersion'], body['responseId'])),
    ...(finish !== undefined && { finish }),
    // A blocked prompt has no candidates: the block is the whole answer.
    ...(isBlocked && finish === undefined && { finish: 'content-filter' as const }),
    ...((weight.content || isBlocked || isVerdict(finish)) && {
      content: true,
      outputBytes: weight.bytes,
    }),
    ...(failures?.length === candidates.length && {
      failure: failures[0],
      ...(lacksWords && { lacksWords }),
    }),
    ...(failed && { error: readErrorInside(reply) }),
  };
};

/** The developer API reports the tier, Vertex the kind of traffic. */
const servedIn = ({ serviceTier, trafficType }: Fields): Tapped['served'] =>
  termsOf(serviceTier ?? trafficType);

/** An answer may consist only of the reason why there is none; another channel would answer the same. */
const isVerdict = (finish: FinishReason | undefined): boolean =>
  finish === 'content-filter' || finish === 'length';

const weigh = (part: Fields, weight: { bytes: number; content: boolean; calls: boolean }): void => {
  const { text, functionCall } = part;
  if (typeof text === 'string') {
    weight.bytes += Buffer.byteLength(text);
    weight.content ||= text !== '';
    return;
  }
  // Callers do not see a signature by itself.
  if (!isWord(part)) return;
  weight.content = true;
  if (functionCall === undefined) return;
  weight.calls = true;
  weight.bytes += Buffer.byteLength(JSON.stringify(functionCall));
};
