import type { ChatEvent, FinishReason } from '#core/chat/event.ts';
import { JoinedStatements } from '#core/chat/joined-statements.ts';
import type { ChatRequest, Speech } from '#core/chat/request.ts';
import type { Fields } from '#core/json/fields.ts';
import { joinBase64 } from '../../openai/join-base64.ts';
import { readFreeText } from '../../openai/tools/free-text.ts';
import { writeError } from '../../openai/write-error.ts';
import { asLegacyFinish, callFormOf, type CallForm } from './call-form.ts';
import { wholeAudio, writeAudio } from '../speech.ts';
import {
  filterExplanation,
  noStart,
  writeBeside,
  writeCallStart,
  writeCitation,
  writeFinish,
  writeHead,
  writeImage,
  writeUsageEvent,
} from './write-reply.ts';
import { ReasoningDetails } from '../parts/write-reasoning-details.ts';

/** One answer, assembled from its events. */
interface Answer {
  content: string | undefined;
  refusal: string | undefined;
  reasoning: string;
  signedReasoning: ReasoningDetails;
  reasoningDetails: Fields[];
  audio: Record<string, unknown> | undefined;
  audioType: string | undefined;
  images: Fields[];
  annotations: Fields[];
  calls: Map<number, { start: Extract<ChatEvent, { type: 'tool-call-start' }>; argumentsText: string }>;
  beside: Fields;
  reason: FinishReason | undefined;
}

/** Writes events as one whole reply. An error among them becomes the reply. */
export const writeWhole = (events: readonly ChatEvent[], asked?: ChatRequest): unknown => {
  const failed = events.find((event) => event.type === 'error');
  if (failed?.type === 'error') return writeError(failed.error, '').body;
  const form = callFormOf(asked);
  const answers = new Map<number, Answer>();
  let start = noStart;
  let usage: Fields | undefined;
  const statements = new JoinedStatements();
  for (const next of events) {
    const event = statements.take(next);
    if (event.type === 'start') start = event;
    else if (event.type === 'usage') usage = writeUsageEvent(event);
    else if (event.type !== 'error') addTo(answerOf(answers, event.choice), event, start.id);
  }
  return {
    ...writeHead(start, 'chat.completion'),
    choices: [...answers]
      .toSorted(([a], [b]) => a - b)
      .map(([index, answer]) => writeAnswer(index, answer, { ...form, speech: asked?.speech })),
    ...(usage !== undefined && { usage }),
  };
};

const answerOf = (answers: Map<number, Answer>, choice: number): Answer => {
  let answer = answers.get(choice);
  if (answer === undefined) {
    answer = {
      content: undefined,
      refusal: undefined,
      reasoning: '',
      signedReasoning: new ReasoningDetails(),
      reasoningDetails: [],
      audio: undefined,
      audioType: undefined,
      images: [],
      annotations: [],
      calls: new Map(),
      beside: {},
      reason: undefined,
    };
    answers.set(choice, answer);
  }
  return answer;
};

const addTo = (
  answer: Answer,
  event: Exclude<ChatEvent, { type: 'start' | 'usage' | 'error' }>,
  answerId: string,
): void => {
  switch (event.type) {
    case 'text-delta':
      answer.content = (answer.content ?? '') + event.text;
      answer.signedReasoning.countText(event.text.length);
      answer.beside = mergeLogprobs(answer.beside, writeBeside(event));
      break;
    case 'refusal-delta':
      answer.refusal = (answer.refusal ?? '') + event.text;
      break;
    case 'reasoning-delta':
      answer.reasoning += event.text;
      answer.signedReasoning.write(event);
      break;
    case 'reasoning-end':
      answer.reasoningDetails = [...answer.signedReasoning.write(event)];
      break;
    case 'audio-delta':
      answer.audio = mergeAudio(answer.audio, writeAudio(event, answerId));
      answer.audioType = event.mediaType ?? answer.audioType;
      break;
    case 'image':
      answer.images.push(writeImage(event));
      break;
    case 'citation': {
      const citation = writeCitation(event);
      if (citation !== undefined) answer.annotations.push(citation);
      break;
    }
    case 'tool-call-start':
      answer.signedReasoning.countCall();
      answer.calls.set(event.index, { start: event, argumentsText: '' });
      break;
    case 'tool-call-delta': {
      const call = answer.calls.get(event.index);
      if (call !== undefined) call.argumentsText += event.argumentsText;
      break;
    }
    case 'finish':
      answer.reason = event.reason;
      answer.beside = { ...answer.beside, ...writeFinish(event, answer.refusal !== undefined) };
      answer.refusal ??= filterExplanation(event);
      break;
    case 'opaque':
    // Only its own format can express it.
  }
};

const writeAnswer = (
  index: number,
  answer: Answer,
  form: CallForm & { readonly speech: Speech | undefined },
): Fields => {
  const { reasoningDetails: details, audio, audioType: mediaType } = answer;
  return {
    index,
    message: {
      role: 'assistant',
      content: answer.content ?? null,
      ...(answer.reasoning !== '' && { reasoning_content: answer.reasoning }),
      ...(details.length > 0 && { reasoning_details: details }),
      ...(answer.refusal !== undefined && { refusal: answer.refusal }),
      ...(audio !== undefined && { audio: wholeAudio(audio, { mediaType, asked: form.speech }) }),
      ...(answer.images.length > 0 && { images: answer.images }),
      ...(answer.annotations.length > 0 && { annotations: answer.annotations }),
      ...writeCalls(answer, form),
    },
    finish_reason: null,
    ...(form.isLegacy && answer.reason !== undefined
      ? asLegacyFinish(answer.beside, answer.reason)
      : answer.beside),
  };
};

const writeCalls = (answer: Answer, form: CallForm): Fields => {
  const [first] = answer.calls.values();
  if (first === undefined) return {};
  if (form.isLegacy) return { function_call: { name: first.start.name, arguments: first.argumentsText } };
  return {
    tool_calls: [...answer.calls.values()].map(({ start, argumentsText }) => {
      const isFreeText = form.isFreeText(start);
      return writeCallStart(start, isFreeText ? readFreeText(argumentsText) : argumentsText, isFreeText);
    }),
  };
};

const mergeAudio = (before: Record<string, unknown> | undefined, piece: Fields): Record<string, unknown> => {
  const merged = { ...before, ...piece };
  for (const key of ['data', 'transcript'] as const) {
    const [first, second] = [before?.[key], piece[key]];
    if (typeof first === 'string' && typeof second === 'string')
      merged[key] = key === 'data' ? joinBase64(first, second) : first + second;
  }
  return merged;
};

/** Every piece has its own list of log probabilities; other extras are the same each time. */
const mergeLogprobs = (before: Fields, piece: Fields): Fields => {
  const [first, second] = [before['logprobs'], piece['logprobs']];
  const merged: Record<string, unknown> = { ...before, ...piece };
  if (!isObject(first) || !isObject(second)) return merged;
  const joined: Record<string, unknown> = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const known = first[key];
    joined[key] = Array.isArray(known) && Array.isArray(value) ? [...known, ...value] : value;
  }
  merged['logprobs'] = joined;
  return merged;
};

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
