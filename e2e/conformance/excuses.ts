import type { ChatRequest, DialectName } from '../../src/server/core/chat/request.ts';
import {
  refusesForcedTools,
  samplingOf,
  thinkingStyle,
} from '../../src/server/dialects/anthropic-messages/claude-models.ts';
import { fields } from './meaning/alike.ts';
import type { Stop } from './meaning/meaning.ts';
import type { Told } from './meaning/told.ts';
import { parsed } from '../../src/contract/json-text.ts';

/** Differences with a reason in docs/dialects.md. */
export interface Excuse {
  readonly excuse: string;
}

type Reason = Stop | undefined;

/** Stop reasons that a format lacks, and the nearest one it has. */
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

export const excuseStop = (caller: DialectName, upstream: Told, said: Told): Excuse | undefined => {
  const [was] = upstream.finish;
  const [is] = said.finish;
  const nearest = NEAREST[caller]?.some(([from, to]) => from === was && to === is) === true;
  if (nearest) return { excuse: `the format has no word for ${String(was)}; ${String(is)} is nearest` };
  if (was === undefined || was === 'other')
    return { excuse: `the upstream does not say why it stopped; this format must: ${String(is)}` };
  return undefined;
};

export const excuseText = (upstream: Told, said: Told): Excuse | undefined => {
  if (upstream.images > 0 && said.images < upstream.images && said.text.includes('![image](data:'))
    return { excuse: 'a picture in an answer is a link in markdown where the format holds none' };
  const { text, refusal, explanation } = upstream;
  if (explanation !== '' && said.text + said.refusal === text + refusal + explanation)
    return { excuse: 'why an answer was filtered is told as a refusal' };
  if (upstream.transcript !== '' && said.text === upstream.text + upstream.transcript)
    return {
      excuse:
        'a format without transcripts tells what was said aloud as text, beside the sound if it has any',
    };
  return undefined;
};

/** If a format knows only objects, arguments that were cut off become a text in an object. */
export const excuseCalls = (upstream: Told, said: Told): Excuse | undefined => {
  const isTold = upstream.calls.every((call, index) => {
    const { name, arguments: told = '' } = said.calls[index] ?? {};
    if (name !== call.name) return false;
    return (
      told === call.arguments || (parsed(call.arguments) === undefined && textInside(told) === call.arguments)
    );
  });
  return isTold && upstream.calls.length === said.calls.length
    ? { excuse: 'arguments that are no JSON are a text in an object where the format holds only objects' }
    : undefined;
};

/** The text of an object with a single text field. */
const textInside = (json: string): unknown => Object.values(fields(parsed(json)))[0];

/** Fields of Anthropic's format that this model refuses. */
export const excuseNarrowed = (key: string, { model }: ChatRequest): Excuse | undefined => {
  if (key === 'reasoning' && thinkingStyle(model) === 'adaptive')
    return { excuse: 'this model is told how hard to think, not how long' };
  const isSampling = key === 'temperature' || key === 'topP' || key === 'topK';
  return isSampling && samplingOf(model) !== 'all'
    ? { excuse: 'this model takes one of temperature, top_p and top_k at most' }
    : undefined;
};

/** `key`: the request field that differs. */
export const excuseRequest = (key: string, before: ChatRequest, target: DialectName): Excuse | undefined => {
  if (key === 'stop' && target === 'openai-responses')
    return { excuse: 'the format has no stop sequences: the gateway ends the answer at them itself' };
  const results = before.messages.flatMap(({ content }) =>
    content.filter(({ type }) => type === 'tool-result'),
  );
  const isShown = results.some(
    (part) =>
      part.type === 'tool-result' && part.content.some(({ type }) => type === 'image' || type === 'file'),
  );
  if (target === 'openai-chat' && isShown && (key === 'results' || key === 'media'))
    return {
      excuse: 'pictures and files that a tool gave back are shown by the user: results are texts here',
    };
  if (target !== 'anthropic-messages' || key === 'calls') return undefined;
  const isForced = before.toolChoice !== undefined && before.toolChoice !== 'auto';
  if (key === 'instructions' && isForced && refusesForcedTools(before.model))
    return { excuse: 'this model is told in the instructions that a tool has to be called' };
  if (before.responseFormat?.type === 'json' && key === 'instructions')
    return { excuse: 'JSON without a schema is asked for in the instructions' };
  if (before.responseFormat?.type === 'json-schema' && key === 'instructions')
    return { excuse: 'a schema is told in the instructions to models that know none' };
  const isSpoken = before.messages.some(({ role }) => role !== 'system' && role !== 'developer');
  return isSpoken ? undefined : { excuse: 'somebody has to speak first: the instructions are the question' };
};
