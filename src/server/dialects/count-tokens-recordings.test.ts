import { beforeAll, describe, expect, test } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import { onlyFormatOf } from '#core/chat/only-format.ts';
import type { ChatRequest, ContentPart } from '#core/chat/request.ts';
import { promptTokens } from '#core/chat/usage.ts';
import { anthropicMessages } from './anthropic-messages/anthropic-messages.ts';
import { countTextTokens, countTokens } from './count-tokens.ts';
import type { Dialect } from './dialect.ts';
import { gemini } from './gemini/gemini.ts';
import { openaiChat } from './openai-chat/openai-chat.ts';
import { openaiResponses } from './openai-responses/openai-responses.ts';
import { SseParser } from './sse.ts';
import { type Folded, fold } from './testing/fold.ts';
import { hasRecordings, recordedExchanges } from './testing/recorded-exchanges.ts';

/** Compares our token counts with those that models reported. The recordings are in the folder TOLLGATE_RECORDINGS. */

const dialects: Readonly<Record<string, Dialect>> = {
  'openai.chat': openaiChat,
  'openai.responses': openaiResponses,
  'anthropic.messages': anthropicMessages,
  'gemini.generateContent': gemini,
  'gemini.streamGenerateContent': gemini,
};

interface Exchange {
  readonly id: string;
  readonly endpoint: string;
  readonly model: string;
  readonly request: { readonly path?: string; readonly body?: Record<string, unknown> } | null;
  readonly response: { readonly status: number; readonly body?: unknown; readonly sse?: string };
}

interface Sample {
  readonly id: string;
  readonly counted: number;
  readonly reported: number;
}

const deviationOf = ({ counted, reported }: Sample): number => Math.abs(counted / reported - 1);
/** The largest error among the given share of the samples, the best ones first. */
const within = (samples: readonly Sample[], share: number): number => {
  const sorted = samples.map(deviationOf).toSorted((left, right) => left - right);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? 1;
};

const eventsOf = (dialect: Dialect, { response }: Exchange): ChatEvent[] => {
  if (response.body !== undefined) return dialect.readWhole(response.body);
  const parser = new SseParser();
  const reader = dialect.openReader();
  const frames = [...parser.feed(Buffer.from(response.sse ?? '')), ...parser.end()];
  return [...frames.flatMap((frame) => reader.read(frame)), ...reader.end()];
};

/** Fields that add to a prompt beside messages and tools: schemas, stored conversations, searches. */
const MORE_THAN_MESSAGES = [
  'functions',
  'response_format',
  'text',
  'reasoning',
  'previous_response_id',
  'prompt',
  'cachedContent',
  'web_search_options',
];

const isText = (part: ContentPart): boolean => {
  if (onlyFormatOf(part.extras) !== undefined) return false;
  return part.type === 'tool-result' ? part.content.every(isText) : ['text', 'tool-call'].includes(part.type);
};

const promptOf = (dialect: Dialect, { request, model }: Exchange): ChatRequest | undefined => {
  const { path = '', body } = request ?? {};
  if (body === undefined || MORE_THAN_MESSAGES.some((field) => body[field] !== undefined)) return undefined;
  const inBody = body['model'] === 'model' ? undefined : body['model'];
  const named = inBody ?? /models\/([^:]+):/.exec(path)?.[1] ?? model;
  const prompt = dialect.readRequest({ ...body, model: named });
  // The prompt text that describes an upstream's own tool is unknown.
  const isOwn =
    body['tools'] === undefined ||
    (prompt.onlyIn === undefined &&
      prompt.extras['openai-responses']?.['tools'] === undefined &&
      (prompt.tools ?? []).every((tool) => onlyFormatOf(tool.extras) === undefined));
  return isOwn && prompt.messages.every(({ content }) => content.every(isText)) ? prompt : undefined;
};

/** The text of an answer that is only text: hidden thoughts, calls and pictures cannot be counted. */
const plainText = ({ choices, usage }: Folded): string | undefined => {
  const [answer, another] = Object.values(choices);
  if (answer === undefined || another !== undefined || usage?.reasoningTokens !== 0) return undefined;
  const { reasoning, calls, audio, seals, text } = answer;
  const isPlain = reasoning === '' && calls.length === 0 && audio === undefined && seals.length === 0;
  return isPlain && text.length > usage.outputTokens ? text : undefined;
};

type Json = Readonly<Record<string, unknown>>;

const jsonOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const CHINESE = /[\u4e00-\u9fff]/;

/** Prompt and answer of a whole text-only chat in Alibaba's or Tencent's own format. */
const chineseSamples = ({ id, model, endpoint, request, response }: Exchange): Sample[] => {
  if (!/^(?:dashscope\.generation|tencent\.Chat)/.test(endpoint)) return [];
  const body = jsonOf(request?.body);
  const reply = jsonOf(jsonOf(response.body)['Response'] ?? response.body);
  const usage = jsonOf(reply['usage'] ?? reply['Usage']);
  const messages = (jsonOf(body['input'])['messages'] ?? body['Messages'] ?? []) as readonly Json[];
  const texts = messages.map((message) => message['content'] ?? message['Content']);
  if (!texts.every((text) => typeof text === 'string') || !CHINESE.test(texts.join(''))) return [];
  const named = model || 'hunyuan';
  const said = texts.map((text) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }] }));
  const counted = countTokens({ model: named, stream: false, messages: said, extras: {} });
  const prompt = { id, counted, reported: Number(usage['input_tokens'] ?? usage['PromptTokens']) };
  const output = jsonOf(reply['output']);
  const [choice] = (output['choices'] ?? reply['Choices'] ?? []) as readonly Json[];
  const message = jsonOf(choice?.['message'] ?? choice?.['Message']);
  const answer = message['content'] ?? message['Content'] ?? output['text'];
  const hidden = jsonOf(usage['output_tokens_details'])['reasoning_tokens'];
  if (typeof answer !== 'string' || hidden !== undefined) return [prompt];
  const reported = Number(usage['output_tokens'] ?? usage['CompletionTokens']);
  return [prompt, { id, counted: countTextTokens(answer, named), reported }];
};

describe.skipIf(!hasRecordings)('tokens of recordings (needs TOLLGATE_RECORDINGS)', () => {
  const prompts: Sample[] = [];
  const withTools: Sample[] = [];
  const answers: Sample[] = [];
  const chinese: Sample[] = [];
  beforeAll(() => {
    for (const exchange of recordedExchanges() as Exchange[]) {
      chinese.push(...chineseSamples(exchange).filter(({ reported }) => reported > 0));
      const dialect = dialects[exchange.endpoint];
      if (dialect === undefined || exchange.response.status !== 200) continue;
      const folded = fold(eventsOf(dialect, exchange));
      const { usage, model } = folded;
      if (usage === undefined) continue;
      const { id } = exchange;
      const prompt = promptOf(dialect, exchange);
      if (prompt !== undefined)
        (exchange.request?.body?.['tools'] === undefined ? prompts : withTools).push({
          id,
          counted: countTokens(prompt),
          reported: promptTokens(usage),
        });
      const text = plainText(folded);
      if (text !== undefined)
        answers.push({ id, counted: countTextTokens(text, model), reported: usage.outputTokens });
    }
  });

  // A few prompts contain more than their request shows, so not all can be within the limit.
  test('prompts of forty tokens and more are counted within a tenth', () => {
    const long = prompts.filter(({ reported }) => reported >= 40);
    expect(long.length).toBeGreaterThan(8);
    expect(within(long, 0.5)).toBeLessThan(0.06);
    expect(within(long, 0.8)).toBeLessThan(0.1);
  });

  // Few models publish their tool templates, and some usage reports leave those tokens out.
  test('half of the prompts with tools are counted within a tenth', () => {
    expect(withTools.length).toBeGreaterThan(40);
    expect(within(withTools, 0.5)).toBeLessThan(0.1);
  });

  test('shorter ones are off by a few tokens', () => {
    const short = prompts.filter(({ reported }) => reported > 0 && reported < 40);
    const off = short.map(({ counted, reported }) => Math.abs(counted - reported)).toSorted((a, b) => a - b);
    expect(off.length).toBeGreaterThan(20);
    expect(off[Math.floor(off.length * 0.75)]).toBeLessThanOrEqual(4);
  });

  test('Chinese, which is in short pieces here, is counted within a tenth of all of them', () => {
    const sum = (field: 'counted' | 'reported'): number =>
      chinese.reduce((total, sample) => total + sample[field], 0);
    expect(sum('reported')).toBeGreaterThan(100);
    expect(Math.abs(sum('counted') / sum('reported') - 1)).toBeLessThan(0.1);
  });

  test('answers of fifty tokens and more are counted within a tenth', () => {
    const long = answers.filter(({ reported }) => reported >= 50);
    expect(long.length).toBeGreaterThan(10);
    expect(within(long, 0.5)).toBeLessThan(0.05);
    expect(within(long, 0.8)).toBeLessThan(0.1);
  });
});
