import { foldedName } from '#contract/asked-words.ts';
import { OF_MAKERS, WORK_SWITCHES } from '#core/decisive-fields.ts';
import { AppError } from '#core/error.ts';
import { type Fields, fieldsOf, isFields, listOf, textOf } from '#core/json/fields.ts';
import { camelFields, camelList } from './gemini/fields.ts';
import { isCallersTool, type PlacedTool, toolsInside, toolsMidway } from './tools-midway.ts';

/*
 * Work that callers can request from an upstream and that costs the operator more than tokens, but that no answer
 * reports: nobody could be charged for it. Reported work has a price (contract/options/tool-prices). The spellings are
 * those of the providers' references, November 2026; docs/billing.md has the list under "Work without a price".
 */

/** At the top level, other spellings are refused with the other decisive fields. */
const SWITCHES: ReadonlySet<string> = new Set(WORK_SWITCHES);

/** The same in the spelling of `providerOptions`. */
const FOLDED_SWITCHES: ReadonlySet<string> = new Set(WORK_SWITCHES.map(foldedName));

/** Objects that some upstreams merge into the request. */
const HOLDERS = ['extra_body', 'extraBody', 'parameters'] as const;

/** OpenRouter plugins that are free or reported (`web`). */
const PLUGINS: ReadonlySet<unknown> = new Set(['web', 'response-healing', 'context-compression']);
const FREE_ENGINES: ReadonlySet<unknown> = new Set(['native', 'cloudflare-ai', 'pdf-text']);

/** In chats an upstream may run every tool but these. Of its own tools, these are reported or free. */
const CHAT_TOOLS: ReadonlySet<string> = new Set([
  'function',
  'custom',
  'openrouter:web_search',
  'openrouter:datetime',
]);

/** Gemini tools that the caller runs, that are reported, or that cost tokens only. */
const GEMINI_TOOLS: ReadonlySet<string> = new Set([
  'functiondeclarations',
  'googlesearch',
  'googlesearchretrieval',
  'googlemaps',
  'urlcontext',
  'codeexecution',
  'computeruse',
  // Stores of the operator's account: refused for that reason.
  'filesearch',
  'retrieval',
]);

/**
 * Tools of the other formats that compatible upstreams run without reporting: Volcengine, Alibaba, Perplexity, Groq,
 * OpenRouter. New tools that callers run themselves appear there every month, so only known ones are refused.
 */
const DEAR_TOOLS = new RegExp(
  [
    '^(?:openrouter:(?!web_search$|datetime$)',
    'image_process|knowledge_search|doubao_app|web_extractor|web_search_image',
    'browser_(?!toolset_)|sandbox|code_runner|drawing_tool|web_browser|retrieval)',
  ].join('|'),
);

/** The path of the first field that requests such work; undefined if none does. */
export const unpricedWorkIn = (fields: Fields, format: string): string | undefined =>
  workIn(fields, format, 0) ?? (CHANGES_TOOLS.has(format) ? hostedMidway(fields) : undefined);

/** Formats whose conversations can add tools. */
const CHANGES_TOOLS: ReadonlySet<string> = new Set(['openai-responses', 'anthropic-messages']);

/** A tool that the upstream runs has its price and its hold where it is declared in `tools`, and nowhere else. */
const hostedMidway = (fields: Fields): string | undefined => {
  const found = hostedAmong(toolsMidway(fields));
  if (found !== undefined) return found;
  for (const holder of HOLDERS) {
    const inside =
      fields[holder] === undefined ? undefined : hostedAmong(toolsInside(fields[holder], holder));
    if (inside !== undefined) return inside;
  }
  return undefined;
};

const hostedAmong = (tools: readonly PlacedTool[]): string | undefined =>
  tools.find(({ tool }) => !isCallersTool(tool))?.path;

/** The error for such a field. */
export const unpricedWorkRefused = (param: string): AppError =>
  new AppError('invalid_request', `'${param}' asks the upstream for work that has no price here`, {
    param,
    reason: 'unpriced_work',
  });

/** The path of the first field that requests such work in an operation other than chat; undefined if none does. */
export const plainWorkIn = (fields: Fields): string | undefined =>
  dearHostIn(fields) ?? (isWrittenOut(fields) ? 'output_format' : undefined) ?? filmIn(fields);

/**
 * The path of a video to embed: Google charges sixty times as much for its tokens as for those of text, which no
 * other kind of token costs (ai.google.dev/gemini-api/docs/pricing, Gemini Embedding 2, November 2026).
 */
const filmIn = (fields: Fields): string | undefined => {
  const contents = [fields, ...listOf(fields['requests'])].map((asked) => camelFields(asked)['content']);
  for (const [at, content] of contents.entries()) {
    const parts = camelList(camelFields(content)['parts']);
    const film = parts.findIndex((part) =>
      [part['inlineData'], part['fileData']].some((data) =>
        textOf(camelFields(data)['mimeType'])?.toLowerCase().startsWith('video/'),
      ),
    );
    if (film !== -1) return `${at === 0 ? '' : `requests.${at - 1}.`}content.parts.${film}`;
  }
  return undefined;
};

/**
 * Whether an SVG is asked for: a model that the upstream chooses writes it from the picture, and its tokens are reported
 * separately from the picture's (`svg_usage`: OpenAI's API reference, November 2026).
 */
const isWrittenOut = ({ output_format: format }: Fields): boolean =>
  textOf(format)?.trim().toLowerCase() === 'svg';

/**
 * The path of the first field that makes a router (OpenRouter, Vercel) choose a host by anything but price: some hosts
 * charge several times as much for the same model. Fields that only limit the choice by a host's terms or maximum price
 * are allowed.
 */
const dearHostIn = (fields: Fields): string | undefined => {
  const found = hostIn(fields);
  if (found !== undefined) return found;
  for (const holder of HOLDERS) {
    const inner = hostIn(fieldsOf(fields[holder]));
    if (inner !== undefined) return `${holder}.${inner}`;
  }
  return undefined;
};

const HOSTS = [
  'order',
  'only',
  'ignore',
  'quantizations',
  'preferred_min_throughput',
  'preferred_max_latency',
] as const;

const hostIn = ({ provider, providerOptions }: Fields): string | undefined => {
  if (provider === undefined && providerOptions === undefined) return undefined;
  const ofRouter = hostAmong(fieldsOf(provider));
  if (ofRouter !== undefined) return `provider.${ofRouter}`;
  const ofGateway = hostAmong(fieldsOf(fieldsOf(providerOptions)['gateway']));
  return ofGateway === undefined ? undefined : `providerOptions.gateway.${ofGateway}`;
};

const hostAmong = (wishes: Fields): string | undefined => {
  const { sort } = wishes;
  const by = isFields(sort) ? sort['by'] : sort;
  if (by !== undefined && by !== null && by !== 'price') return 'sort';
  return HOSTS.find((name) => isOn(wishes[name]));
};

const workIn = (fields: Fields, format: string, depth: number): string | undefined => {
  for (const name in fields) if (SWITCHES.has(name.toLowerCase()) && isOn(fields[name])) return name;
  // Reported work is accepted at the top level only.
  if (depth > 0 && isOn(fields['web_search_options'])) return 'web_search_options';
  const found = pluginIn(fields) ?? hostIn(fields) ?? toolIn(fields, format);
  if (found !== undefined || depth > 1) return found;
  for (const holder of HOLDERS) {
    const inner = fields[holder];
    const param = isFields(inner) ? workIn(inner, format, depth + 1) : undefined;
    if (param !== undefined) return `${holder}.${param}`;
  }
  return workForMaker(fields);
};

const workForMaker = (fields: Fields): string | undefined => {
  for (const holder of OF_MAKERS) {
    if (fields[holder] === undefined) continue;
    for (const [maker, options] of Object.entries(fieldsOf(fields[holder])))
      for (const [name, value] of Object.entries(fieldsOf(options)))
        if (FOLDED_SWITCHES.has(foldedName(name)) && isOn(value)) return `${holder}.${maker}.${name}`;
  }
  return undefined;
};

const OFF: ReadonlySet<unknown> = new Set([undefined, null, false, 0, '', 'false', 'off', 'none', '0']);

const isOn = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.length > 0;
  if (!isFields(value)) return !OFF.has(value);
  const { mode, enable, enabled = enable, type = mode } = value;
  return Object.keys(value).length > 0 && enabled !== false && type !== 'off' && type !== 'disabled';
};

const pluginIn = ({ plugins }: Fields): string | undefined => {
  if (plugins === undefined) return undefined;
  const at = listOf(plugins).findIndex((plugin) => {
    const { id, enabled, pdf } = fieldsOf(plugin);
    const isFree = PLUGINS.has(id) || (id === 'file-parser' && FREE_ENGINES.has(fieldsOf(pdf)['engine']));
    return !isFree && enabled !== false;
  });
  return at === -1 ? undefined : `plugins.${at}`;
};

const toolIn = ({ tools }: Fields, format: string): string | undefined => {
  for (const [at, tool] of listOf(tools).entries()) {
    if (!isFields(tool)) continue;
    const found = format === 'gemini' ? dearKeyOf(tool) : dearIn(tool, format);
    if (found !== undefined) return found === '' ? `tools.${at}` : `tools.${at}.${found}`;
  }
  return undefined;
};

const dearKeyOf = (tool: Fields): string | undefined =>
  Object.keys(tool).find((name) => !GEMINI_TOOLS.has(name.replaceAll('_', '').toLowerCase()));

/** A misspelt `type`, which case-insensitive parsers would accept. */
const typeMisspelt = (tool: Fields): string | undefined => {
  const name = Object.keys(tool).find((key) => key.toLowerCase() === 'type');
  return name === undefined ? undefined : textOf(tool[name]);
};

/** The path inside a tool; empty for the tool itself. */
const dearIn = (tool: Fields, format: string): string | undefined => {
  const type = textOf(tool['type']) ?? typeMisspelt(tool);
  if (type === undefined) return undefined;
  if (format === 'openai-chat') return CHAT_TOOLS.has(type) ? undefined : '';
  if (DEAR_TOOLS.test(type)) return '';
  if (type === 'image_generation' && isWrittenOut(tool)) return 'output_format';
  // A larger machine costs a multiple, and no answer reports its size.
  const memory = fieldsOf(tool['container'])['memory_limit'];
  if (memory !== undefined && memory !== null && memory !== '1g') return 'container.memory_limit';
  const place = textOf(fieldsOf(tool['environment'])['type']);
  return type === 'shell' && place?.startsWith('container') === true ? 'environment' : undefined;
};
