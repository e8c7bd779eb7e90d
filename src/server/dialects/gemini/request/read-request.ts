import { z } from 'zod';
import type { ChatRequest, ContentPart, Message, Tool, ToolChoice } from '#core/chat/request.ts';
import {
  anyObject,
  choiceCount,
  flag,
  knob,
  modelName,
  parseBounds,
  tokenCount,
  wholeNumber,
} from '../../openai/bounds.ts';
import {
  fieldsOf,
  isFields,
  isGiven,
  listOf,
  otherFields,
  textOf,
  type Fields,
  wordOf,
} from '#core/json/fields.ts';
import { misshapen } from '../../listed-parts.ts';
import { webSearch } from '../../openai/tools/web-search.ts';
import { byIndex, callersList, camelFields } from '../fields.ts';
import { readOnlyIn } from '../only-in.ts';
import { CallNames, joinContents, readParts } from '../parts/read-parts.ts';
import { readResponseFormat, withOlderFormat } from './response-format.ts';
import { toJsonSchema } from './schema.ts';
import { readSpeech } from '../speech.ts';
import { readThinking } from './thinking.ts';

const wire = z.object({
  model: modelName,
  stream: flag,
  contents: z.union([z.array(anyObject).min(1), anyObject]),
});

const wireConfig = z.object({
  candidateCount: choiceCount,
  maxOutputTokens: tokenCount,
  temperature: knob,
  topP: knob,
  topK: knob,
  seed: wholeNumber,
  presencePenalty: knob,
  frequencyPenalty: knob,
  stopSequences: z.array(z.string()).nullish(),
});

const KNOWN = new Set([
  ...Object.keys(wire.shape),
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
]);
const LOGPROBS = ['responseLogprobs', 'logprobs'];
const KNOWN_IN_CONFIG = new Set([
  ...Object.keys(wireConfig.shape),
  'thinkingConfig',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
]);
const KNOWN_IN_DECLARATION = new Set(['name', 'description', 'parameters', 'parametersJsonSchema']);

/** Reads a request of this format into the common form. Throws `invalid_request` naming the wrong field. */
export const readRequest = (body: unknown): ChatRequest => {
  const fields = camelFields(body);
  const { model, stream } = parseBounds(wire, fields);
  const given = withOlderFormat(camelFields(fields['generationConfig']));
  const config = parseBounds(wireConfig, given);
  const format = readResponseFormat(given);
  const reasoning = readThinking(given['thinkingConfig']);
  const choice = readToolChoice(fields['toolConfig']);
  const tells = given['responseLogprobs'] === true;
  const knownInConfig = tells ? new Set([...KNOWN_IN_CONFIG, ...LOGPROBS]) : KNOWN_IN_CONFIG;
  const otherConfig = { ...otherFields(given, knownInConfig), ...format.extras };
  const extras: Fields = {
    ...otherFields(fields, KNOWN),
    ...(Object.keys(otherConfig).length > 0 && { generationConfig: otherConfig }),
    ...(choice.extras !== undefined && { toolConfig: choice.extras }),
  };
  const read: { [Key in keyof ChatRequest]?: ChatRequest[Key] | null | undefined } = {
    onlyIn: readOnlyIn(fields, given),
    tools: readTools(fields['tools']),
    toolChoice: choice.toolChoice,
    maxOutputTokens: config.maxOutputTokens === 0 ? undefined : config.maxOutputTokens,
    temperature: config.temperature,
    topP: config.topP,
    topK: config.topK,
    stop: config.stopSequences,
    seed: config.seed,
    presencePenalty: config.presencePenalty,
    frequencyPenalty: config.frequencyPenalty,
    choices: config.candidateCount,
    responseFormat: format.responseFormat,
    reasoning,
    logprobs: tells ? readLogprobs(given['logprobs']) : undefined,
    imagesAskedBy: wantsImages(given) ? 'responseModalities' : undefined,
    speech: readSpeech(given),
  };
  return {
    model,
    stream: stream ?? false,
    messages: readMessages(fields),
    ...(Object.fromEntries(
      Object.entries(read).filter(([, value]) => value !== undefined && value !== null),
    ) as Partial<ChatRequest>),
    extras: Object.keys(extras).length === 0 ? {} : { gemini: extras },
  };
};

const readLogprobs = (top: unknown): ChatRequest['logprobs'] =>
  typeof top === 'number' && top > 0 ? { top } : {};

const wantsImages = (config: Fields): boolean =>
  listOf(config['responseModalities']).some((word) => wordOf(word).toUpperCase() === 'IMAGE');

const readMessages = (fields: Fields): Message[] => {
  const calls = new CallNames();
  const instructed = readInstruction(fields['systemInstruction'], calls);
  return [
    ...(instructed.length === 0 ? [] : [{ role: 'system' as const, content: instructed }]),
    ...readTurns(callersList(fields['contents'], 'contents'), calls),
  ];
};

const readInstruction = (system: unknown, calls: CallNames): ContentPart[] => {
  if (!isGiven(system)) return [];
  if (typeof system === 'string') return [{ type: 'text', text: system }];
  return partsOf(system, calls, 'systemInstruction');
};

/** The parts of a content. Throws `invalid_request` for a field that no content has: it would be lost. */
const partsOf = (content: unknown, calls: CallNames, place: string): ContentPart[] => {
  if (!isFields(content)) throw misshapen(place, 'must be an object');
  const fields = camelFields(content);
  for (const name in fields)
    if (name !== 'role' && name !== 'parts' && isGiven(fields[name]))
      throw misshapen(`${place}.${name}`, 'is no field of a content');
  return readParts(fields['parts'], calls, `${place}.parts`);
};

/** Google's own client stores every chunk of a streamed answer as a content: together they are one turn. */
const readTurns = (contents: readonly Fields[], calls: CallNames): Message[] => {
  const messages: Message[] = [];
  for (const [at, content] of contents.entries()) {
    const message = readContent(content, calls, byIndex('contents', at));
    const before = messages.at(-1);
    if (before?.role === 'assistant' && message.role === 'assistant')
      messages[messages.length - 1] = {
        ...before,
        content: joinContents(before.content, message.content),
      };
    else messages.push(message);
  }
  return messages;
};

/** The roles that Google takes, and none. Some clients give results as `tool`. */
const ROLES: ReadonlySet<unknown> = new Set(['user', 'model', 'function', 'tool', '', null, undefined]);

const readContent = (content: Fields, calls: CallNames, place: string): Message => {
  const { role } = content;
  if (!ROLES.has(role)) throw misshapen(`${place}.role`, "must be 'user' or 'model'");
  const parts = partsOf(content, calls, place);
  if (role === 'model') return { role: 'assistant', content: parts };
  const isResults = parts.length > 0 && parts.every((part) => part.type === 'tool-result');
  return { role: isResults || role === 'function' ? 'tool' : 'user', content: parts };
};

const SEARCHES: ReadonlySet<string> = new Set(['googleSearch', 'googleSearchRetrieval']);

/** The functions of all tools, and every built-in tool (search, code execution) as a tool of this format only. */
const readTools = (value: unknown): Tool[] | undefined => {
  if (value === undefined || value === null) return undefined;
  return callersList(value, 'tools').flatMap((tool, at) => {
    const { functionDeclarations: declarations, ...builtIn } = tool;
    const held = Object.entries(builtIn)
      .filter(([, settings]) => isGiven(settings))
      .map(([name, settings]): Tool => ({
        name,
        ...(SEARCHES.has(name) && {
          webSearch: webSearch({ blocked: camelFields(settings)['excludeDomains'] }),
        }),
        extras: { gemini: { type: 'tool', tool: { [name]: settings } } },
      }));
    const functions = callersList(declarations, `${byIndex('tools', at)}.functionDeclarations`);
    return [...functions.map(readDeclaration), ...held];
  });
};

const readDeclaration = (declaration: Fields): Tool => {
  const { description, parameters, parametersJsonSchema: schema } = declaration;
  const others = otherFields(declaration, KNOWN_IN_DECLARATION);
  const known = schema ?? (isFields(parameters) ? toJsonSchema(parameters) : undefined);
  return {
    name: textOf(declaration['name']) ?? '',
    ...(typeof description === 'string' && { description }),
    ...(known !== undefined && { parameters: known }),
    ...(others !== undefined && { extras: { gemini: others } }),
  };
};

interface ReadChoice {
  readonly toolChoice?: ToolChoice;
  /** Fields without a common form: several allowed names, validated calls, where to search. */
  readonly extras?: Fields;
}

const readToolChoice = (value: unknown): ReadChoice => {
  const config = camelFields(value);
  const calling = camelFields(config['functionCallingConfig']);
  const others = otherFields(config, new Set(['functionCallingConfig']));
  const names = listOf(calling['allowedFunctionNames']).filter((name) => typeof name === 'string');
  const mode = (textOf(calling['mode']) ?? '').toUpperCase();
  const [only] = names;
  const isSome = names.length > 1 || (names.length === 1 && mode !== 'ANY');
  const plain: ToolChoice | undefined =
    mode === 'NONE'
      ? 'none'
      : mode === 'ANY'
        ? isSome
          ? { allowed: names, mode: 'required' }
          : only === undefined
            ? 'required'
            : { name: only }
        : mode === 'AUTO' || mode === 'VALIDATED'
          ? isSome
            ? { allowed: names, mode: 'auto' }
            : 'auto'
          : undefined;
  const isWhole = mode !== 'VALIDATED' && (names.length === 0 || mode === 'ANY');
  const extras = isWhole
    ? others
    : { ...others, functionCallingConfig: fieldsOf(config['functionCallingConfig']) };
  return {
    ...(plain !== undefined && { toolChoice: plain }),
    ...(extras !== undefined && { extras }),
  };
};
