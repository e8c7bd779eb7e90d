import { sealOf } from '../makers/seals.ts';
import { replyTo, usageOf, type Reply } from './reply.ts';
import { countTokens } from './tokens.ts';
import {
  asJson,
  asList,
  event,
  pause,
  sendError,
  sendJson,
  startStream,
  write,
  type Call,
  type Json,
} from '../wire.ts';

/** `POST …/models/NAME:METHOD`, as Google answers it. */
export const answerGemini = async (call: Call, method: string): Promise<void> => {
  const { body, response } = call;
  if (method === 'countTokens') {
    sendJson(response, 200, { totalTokens: Math.max(1, countTokens(body['contents'])) });
    return;
  }
  if (asList(body['contents']).length === 0) {
    sendError(response, 400, { message: 'GenerateContentRequest.contents: contents is not specified' });
    return;
  }
  const reply = replyTo(asChat(body), call.model);
  const count = asJson(body['generationConfig'])['candidateCount'];
  const choices = typeof count === 'number' ? count : 1;
  if (!call.stream) {
    await pause(response, call.speed === 0 ? 0 : (1000 * reply.pieces.length) / call.speed);
    sendJson(response, 200, geminiWhole(call.model, reply, usageOf(reply, choices), choices));
    return;
  }
  if (call.model.endsWith('-list')) return answerAsList(call, reply);
  startStream(response);
  for (const text of geminiEvents(call.model, reply)) {
    if (response.destroyed) return;
    await pause(response, call.speed === 0 ? 0 : 1000 / call.speed);
    await write(response, text);
  }
  response.end(geminiLast(call.model, reply, usageOf(reply, 1)));
};

/** A stream as Google sends it without `alt=sse`, and some servers always: one indented JSON list. */
const answerAsList = async (call: Call, reply: Reply): Promise<void> => {
  const { response, model, speed } = call;
  response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8' });
  const all = [...geminiEvents(model, reply), geminiLast(model, reply, usageOf(reply, 1))];
  for (const [at, text] of all.entries()) {
    const element: unknown = JSON.parse(text.slice('data: '.length));
    await pause(response, speed === 0 ? 0 : 1000 / speed);
    await write(response, `${at === 0 ? '[' : ',\r\n'}${JSON.stringify(element, undefined, 2)}`);
  }
  response.end('\n]\n');
};

/** `GET …/v1beta/models`, as Google lists them. */
export const answerGeminiModels = (call: Call): void => {
  const models = ['gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-3-pro-preview'].map((name) => ({
    name: `models/${name}`,
    displayName: name,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  }));
  sendJson(call.response, 200, { models });
};

/** A whole answer. `usage` is in OpenAI's format, as in all scripts. */
export const geminiWhole = (model: string, reply: Reply, usage: unknown, choices = 1): Json => ({
  candidates: Array.from({ length: choices }, (_, index) => ({
    content: {
      parts: [
        ...(reply.thoughts.length > 0 ? [{ text: reply.thoughts.join(''), thought: true }] : []),
        ...(reply.pieces.length > 0 ? [{ text: reply.pieces.join('') }] : []),
        ...reply.calls.map(partOf),
      ],
      role: 'model',
    },
    finishReason: finishOf(reply),
    index,
  })),
  ...metadata(usage),
  modelVersion: model,
  responseId: 'simulated',
});

/** The events of an answer up to its end, which `geminiLast` is. */
export const geminiEvents = (model: string, reply: Reply): string[] =>
  [
    ...reply.thoughts.map((text) => ({ text, thought: true })),
    ...reply.pieces.map((text) => ({ text })),
    ...reply.calls.map(partOf),
  ].map((part) => geminiPiece(model, part));

export const geminiPiece = (model: string, part: Json, beside: Json = {}): string =>
  event({
    candidates: [{ content: { parts: [part], role: 'model' }, index: 0, ...beside }],
    modelVersion: model,
    responseId: 'simulated',
  });

/** The event with the finish reason. */
export const geminiEnd = (model: string, reply: Reply): string =>
  geminiPiece(model, { text: '' }, { finishReason: finishOf(reply) });

/** An event with only usage. */
export const geminiUsage = (model: string, usage: unknown): string =>
  event({ ...metadata(usage), modelVersion: model, responseId: 'simulated' });

/** The last event: finish reason and usage. */
const geminiLast = (model: string, reply: Reply, usage: unknown): string =>
  event({
    candidates: [
      { content: { parts: [{ text: '' }], role: 'model' }, finishReason: finishOf(reply), index: 0 },
    ],
    ...metadata(usage),
    modelVersion: model,
    responseId: 'simulated',
  });

const finishOf = (reply: Reply): string => (reply.finish === 'length' ? 'MAX_TOKENS' : 'STOP');

const partOf = (call: Reply['calls'][number]): Json => ({
  functionCall: { name: call.name, args: JSON.parse(call.arguments) as unknown },
  thoughtSignature: sealOf('gemini', call.name),
});

const metadata = (usage: unknown): Json => {
  if (usage === undefined) return {};
  if (usage === null) return { usageMetadata: null };
  const counts = asJson(usage);
  const cached = asJson(counts['prompt_tokens_details'])['cached_tokens'];
  const thoughts = asJson(counts['completion_tokens_details'])['reasoning_tokens'];
  const completion = counts['completion_tokens'];
  const isSplit = typeof completion === 'number' && typeof thoughts === 'number' && thoughts < completion;
  return {
    usageMetadata: {
      promptTokenCount: counts['prompt_tokens'],
      candidatesTokenCount: isSplit ? completion - thoughts : completion,
      totalTokenCount: counts['total_tokens'],
      ...(typeof cached === 'number' && cached > 0 && { cachedContentTokenCount: cached }),
      ...(isSplit && thoughts > 0 && { thoughtsTokenCount: thoughts }),
    },
  };
};

/** The request in the chat format, which the simulated model reads. */
const asChat = (body: Json): Json => {
  const config = asJson(body['generationConfig']);
  const calling = asJson(asJson(body['toolConfig'])['functionCallingConfig']);
  const names = asList(calling['allowedFunctionNames']);
  const tools = asList(body['tools'])
    .flatMap((tool) => asList(asJson(tool)['functionDeclarations']))
    .map((declaration) => {
      const { name, parameters, parametersJsonSchema } = asJson(declaration);
      return { type: 'function', function: { name, parameters: parametersJsonSchema ?? parameters } };
    });
  return {
    messages: asList(body['contents']).map(asMessage),
    ...(tools.length > 0 && { tools }),
    ...(calling['mode'] === 'NONE' && { tool_choice: 'none' }),
    ...(calling['mode'] === 'ANY' && {
      tool_choice: names.length === 1 ? { function: { name: names[0] } } : 'required',
    }),
    max_tokens: config['maxOutputTokens'],
    stop: config['stopSequences'],
    ...(config['responseMimeType'] === 'application/json' && { response_format: { type: 'json_object' } }),
  };
};

const asMessage = (value: unknown): Json => {
  const content = asJson(value);
  const parts = asList(content['parts']).map(asJson);
  const results = parts.filter((part) => part['functionResponse'] !== undefined);
  if (results.length > 0) {
    const content = results
      .map((part) => JSON.stringify(asJson(part['functionResponse'])['response']))
      .join(' ');
    return { role: 'tool', content: content };
  }
  const text = parts.map((part) => part['text']).filter((piece) => typeof piece === 'string');
  return { role: content['role'] === 'model' ? 'assistant' : 'user', content: text.join(' ') };
};
