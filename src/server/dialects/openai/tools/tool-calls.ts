import type { PaidTool } from '#contract/options/tool-prices.ts';
import type { ToolCalls } from '#core/chat/usage.ts';
import { fieldsOf, isFields, type Fields } from '#core/json/fields.ts';

/** No answer has more calls of one tool: a higher count is an upstream's error. */
export const MOST_CALLS = 1000;

/** xAI's counts (docs.x.ai/developers/tools/tool-usage-details), without its own sums of two tools. */
const XAI: readonly (readonly [field: string, tool: PaidTool])[] = [
  ['web_search_calls', 'xai_web_search'],
  ['x_search_calls', 'xai_x_search'],
  ['code_interpreter_calls', 'xai_code_interpreter'],
  ['file_search_calls', 'xai_file_search'],
  ['document_search_calls', 'xai_attachment_search'],
];

/** Perplexity's counts (docs.perplexity.ai, Agent API, usage). */
const PERPLEXITY: readonly (readonly [field: string, tool: PaidTool])[] = [
  ['web_search', 'perplexity_web_search'],
  ['search_web', 'perplexity_web_search'],
  ['image_search', 'perplexity_image_search'],
  ['people_search', 'perplexity_people_search'],
  ['finance_search', 'perplexity_finance_search'],
  ['fetch_url', 'perplexity_fetch_url'],
];

/**
 * Reads how often the upstream ran its own tools: from `server_tool_use` (Anthropic, OpenRouter) and the two above.
 * Undefined if the usage does not say; empty if it says none.
 */
export const readToolCalls = (value: unknown): ToolCalls | undefined => {
  const usage = fieldsOf(value);
  const { server_tool_use: used, server_side_tool_usage_details: ofXai, tool_calls_details: details } = usage;
  if (isFields(ofXai)) return countsOf(XAI, ofXai);
  if (isFields(details)) return countsOf(PERPLEXITY, details);
  return isFields(used) ? countsOf([['web_search_requests', 'web_search']], used) : undefined;
};

const countsOf = (names: typeof XAI, counts: Fields): ToolCalls => {
  const calls: Partial<Record<PaidTool, number>> = {};
  for (const [field, tool] of names) {
    const reported = counts[field];
    const count = callCount(isFields(reported) ? reported['invocation'] : reported);
    if (count > 0) calls[tool] = count;
  }
  return calls;
};

/** OpenAI's models that search before every answer and do not report it; their price includes one call each. */
const ALWAYS_SEARCHES = /^gpt-.*-search-(preview|api)/;

/** What a model of this name searches for every answer; undefined for others. */
export const searchesOfModel = (model = ''): ToolCalls | undefined => {
  const kind = ALWAYS_SEARCHES.exec(model)?.[1];
  if (kind === undefined) return undefined;
  return kind === 'preview' ? { web_search_preview: 1 } : { web_search: 1 };
};

/** A plausible number of calls; else 0. */
export const callCount = (value: unknown): number =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) <= MOST_CALLS ? Number(value) : 0;

/** A hold assumes at most this many calls of a tool, whatever the caller allows. */
const MOST_HELD = 10;

/** An answer pays these once, however often it uses them. */
const PAID_ONCE: ReadonlySet<PaidTool> = new Set(['code_interpreter', 'google_maps']);

/** The calls of tools that a hold assumes at least, and if its payer has enough. */
interface HeldCalls {
  readonly toolCalls?: ToolCalls;
  readonly toolCallsMost?: ToolCalls;
}

/**
 * At least as many calls of each offered tool as the caller allows, or one. At most ten, also where the caller allows
 * fewer, because not every upstream obeys that.
 */
export const heldCalls = (tools: readonly PaidTool[], allowed?: number | null): HeldCalls => {
  if (tools.length === 0) return {};
  const least = Math.min(Math.max(1, allowed ?? 1), MOST_HELD);
  return {
    toolCalls: Object.fromEntries(tools.map((tool) => [tool, least])),
    toolCallsMost: Object.fromEntries(tools.map((tool) => [tool, PAID_ONCE.has(tool) ? least : MOST_HELD])),
  };
};
