import { asJson, type Json } from '../wire.ts';
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

const REFERENCE = 'platform.openai.com/docs/api-reference/responses/create';

const FIELDS: ReadonlySet<string> = new Set([
  'model',
  'input',
  'access_programs',
  'background',
  'background_options',
  // Codex sends it to every upstream; no reference documents it.
  'client_metadata',
  'conversation',
  'context_management',
  'image',
  'include',
  'instructions',
  'max_output_tokens',
  'max_tool_calls',
  'metadata',
  'moderation',
  'multi_agent',
  'parallel_tool_calls',
  'previous_response_id',
  'prompt',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning',
  'safety_identifier',
  'service_tier',
  'store',
  'stream',
  'stream_options',
  'temperature',
  'text',
  'tool_choice',
  'tools',
  'top_logprobs',
  'top_p',
  'truncation',
  'user',
]);

const LONGEST_NAME = 64;
const LONGEST_CALL_ID = 64;
const LEAST_OUTPUT = 16;

const itemsOf = (body: Json): Json[] => objectsIn(body['input']);

/** The prefixes of item ids. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  message: 'msg',
  function_call: 'fc',
  reasoning: 'rs',
  custom_tool_call: 'ctc',
};

const PARTS: Readonly<Record<string, ReadonlySet<unknown>>> = {
  user: new Set(['input_text', 'input_image', 'input_file', 'input_audio']),
  system: new Set(['input_text', 'input_image', 'input_file']),
  developer: new Set(['input_text', 'input_image', 'input_file']),
  assistant: new Set(['output_text', 'refusal']),
};

const RESULTS: Readonly<Record<string, string>> = {
  function_call_output: 'function_call',
  custom_tool_call_output: 'custom_tool_call',
};

const isContinued = (body: Json): boolean =>
  body['previous_response_id'] !== undefined || body['conversation'] !== undefined;

/** The fields of each item type. */
const ITEM_FIELDS: Readonly<Record<string, ReadonlySet<string>>> = {
  message: new Set(['type', 'id', 'role', 'content', 'status', 'phase']),
  // OpenAI's own client sends parsed items back unchanged.
  function_call: new Set([
    'type',
    'id',
    'call_id',
    'name',
    'arguments',
    'parsed_arguments',
    'status',
    'namespace',
    'caller',
  ]),
  function_call_output: new Set(['type', 'id', 'call_id', 'output', 'status', 'caller']),
  custom_tool_call: new Set(['type', 'id', 'call_id', 'name', 'input', 'status', 'namespace', 'caller']),
  custom_tool_call_output: new Set(['type', 'id', 'call_id', 'output', 'status', 'caller']),
  reasoning: new Set(['type', 'id', 'summary', 'content', 'encrypted_content', 'status']),
};

const kindOf = (item: Json): string => shown(item['type'] ?? 'message');

/** Whether an item may follow reasoning. */
const isOfModel = (item: Json): boolean =>
  item['role'] === 'assistant' || (item['role'] === undefined && !kindOf(item).endsWith('_output'));

/** What OpenAI's Responses refuses. */
export const openaiResponsesRules: readonly Rule[] = [
  schemaRule,
  {
    source: `${REFERENCE} ("Unknown parameter")`,
    broken: (body) => {
      const name = unknownIn(body, FIELDS);
      return name && `Unknown parameter: '${name}'.`;
    },
  },
  {
    source: 'pydantic-ai#3470: no input, even if there are instructions',
    broken: (body) =>
      isEmptyList(body['input']) && !isContinued(body) && body['prompt'] === undefined
        ? 'One of "input" or "previous_response_id" or \'prompt\' or \'conversation_id\' must be provided.'
        : undefined,
  },
  {
    source: 'agent-framework#2203: "Unknown parameter: \'input[1].metadata\'."',
    broken: (body) =>
      firstOf(itemsOf(body), (item, at) => {
        const known = ownOf(ITEM_FIELDS, kindOf(item));
        const name = known && unknownIn(item, known);
        return name && `Unknown parameter: 'input[${at}].${name}'.`;
      }),
  },
  {
    source: 'continue#8933, #10428: "of type \'reasoning\' was provided without its required following item"',
    broken: (body) => {
      const items = itemsOf(body);
      return firstOf(items, (item, at) => {
        const next = items[at + 1];
        return item['type'] === 'reasoning' && (next === undefined || !isOfModel(next))
          ? `Item '${shown(item['id'])}' of type 'reasoning' was provided without its required following item.`
          : undefined;
      });
    },
  },
  {
    source: `${REFERENCE} (text.format: json_object); wenyi#66: instructions do not count`,
    broken: (body) =>
      asJson(asJson(body['text'])['format'])['type'] === 'json_object' &&
      !/json/i.test(JSON.stringify(body['input']))
        ? "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'."
        : undefined,
  },
  {
    source: `${REFERENCE} (tools)`,
    broken: (body) =>
      firstOf(objectsIn(body['tools']), (tool, at) => {
        if (!isText(tool['type'])) return `Missing required parameter: 'tools[${at}].type'.`;
        if (tool['type'] !== 'function' && tool['type'] !== 'custom') return undefined;
        return isPlainName(tool['name'], LONGEST_NAME) ? undefined : `Invalid 'tools[${at}].name'`;
      }),
  },
  {
    source: 'AgentTeams#299, codex2api#414: "No tool call found for function call output"',
    broken: (body) => {
      const items = itemsOf(body);
      const idsOf = (type: string) =>
        new Set(items.filter((item) => item['type'] === type).map((item) => item['call_id']));
      for (const [result, call] of Object.entries(RESULTS)) {
        const [called, answered] = [idsOf(call), idsOf(result)];
        const lost = [...answered].find((id) => !called.has(id));
        if (lost !== undefined && !isContinued(body))
          return `No tool call found for ${result.replaceAll('_', ' ')} with call_id ${shown(lost)}.`;
        const open = [...called].find((id) => !answered.has(id));
        if (open !== undefined)
          return `No tool output found for ${call.replaceAll('_', ' ')} ${shown(open)}.`;
      }
      return undefined;
    },
  },
  {
    source: 'archestra#401: "string too long" for call_id',
    broken: (body) =>
      firstOf(itemsOf(body), ({ call_id: id }, at) =>
        isText(id) && id.length > LONGEST_CALL_ID
          ? `Invalid 'input[${at}].call_id': string too long`
          : undefined,
      ),
  },
  {
    source: 'cockpit-tools#2090: "Expected an ID that begins with \'rs\'"',
    broken: (body) =>
      firstOf(itemsOf(body), ({ type = 'message', id }, at) => {
        const beginning = ownOf(BEGINNINGS, shown(type));
        return isText(id) && beginning !== undefined && !id.startsWith(beginning)
          ? `Invalid 'input[${at}].id': '${id}'. Expected an ID that begins with '${beginning}'.`
          : undefined;
      }),
  },
  {
    source: `${REFERENCE} (input.content)`,
    broken: (body) =>
      firstOf(itemsOf(body), (item, at) => {
        const known = ownOf(PARTS, shown(item['role']));
        if (item['role'] !== undefined && known === undefined) return `Invalid value: 'input[${at}].role'`;
        return firstOf(objectsIn(item['content']), (part, of) => {
          if (known !== undefined && !known.has(part['type']))
            return `Invalid value: '${shown(part['type'])}' in input[${at}].content[${of}]`;
          return part['type'] === 'input_file' && isText(part['file_data']) && !isText(part['filename'])
            ? `Missing required parameter: 'input[${at}].content[${of}].filename'.`
            : undefined;
        });
      }),
  },
  {
    source: `${REFERENCE} (function_call)`,
    broken: (body) =>
      firstOf(itemsOf(body), (item, at) => {
        if (item['type'] !== 'function_call') return undefined;
        if (!isPlainName(item['name'], LONGEST_NAME)) return `Invalid 'input[${at}].name'`;
        return isText(item['arguments']) ? undefined : `Invalid type for 'input[${at}].arguments'`;
      }),
  },
  {
    source: `${REFERENCE} (text.format)`,
    broken: (body) => {
      const format = asJson(asJson(body['text'])['format']);
      if (format['type'] !== 'json_schema') return undefined;
      return isPlainName(format['name'], LONGEST_NAME) && format['schema'] !== undefined
        ? undefined
        : "Missing required parameter: 'text.format.name'.";
    },
  },
  {
    source: `${REFERENCE} (max_output_tokens)`,
    broken: ({ max_output_tokens: most }) =>
      typeof most === 'number' && most < LEAST_OUTPUT
        ? "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16"
        : undefined,
  },
  {
    source: `${REFERENCE} (tool_choice)`,
    broken: ({ tool_choice: choice }) =>
      choice === undefined || isOneOf(choice, ['none', 'auto', 'required']) || isText(asJson(choice)['type'])
        ? undefined
        : "Invalid value for 'tool_choice'",
  },
];
