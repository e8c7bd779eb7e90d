import { answerTo, reasoningAbout } from './answers.ts';
import { countTokens, pieces } from './tokens.ts';
import { asJson, asList, type Json } from '../wire.ts';

/** A tool call the simulated model makes. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** The simulated model's reply to one request, before it is written in a format. */
export interface Reply {
  readonly thoughts: readonly string[];
  readonly pieces: readonly string[];
  readonly calls: readonly ToolCall[];
  readonly finish: 'stop' | 'length' | 'tool_calls';
  readonly promptTokens: number;
  readonly cachedTokens: number;
}

const CACHE_BLOCK = 128;

/** Decides the reply to a chat request: the same request always gets the same one. */
export const replyTo = (body: Json, model: string): Reply => {
  const messages = asList(body['messages']).map(asJson);
  const question = textOf(messages.findLast((message) => message['role'] === 'user')?.['content']);
  const promptTokens = Math.max(1, countTokens(body['messages']) + countTokens(body['tools']) + 3);
  const cachedTokens = promptTokens < 1024 ? 0 : Math.floor(promptTokens / 2 / CACHE_BLOCK) * CACHE_BLOCK;
  const calls = callsFor(body, question, messages.at(-1));
  if (calls.length > 0)
    return { thoughts: [], pieces: [], calls, finish: 'tool_calls', promptTokens, cachedTokens };
  const thoughts = /reason|think|r1/i.test(model) ? pieces(reasoningAbout(question)) : [];
  const all = pieces(withStop(answerFor(body, question, messages.at(-1)), body['stop']));
  const limit = limitOf(body);
  const shown = all.slice(0, limit);
  return {
    thoughts,
    pieces: shown,
    calls,
    finish: shown.length < all.length ? 'length' : 'stop',
    promptTokens,
    cachedTokens,
  };
};

export const usageOf = (reply: Reply, choices: number): Json => {
  const callTokens = reply.calls.reduce(
    (sum, call) => sum + countTokens(call.name) + countTokens(call.arguments),
    0,
  );
  const completion = choices * (reply.thoughts.length + reply.pieces.length + callTokens);
  return {
    prompt_tokens: reply.promptTokens,
    completion_tokens: completion,
    total_tokens: reply.promptTokens + completion,
    prompt_tokens_details: { cached_tokens: reply.cachedTokens, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: choices * reply.thoughts.length, audio_tokens: 0 },
  };
};

const answerFor = (body: Json, question: string, last: Json | undefined): string => {
  if (last?.['role'] === 'tool') return `The tool says: ${textOf(last['content'])}`;
  const format = asJson(body['response_format'])['type'];
  if (format === 'json_object' || format === 'json_schema')
    return JSON.stringify({ answer: question.slice(0, 80), certain: true });
  const echo = /^(?:say|repeat|echo)[: ]+(.+)$/is.exec(question.trim());
  return echo?.[1] ?? answerTo(question);
};

/** A tool is called when it is required, or when the user mentions it or its subject. */
const callsFor = (body: Json, question: string, last: Json | undefined): ToolCall[] => {
  const tools = asList(body['tools']).map((tool) => asJson(asJson(tool)['function']));
  const choice = body['tool_choice'];
  if (tools.length === 0 || choice === 'none' || last?.['role'] === 'tool') return [];
  const named = asJson(asJson(choice)['function'])['name'];
  const asked = tools.filter((tool) => {
    if (named !== undefined) return tool['name'] === named;
    return String(tool['name'])
      .split(/[_-]/)
      .some((word) => word.length > 2 && question.toLowerCase().includes(word.toLowerCase()));
  });
  const chosen = asked.length === 0 && choice === 'required' ? tools.slice(0, 1) : asked;
  return chosen.map((tool, index) => ({
    id: `call_simulated${index}${String(tool['name']).length}`,
    name: String(tool['name']),
    arguments: JSON.stringify(sampleOf(asJson(tool['parameters']), question, 0)),
  }));
};

/** A value that fits a JSON schema well enough. */
const sampleOf = (schema: Json, question: string, depth: number): unknown => {
  const choices = asList(schema['enum']);
  if (choices.length > 0) return choices[0];
  switch (schema['type']) {
    case 'string':
      return /in ([A-Z][a-z]+)/.exec(question)?.[1] ?? 'Paris';
    case 'integer':
    case 'number':
      return 3;
    case 'boolean':
      return true;
    case 'array':
      return depth > 3 ? [] : [sampleOf(asJson(schema['items']), question, depth + 1)];
    default: {
      if (depth > 3) return {};
      const properties = Object.entries(asJson(schema['properties']));
      return Object.fromEntries(
        properties.map(([name, property]) => [name, sampleOf(asJson(property), question, depth + 1)]),
      );
    }
  }
};

const limitOf = (body: Json): number => {
  const limit = body['max_completion_tokens'] ?? body['max_tokens'];
  return typeof limit === 'number' && limit > 0 ? limit : Infinity;
};

const withStop = (text: string, stop: unknown): string => {
  const marks = (typeof stop === 'string' ? [stop] : asList(stop)).filter(
    (mark) => typeof mark === 'string' && mark !== '',
  );
  const ends = marks.map((mark) => text.indexOf(String(mark))).filter((at) => at !== -1);
  return text.slice(0, Math.min(text.length, ...ends));
};

const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((part) => asJson(part)['text'])
    .filter((text) => typeof text === 'string')
    .join(' ');
};
