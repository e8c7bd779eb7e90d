import { expect, test } from 'vitest';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import { startFormatUpstream } from '../support/upstreams/format-upstream.ts';
import { formats } from '../support/one-format.ts';
import { type ToolCaller, toolCallers } from '../support/tool-callers.ts';
import { useFormats } from './use-formats.ts';

/** Signed thoughts return to their upstream unchanged, with the tools' results, through every caller. */

type Json = Readonly<Record<string, unknown>>;

const MODELS: Readonly<Record<DialectName, string>> = {
  'openai-chat': 'gpt-5-router',
  'openai-responses': 'gpt-5',
  'anthropic-messages': 'claude-sonnet-4-5',
  gemini: 'gemini-3-pro',
};
const SEALS = ['EqQBCkYICxgCKkD/+abc==', 'U2Vjb25kIHNlYWw='] as const;

let answer: object = {};
const asked: Json[] = [];
const { post } = useFormats(
  () =>
    startFormatUpstream(({ text }) => {
      asked.push(JSON.parse(text) as Json);
      return answer;
    }),
  (format) => MODELS[format],
);

const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);

const chatAnswer = (details: readonly Json[], calls: number, plain?: string) => ({
  id: 'gen-1',
  created: 1,
  model: 'm',
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: null,
        ...(plain !== undefined && { reasoning: plain }),
        reasoning_details: details,
        tool_calls: Array.from({ length: calls }, (_, at) => ({
          id: `call_${String(at)}`,
          type: 'function',
          function: { name: 'look', arguments: '{"city":"Paris"}' },
        })),
      },
    },
  ],
  usage: { prompt_tokens: 9, completion_tokens: 7, total_tokens: 16 },
});
const responsesAnswer = (output: readonly Json[]) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'm',
  status: 'completed',
  output,
  usage: { input_tokens: 9, output_tokens: 7, total_tokens: 16 },
});
const messagesAnswer = (content: readonly Json[]) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content,
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: { input_tokens: 9, output_tokens: 7 },
});
const geminiAnswer = (parts: readonly Json[]) => ({
  responseId: 'r1',
  modelVersion: 'm',
  candidates: [{ index: 0, finishReason: 'STOP', content: { role: 'model', parts } }],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 7, totalTokenCount: 16 },
});

const reasoning = (at: number, ...texts: readonly string[]): Json => ({
  id: `rs_${String(at)}`,
  type: 'reasoning',
  summary: texts.map((text) => ({ type: 'summary_text', text })),
  encrypted_content: SEALS[at],
});
const calling = (at: number): Json => ({
  id: `fc_${String(at)}`,
  type: 'function_call',
  status: 'completed',
  call_id: `call_${String(at)}`,
  name: 'look',
  arguments: '{"city":"Paris"}',
});
const thinking = (at: number): Json => ({
  type: 'thinking',
  thinking: `Thought ${String(at)}.`,
  signature: SEALS[at],
});
const using = (at: number): Json => ({
  type: 'tool_use',
  id: `toolu_${String(at)}`,
  name: 'look',
  input: { city: 'Paris' },
});
const functionCall = (at: number, seal?: string): Json => ({
  functionCall: { id: `call_${String(at)}`, name: 'look', args: { city: 'Paris' } },
  ...(seal !== undefined && { thoughtSignature: seal }),
});
const thought: Json = { text: 'The sky tells.', thought: true };
const detail = (at: number): Json => ({
  type: 'reasoning.text',
  text: `Thought ${String(at)}.`,
  signature: SEALS[at],
  format: 'anthropic-claude-v1',
  index: at,
});
const hidden: Json = {
  type: 'reasoning.encrypted',
  data: SEALS[0],
  id: 'rs_1',
  format: 'openai-responses-v1',
  index: 0,
};

/** The content of an answer of each kind of reasoning, as its upstream sends it. */
const answers: readonly (readonly [DialectName, string, readonly Json[], object])[] = [
  ...(
    [
      ['a signed thought', [detail(0)], 1],
      ['two signed thoughts and two calls', [detail(0), detail(1)], 2],
      ['two signed thoughts and their plain words', [detail(0), detail(1)], 2, 'Thought 0.Thought 1.'],
      ['an encrypted thought', [hidden], 1],
    ] as const
  ).map(
    ([name, details, calls, plain]) =>
      ['openai-chat', name, details as readonly Json[], chatAnswer(details, calls, plain)] as const,
  ),
  ...(
    [
      ['a thought with its summary', [reasoning(0, 'The sky tells.'), calling(0)]],
      ['a thought without a summary', [reasoning(0), calling(0)]],
      ['a thought of two paragraphs', [reasoning(0, 'The sky', 'tells.'), calling(0)]],
      ['a thought before each call', [reasoning(0, 'One.'), calling(0), reasoning(1), calling(1)]],
      ['two calls after one thought', [reasoning(0, 'One.'), calling(0), calling(1)]],
    ] as const
  ).map(([name, output]) => ['openai-responses', name, output, responsesAnswer(output)] as const),
  ...(
    [
      ['a signed thought', [thinking(0), using(0)]],
      ['a hidden thought', [{ type: 'redacted_thinking', data: SEALS[0] }, using(0)]],
      [
        'a shown and a hidden thought',
        [thinking(0), { type: 'redacted_thinking', data: SEALS[1] }, using(0)],
      ],
      [
        'a thought, words, and a thought',
        [thinking(0), { type: 'text', text: 'Well.' }, thinking(1), using(0)],
      ],
      ['a thought before each call', [thinking(0), using(0), thinking(1), using(1)]],
      ['a thought without words', [{ type: 'thinking', thinking: '', signature: SEALS[0] }, using(0)]],
    ] as const
  ).map(([name, content]) => ['anthropic-messages', name, content, messagesAnswer(content)] as const),
  ...(
    [
      ['a signed call', [functionCall(0, SEALS[0])]],
      ['a thought and a signed call', [thought, functionCall(0, SEALS[0])]],
      ['two calls, the first signed', [functionCall(0, SEALS[0]), functionCall(1)]],
      ['two signed calls', [functionCall(0, SEALS[0]), functionCall(1, SEALS[1])]],
      [
        'signed words and a signed call',
        [thought, { text: 'Well.', thoughtSignature: SEALS[0] }, functionCall(0, SEALS[1])],
      ],
    ] as const
  ).map(([name, parts]) => ['gemini', name, parts, geminiAnswer(parts)] as const),
];

/** The same of the second request. */
const sentBack: Readonly<Record<DialectName, (body: Json) => readonly Json[]>> = {
  'openai-chat': ({ messages }) => list(messages).flatMap((message) => list(message['reasoning_details'])),
  'openai-responses': ({ input }) =>
    list(input).filter(({ type }) => type === 'reasoning' || type === 'function_call'),
  'anthropic-messages': ({ messages }) =>
    list(messages).flatMap(({ role, content }) => (role === 'assistant' ? list(content) : [])),
  gemini: ({ contents }) =>
    list(contents).flatMap(({ role, parts }) => (role === 'model' ? list(parts) : [])),
};

/** Fields of items that are the upstream's own bookkeeping: other formats have no place for ids and states. */
const WITHOUT = new Set(['id', 'status']);
const meant = (format: DialectName, parts: readonly Json[]): unknown =>
  format === 'openai-responses'
    ? parts.map((part) => Object.fromEntries(Object.entries(part).filter(([key]) => !WITHOUT.has(key))))
    : parts;

/** Other formats have no paragraphs in a thought, so its text comes back as one, with the one signature. */
const inOneParagraph = (part: Json): Json => {
  const texts = list(part['summary']).map(({ text }) => text);
  return texts.length < 2 ? part : { ...part, summary: [{ type: 'summary_text', text: texts.join('\n\n') }] };
};

const call = async ({ path, body }: ToolCaller, model: string, turns: readonly unknown[]): Promise<Json> => {
  const text = await (await post(path(model), body(model, turns))).text();
  expect(text).not.toContain('"error":{');
  return JSON.parse(text) as Json;
};

const pairs = formats.flatMap((caller) =>
  answers.map(([format, name, given, whole]) => [caller, format, name, given, whole] as const),
);

test.each(pairs)(
  'a caller of %s gives back to an upstream of %s %s',
  async (name, format, _, given, whole) => {
    answer = whole;
    asked.splice(0);
    const caller = toolCallers[name];
    const first = await call(caller, MODELS[format], [caller.question]);
    await call(caller, MODELS[format], [caller.question, ...caller.back(first)]);
    const [, second = {}] = asked;
    const expected = name === 'openai-responses' ? given : given.map(inOneParagraph);
    expect(meant(format, sentBack[format](second))).toEqual(meant(format, expected));
  },
);
