import type { ChatRequest, DialectName } from '../../src/server/core/chat/request.ts';
import {
  refusesForcedTools,
  samplingOf,
  thinkingStyle,
} from '../../src/server/dialects/anthropic-messages/claude-models.ts';
import { fields } from './meaning/alike.ts';
import type { Stop } from './meaning/meaning.ts';
import type { ReplyContent } from './meaning/reply-content.ts';
import { parsed } from '../../src/contract/json-text.ts';

/** A difference that docs/dialects.md explains. */
export interface Excuse {
  readonly excuse: string;
}

type Reason = Stop | undefined;

/** Stop reasons that a format lacks, each with the nearest one it has. */
const NEAREST: Partial<Readonly<Record<DialectName, readonly (readonly [Reason, Reason])[]>>> = {
  'anthropic-messages': [['content-filter', 'refusal']],
  gemini: [
    ['refusal', 'content-filter'],
    ['pause', 'other'],
  ],
  'openai-chat': [
    ['refusal', 'content-filter'],
    ['pause', 'stop'],
  ],
  'openai-responses': [
    ['refusal', 'content-filter'],
    ['pause', 'stop'],
  ],
};

export const excuseStop = (
  caller: DialectName,
  upstream: ReplyContent,
  received: ReplyContent,
): Excuse | undefined => {
  const [was] = upstream.finish;
  const [is] = received.finish;
  const nearest = NEAREST[caller]?.some(([from, to]) => from === was && to === is) === true;
  if (nearest) return { excuse: `the format has no stop reason ${String(was)}; ${String(is)} is nearest` };
  if (was === undefined || was === 'other')
    return { excuse: `the upstream gives no stop reason, but this format requires one: ${String(is)}` };
  return undefined;
};

export const excuseText = (upstream: ReplyContent, received: ReplyContent): Excuse | undefined => {
  if (upstream.images > 0 && received.images < upstream.images && received.text.includes('![image](data:'))
    return { excuse: 'a picture in an answer becomes a Markdown link in a format without pictures' };
  const { text, refusal, explanation } = upstream;
  if (explanation !== '' && received.text + received.refusal === text + refusal + explanation)
    return { excuse: 'the reason for filtering is given as a refusal' };
  if (upstream.transcript !== '' && received.text === upstream.text + upstream.transcript)
    return {
      excuse: 'a format without transcripts gives the transcript as text',
    };
  return undefined;
};

/** Where a format allows only objects as arguments, arguments that were cut off are put into an object as text. */
export const excuseCalls = (upstream: ReplyContent, received: ReplyContent): Excuse | undefined => {
  const isSame = upstream.calls.every((call, index) => {
    const { name, arguments: given = '' } = received.calls[index] ?? {};
    if (name !== call.name) return false;
    return (
      given === call.arguments ||
      (parsed(call.arguments) === undefined && textInside(given) === call.arguments)
    );
  });
  return isSame && upstream.calls.length === received.calls.length
    ? { excuse: 'arguments that are not JSON are put into an object where the format allows only objects' }
    : undefined;
};

/** The text of an object with a single text field. */
const textInside = (json: string): unknown => Object.values(fields(parsed(json)))[0];

/** Request fields that this Claude model does not accept. */
export const excuseNarrowed = (key: string, { model }: ChatRequest): Excuse | undefined => {
  if (key === 'reasoning' && thinkingStyle(model) === 'adaptive')
    return { excuse: 'this model takes an effort instead of a thinking budget' };
  const isSampling = key === 'temperature' || key === 'topP' || key === 'topK';
  return isSampling && samplingOf(model) !== 'all'
    ? { excuse: 'this model takes at most one of temperature, top_p and top_k' }
    : undefined;
};

/** @param key the request field that differs */
export const excuseRequest = (key: string, before: ChatRequest, target: DialectName): Excuse | undefined => {
  if (key === 'stop' && target === 'openai-responses')
    return { excuse: 'the format has no stop sequences: the gateway cuts the answer there itself' };
  const results = before.messages.flatMap(({ content }) =>
    content.filter(({ type }) => type === 'tool-result'),
  );
  const isShown = results.some(
    (part) =>
      part.type === 'tool-result' && part.content.some(({ type }) => type === 'image' || type === 'file'),
  );
  if (target === 'openai-chat' && isShown && (key === 'results' || key === 'media'))
    return {
      excuse: 'pictures and files in a tool result move to a user message: results hold only text here',
    };
  const hasFailed = results.some((part) => part.type === 'tool-result' && part.isError === true);
  if (target.startsWith('openai-') && hasFailed && key === 'results')
    return { excuse: 'the format has no field for a tool that failed, so its result says so' };
  if (target !== 'anthropic-messages' || key === 'calls') return undefined;
  const isForced = before.toolChoice !== undefined && before.toolChoice !== 'auto';
  if (key === 'instructions' && isForced && refusesForcedTools(before.model))
    return { excuse: 'this model refuses a forced tool call, so the instructions ask for it' };
  if (before.responseFormat?.type === 'json' && key === 'instructions')
    return { excuse: 'the instructions ask for JSON without a schema' };
  if (before.responseFormat?.type === 'json-schema' && key === 'instructions')
    return { excuse: 'the instructions contain the schema for models that take none' };
  const hasTurns = before.messages.some(({ role }) => role !== 'system' && role !== 'developer');
  return hasTurns ? undefined : { excuse: 'a request without a user message sends its instructions as one' };
};
