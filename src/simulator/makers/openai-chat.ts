import { asJson, asList, type Json } from '../wire.ts';
import {
  firstOf,
  isEmptyList,
  isPlainName,
  isText,
  objectsIn,
  type Rule,
  unknownIn,
  isOneOf,
  shown,
  ownOf,
} from './rule.ts';
import { schemaRule } from './openai-schemas.ts';

const REFERENCE = 'platform.openai.com/docs/api-reference/chat/create';

const FIELDS: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'audio',
  'frequency_penalty',
  'function_call',
  'functions',
  'logit_bias',
  'logprobs',
  'max_completion_tokens',
  'max_tokens',
  'metadata',
  'modalities',
  'moderation',
  'n',
  'parallel_tool_calls',
  'prediction',
  'presence_penalty',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning_effort',
  'response_format',
  'safety_identifier',
  'seed',
  'service_tier',
  'stop',
  'store',
  'stream',
  'stream_options',
  'temperature',
  'tool_choice',
  'tools',
  'top_logprobs',
  'top_p',
  'user',
  'verbosity',
  'web_search_options',
]);

/** The part types that a message of each role may have. */
const PARTS: Readonly<Record<string, ReadonlySet<unknown>>> = {
  system: new Set(['text']),
  developer: new Set(['text']),
  user: new Set(['text', 'image_url', 'input_audio', 'file']),
  assistant: new Set(['text', 'refusal']),
  tool: new Set(['text']),
};

const REASONING = ['reasoning_content', 'reasoning', 'reasoning_details'];

/** Reasoning fields that some providers refuse, by model name. */
const REFUSED_REASONING: readonly (readonly [models: RegExp, fields: readonly string[]])[] = [
  [/^(?:mistral|magistral|devstral|codestral|ministral)-/, REASONING],
];

const MESSAGE_FIELDS: ReadonlySet<string> = new Set([
  'role',
  'content',
  'name',
  'tool_calls',
  'tool_call_id',
  'refusal',
  'audio',
  'function_call',
  'annotations',
  // OpenAI's own client sends parsed answers back unchanged.
  'parsed',
  // Kimi, DeepSeek and others accept reasoning of earlier turns; OpenAI's newer models ignore it.
  ...REASONING,
]);

/** OpenAI's models up to GPT-4 Turbo, which are strict about the fields of a message; gpt-4o was the first that is not. */
const STRICT = /^gpt-(?:3|4(?![.\do]))/;

/** OpenAI's own models; hosts of others often accept more. */
const OPENAIS = /^(?:gpt-|o\d)/;

const LONGEST_NAME = 64;
/** Once 40; it was 64 when it was last met: openclaw#875, archestra#401. */
const LONGEST_CALL_ID = 64;

const messagesOf = (body: Json): Json[] => objectsIn(body['messages']);

const callsOf = (message: Json): Json[] => objectsIn(message['tool_calls']);

const wrongPart =
  (role: unknown) =>
  (part: Json, at: number): string | undefined => {
    const { type } = part;
    const known = ownOf(PARTS, shown(role));
    if (known !== undefined && !known.has(type)) return `Invalid value: '${shown(type)}' in content[${at}]`;
    const file = asJson(part['file']);
    if (type === 'file' && isText(file['file_data']) && !isText(file['filename']))
      return `Missing required parameter: content[${at}].file.filename`;
    return undefined;
  };

/** Every tool call must have a result in the messages after it, and every result a call before it. */
const wrongOrder = (messages: readonly Json[]): string | undefined => {
  let open = new Set<unknown>();
  for (const message of messages) {
    const { role, tool_call_id: id } = message;
    if (role === 'tool') {
      if (!open.delete(id))
        return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'";
      continue;
    }
    if (open.size > 0)
      return `'tool_calls' must be followed by tool messages responding to each 'tool_call_id': ${[...open].join()}`;
    open = new Set(callsOf(message).map((call) => call['id']));
  }
  return open.size > 0 ? `'tool_calls' were not responded to: ${[...open].join()}` : undefined;
};

const nameOf = (tool: Json): unknown => asJson(tool['function'] ?? tool['custom'])['name'];

/** What OpenAI's Chat Completions refuses. */
export const openaiChatRules: readonly Rule[] = [
  schemaRule,
  {
    source: `${REFERENCE} ("Unrecognized request argument supplied")`,
    broken: (body) => {
      const name = unknownIn(body, FIELDS);
      return name && `Unrecognized request argument supplied: ${name}`;
    },
  },
  {
    source: 'koog#786, qwen-code#2054: "[] is too short - \'tools\'"',
    broken: (body) =>
      ['tools', 'stop', 'functions']
        .map((name) => isEmptyList(body[name]) && `[] is too short - '${name}'`)
        .find(isText),
  },
  {
    source:
      'openai-node#1161: "Additional properties are not allowed (\'parsed\' was unexpected)", agent-framework#2344, vllm#10463',
    broken: (body) => {
      if (!STRICT.test(shown(body['model']))) return undefined;
      const name = REASONING.concat('parsed').find((field) => messagesOf(body).some((one) => field in one));
      return name && `Additional properties are not allowed ('${name}' was unexpected) - 'messages'`;
    },
  },
  {
    source: 'litellm#30835, crush#1590: "Extra inputs are not permitted" for reasoning_content at Mistral',
    broken: (body) => {
      const refused = REFUSED_REASONING.find(([models]) => models.test(shown(body['model'])))?.[1] ?? [];
      const name = refused.find((field) => messagesOf(body).some((one) => field in one));
      return name && `Extra inputs are not permitted: messages.assistant.${name}`;
    },
  },
  {
    source: `${REFERENCE} (messages)`,
    broken: (body) =>
      messagesOf(body).length === 0
        ? "Invalid 'messages': empty array. Expected an array with minimum length 1"
        : undefined,
  },
  {
    source: `${REFERENCE} (response_format: json_object)`,
    broken: (body) =>
      asJson(body['response_format'])['type'] === 'json_object' &&
      !/json/i.test(JSON.stringify(body['messages']))
        ? "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
        : undefined,
  },
  {
    source: `${REFERENCE} (tools.function.name)`,
    broken: (body) =>
      firstOf(objectsIn(body['tools']), (tool, at) =>
        isPlainName(nameOf(tool), LONGEST_NAME) ? undefined : `Invalid 'tools[${at}].function.name'`,
      ),
  },
  {
    source: `${REFERENCE} (messages.tool_calls)`,
    broken: (body) =>
      firstOf(messagesOf(body), (message, at) =>
        firstOf(callsOf(message), (call, of) => {
          if (!isPlainName(nameOf(call), LONGEST_NAME))
            return `Invalid 'messages[${at}].tool_calls[${of}].function.name'`;
          if (!isText(call['id']) || call['id'].length > LONGEST_CALL_ID)
            return `Invalid 'messages[${at}].tool_calls[${of}].id': string too long`;
          if (call['type'] !== 'function' && call['type'] !== 'custom')
            return `Invalid value: messages[${at}].tool_calls[${of}].type`;
          return call['type'] === 'function' && !isText(asJson(call['function'])['arguments'])
            ? `Invalid type for 'messages[${at}].tool_calls[${of}].function.arguments'`
            : undefined;
        }),
      ),
  },
  {
    source: `${REFERENCE} (messages: tool)`,
    broken: (body) => wrongOrder(messagesOf(body)),
  },
  {
    source: `${REFERENCE} (messages.content)`,
    broken: (body) =>
      firstOf(messagesOf(body), (message, at) => {
        const { role, content } = message;
        if (!Object.hasOwn(PARTS, shown(role)) && role !== 'function')
          return `Invalid value: '${shown(role)}' in messages[${at}].role`;
        const name = unknownIn(message, MESSAGE_FIELDS);
        if (name !== undefined) return `Unrecognized request argument supplied: messages[${at}].${name}`;
        if (isEmptyList(content)) return `Invalid 'messages[${at}].content': empty array`;
        const isBare = role === 'assistant' && (callsOf(message).length > 0 || isText(message['refusal']));
        if ((content === null || content === undefined) && !isBare && message['audio'] === undefined)
          return `Invalid value for 'content': expected a string, got null. messages[${at}]`;
        return firstOf(objectsIn(content), wrongPart(role));
      }),
  },
  {
    source: 'podly_pure_podcasts#89: "schema must be a JSON Schema of type object"',
    broken: (body) => {
      const { type } = asJson(asJson(asJson(body['response_format'])['json_schema'])['schema']);
      return OPENAIS.test(shown(body['model'])) && type !== undefined && type !== 'object'
        ? `Invalid schema for response_format: schema must be a JSON Schema of 'type: "object"', got 'type: "${shown(type)}"'.`
        : undefined;
    },
  },
  {
    source: `${REFERENCE} (response_format.json_schema)`,
    broken: (body) => {
      const format = asJson(body['response_format']);
      if (format['type'] !== 'json_schema') return undefined;
      return isPlainName(asJson(format['json_schema'])['name'], LONGEST_NAME)
        ? undefined
        : "Missing required parameter: 'response_format.json_schema.name'";
    },
  },
  {
    source: "community.openai.com: \"'tool_choice' is only allowed when 'tools' are specified\"",
    broken: (body) =>
      ['tool_choice', 'parallel_tool_calls']
        .map(
          (name) =>
            body[name] !== undefined &&
            body['tools'] === undefined &&
            `Invalid value for '${name}': '${name}' is only allowed when 'tools' are specified.`,
        )
        .find(isText),
  },
  {
    source:
      "community.openai.com: \"The 'stream_options' parameter is only allowed when 'stream' is enabled\"",
    broken: (body) =>
      body['stream_options'] !== undefined && body['stream'] !== true
        ? "The 'stream_options' parameter is only allowed when 'stream' is enabled."
        : undefined,
  },
  {
    source: `${REFERENCE} (tool_choice)`,
    broken: ({ tool_choice: choice }) => {
      if (choice === undefined || isOneOf(choice, ['none', 'auto', 'required'])) return undefined;
      return isOneOf(asJson(choice)['type'], ['function', 'custom', 'allowed_tools'])
        ? undefined
        : "Invalid value for 'tool_choice'";
    },
  },
  {
    source: `${REFERENCE} (metadata)`,
    broken: ({ metadata }) => {
      const pairs = Object.entries(asJson(metadata));
      if (pairs.length > 16) return "Invalid 'metadata': too many properties";
      return pairs.some(([key, value]) => key.length > 64 || !isText(value) || value.length > 512)
        ? "Invalid 'metadata'"
        : undefined;
    },
  },
  {
    source: `${REFERENCE} (stop: up to 4)`,
    broken: ({ stop }) => (asList(stop).length > 4 ? "Invalid 'stop': array too long" : undefined),
  },
];
