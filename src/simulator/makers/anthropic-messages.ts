import { anthropicMediaRules } from './anthropic-media.ts';
import { asJson, asList, type Json } from '../wire.ts';
import { BLOCKS, FIELDS } from './anthropic-fields.ts';
import { schemaRules } from './anthropic-schemas.ts';
import { blocksOf, idsOf, lateResults, messagesOf, turnsOf, wrongResults } from './anthropic-turns.ts';
import {
  firstOf,
  isPlainName,
  isText,
  objectsIn,
  type Rule,
  unknownIn,
  isOneOf,
  shown,
  ownOf,
} from './rule.ts';

const REFERENCE = 'platform.claude.com/docs/en/api/messages/create';

const [LONGEST_NAME, MOST_CACHE_MARKS, LEAST_BUDGET] = [128, 4, 1024];
const everyBlock = (
  body: Json,
  wrong: (block: Json, where: string) => string | undefined,
): string | undefined =>
  firstOf(messagesOf(body), (message, at) =>
    firstOf(blocksOf(message), (block, of) => wrong(block, `messages.${at}.content.${of}`)),
  );

const marksIn = (value: unknown): number => {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + marksIn(item), 0);
  if (typeof value !== 'object' || value === null) return 0;
  const own = 'cache_control' in value && value.cache_control !== null ? 1 : 0;
  return own + Object.values(value).reduce((sum: number, item) => sum + marksIn(item), 0);
};

/** Models that accept at most one of the two. */
const ONE_OF_BOTH = /claude-(?:opus-4-[1-9]|sonnet-4-[5-9]|haiku-4-[5-9]|fable|mythos|[a-z]+-[5-9])/;

/** Models before Opus 4.8 accept instructions only before the conversation. */
const BEFORE_INSTRUCTIONS_MIDWAY = /claude-(?:[23]|(?:opus|sonnet|haiku)-4(?!-[89]))/;

const NO_BEGINNING = /claude-(?:(?:opus|sonnet|haiku)-4-[6-9]|fable|mythos|[a-z]+-[5-9])/;

/** What Anthropic's Messages refuses. */
export const anthropicMessagesRules: readonly Rule[] = [
  ...anthropicMediaRules,
  {
    source: REFERENCE,
    broken: (body) => {
      if (!Number.isInteger(body['max_tokens']) || Number(body['max_tokens']) < 0)
        return 'max_tokens: Field required';
      if (messagesOf(body).length === 0) return 'messages: at least one message is required';
      const name = unknownIn(body, FIELDS);
      return name && `${name}: Extra inputs are not permitted`;
    },
  },
  {
    source: `${REFERENCE} (messages.role)`,
    broken: (body) =>
      firstOf(messagesOf(body), ({ role }, at) =>
        isOneOf(role, ['user', 'assistant', 'system'])
          ? undefined
          : `messages.${at}.role: Unexpected role "${shown(role)}"`,
      ),
  },
  {
    source:
      'platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages, gproxy-transform',
    broken: (body) => {
      const roles = messagesOf(body).map(({ role }) => role);
      if (!roles.includes('system')) return undefined;
      if (BEFORE_INSTRUCTIONS_MIDWAY.test(shown(body['model'])))
        return "role 'system' is not supported on this model";
      const wrong = roles.findIndex((role, at) => role === 'system' && roles[at - 1] !== 'user');
      return wrong < 0 ? undefined : `messages.${wrong}: a system message must follow a user message`;
    },
  },
  {
    source: 'claude-code#59812: "messages: text content blocks must be non-empty"',
    broken: (body) =>
      everyBlock(body, ({ type, text }, where) =>
        type === 'text' && text === '' ? `${where}: text content blocks must be non-empty` : undefined,
      ) ??
      firstOf(messagesOf(body), (message, at) =>
        blocksOf(message).length === 0 && at < messagesOf(body).length - 1
          ? `messages.${at}: all messages must have non-empty content except for the optional final assistant message`
          : undefined,
      ) ??
      firstOf(objectsIn(body['system']), ({ text }, at) =>
        text === '' ? `system.${at}: text content blocks must be non-empty` : undefined,
      ),
  },
  {
    source: 'claude-code#23369: "messages: text content blocks must contain non-whitespace text"',
    broken: (body) =>
      everyBlock(body, ({ type, text }) =>
        type === 'text' && isText(text) && text.trim() === ''
          ? 'messages: text content blocks must contain non-whitespace text'
          : undefined,
      ),
  },
  {
    source: `${REFERENCE} (messages.content)`,
    broken: (body) =>
      everyBlock(body, (block, where) => {
        const known = ownOf(BLOCKS, shown(block['type']));
        if (known === undefined) return undefined;
        const name = unknownIn(block, new Set(['type', 'cache_control', ...known]));
        return name && `${where}.${shown(block['type'])}.${name}: Extra inputs are not permitted`;
      }),
  },
  {
    source: `${REFERENCE} (tool_use)`,
    broken: (body) =>
      everyBlock(body, ({ type, id, name, input }, where) => {
        if (type !== 'tool_use') return undefined;
        if (!isPlainName(id, 1000))
          return `${where}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
        if (!isPlainName(name, 200)) return `${where}.tool_use.name: String should match pattern`;
        return typeof input === 'object' && input !== null && !Array.isArray(input)
          ? undefined
          : `${where}.tool_use.input: Input should be a valid dictionary`;
      }),
  },
  {
    source: 'claude-code#8210, #18947: "tool_use ids were found without tool_result blocks"',
    broken: wrongResults,
  },
  {
    source: 'platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls ("must come first")',
    broken: lateResults,
  },
  {
    source: 'claude-code#20901, litellm#23510: "`tool_use` ids must be unique"',
    broken: (body) => {
      const known = new Set<unknown>();
      return everyBlock(body, ({ type, id }, where) => {
        if (type !== 'tool_use') return undefined;
        if (known.has(id)) return `${where}: \`tool_use\` ids must be unique`;
        known.add(id);
        return undefined;
      });
    },
  },
  {
    source: 'forgecode#892: "tools: Tool names must be unique."',
    broken: (body) => {
      const names = objectsIn(body['tools']).map(({ name }) => name);
      return new Set(names).size < names.length ? 'tools: Tool names must be unique.' : undefined;
    },
  },
  ...schemaRules,
  {
    source: 'copilot-api#261: since 4.6 no answer can be begun for a model',
    broken: (body) =>
      messagesOf(body).at(-1)?.['role'] === 'assistant' && NO_BEGINNING.test(shown(body['model']))
        ? 'This model does not support assistant message prefill. The conversation must end with a user message.'
        : undefined,
  },
  {
    source: `${REFERENCE} (tools.name)`,
    broken: (body) =>
      firstOf(objectsIn(body['tools']), (tool, at) => {
        const isOwn = tool['type'] === undefined || tool['type'] === 'custom';
        if (!isOwn) return undefined;
        if (!isPlainName(tool['name'], LONGEST_NAME))
          return `tools.${at}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
        return asJson(tool['input_schema'])['type'] === 'object'
          ? undefined
          : `tools.${at}.custom.input_schema.type: Field required`;
      }),
  },
  {
    source: `${REFERENCE} (tool_choice)`,
    broken: (body) =>
      body['tool_choice'] !== undefined && asList(body['tools']).length === 0
        ? 'tool_choice may only be specified while providing tools'
        : undefined,
  },
  {
    source:
      'MCP-Universe#49, ChatterUI#564: "`temperature` and `top_p` cannot both be specified for this model"',
    broken: (body) =>
      body['temperature'] !== undefined &&
      body['top_p'] !== undefined &&
      ONE_OF_BOTH.test(shown(body['model']))
        ? '`temperature` and `top_p` cannot both be specified for this model. Please use only one.'
        : undefined,
  },
  {
    source: `${REFERENCE} (temperature)`,
    broken: ({ temperature }) =>
      typeof temperature === 'number' && (temperature < 0 || temperature > 1)
        ? 'temperature: range: 0..1'
        : undefined,
  },
  {
    source: 'platform.claude.com/docs/en/build-with-claude/extended-thinking',
    broken: (body) => {
      const thinking = asJson(body['thinking']);
      if (thinking['type'] !== 'enabled') return undefined;
      const budget = Number(thinking['budget_tokens']);
      if (!(budget >= LEAST_BUDGET))
        return 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024';
      if (budget >= Number(body['max_tokens']))
        return '`max_tokens` must be greater than `thinking.budget_tokens`';
      if (body['temperature'] !== undefined && body['temperature'] !== 1)
        return '`temperature` may only be set to 1 when thinking is enabled';
      if (body['top_k'] !== undefined) return '`top_k` must be unset when thinking is enabled';
      return isOneOf(asJson(body['tool_choice'])['type'], ['any', 'tool'])
        ? 'Thinking may not be enabled when tool_choice forces tool use.'
        : undefined;
    },
  },
  {
    source: 'Antigravity-Manager#139: "Expected `thinking` or `redacted_thinking`, but found `tool_use`"',
    broken: (body) => {
      const turns = turnsOf(body);
      const isLoop =
        asJson(body['thinking'])['type'] === 'enabled' &&
        idsOf(turns.at(-1), 'tool_result', 'type').length > 0;
      const first = isLoop ? asList(turns.at(-2)?.['content'])[0] : undefined;
      const type = asJson(first)['type'];
      return !isLoop || isOneOf(type, ['thinking', 'redacted_thinking'])
        ? undefined
        : `messages.${turns.length - 2}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${shown(type)}\`.`;
    },
  },
  {
    source: 'platform.claude.com/docs/en/build-with-claude/prompt-caching (4 breakpoints)',
    broken: (body) =>
      marksIn([body['system'], body['messages'], body['tools']]) > MOST_CACHE_MARKS
        ? 'A maximum of 4 blocks with cache_control may be provided.'
        : undefined,
  },
  {
    source: 'litellm#3286: "stop_sequences: each stop sequence must contain non-whitespace"',
    broken: ({ stop_sequences: stops }) =>
      asList(stops).some((stop) => !isText(stop) || stop.trim() === '')
        ? 'stop_sequences: each stop sequence must contain non-whitespace'
        : undefined,
  },
  {
    source: 'forgecode#1872, opencode#1295: "final assistant content cannot end with trailing whitespace"',
    broken: (body) => {
      const last = messagesOf(body).at(-1);
      const text = last?.['role'] === 'assistant' ? blocksOf(last).at(-1)?.['text'] : undefined;
      return isText(text) && /\s$/.test(text)
        ? 'messages: final assistant content cannot end with trailing whitespace'
        : undefined;
    },
  },
];
