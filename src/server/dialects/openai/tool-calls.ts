import type { PaidTool } from '#contract/options/tool-prices.ts';
import type { ToolCalls } from '#core/chat/usage.ts';
import { fieldsOf, isFields, type Fields } from './fields.ts';

/** More calls of one tool than any answer makes: a count above it is a fault of the upstream, not a bill. */
const MOST_CALLS = 1000;

/** How xAI counts (docs.x.ai/developers/tools/tool-usage-details); its own sums of both tools of a kind are left out. */
const XAI: readonly (readonly [field: string, tool: PaidTool])[] = [
  ['web_search_calls', 'xai_web_search'],
  ['x_search_calls', 'xai_x_search'],
  ['code_interpreter_calls', 'xai_code_interpreter'],
  ['file_search_calls', 'xai_file_search'],
  ['document_search_calls', 'xai_attachment_search'],
];

/** How Perplexity counts (docs.perplexity.ai, Agent API, usage). */
const PERPLEXITY: readonly (readonly [field: string, tool: PaidTool])[] = [
  ['web_search', 'perplexity_web_search'],
  ['search_web', 'perplexity_web_search'],
  ['image_search', 'perplexity_image_search'],
  ['people_search', 'perplexity_people_search'],
  ['finance_search', 'perplexity_finance_search'],
  ['fetch_url', 'perplexity_fetch_url'],
];

/**
 * What an upstream's usage tells of the tools it ran itself: Anthropic's and OpenRouter's `server_tool_use`, and the two
 * above. Undefined where it tells nothing; empty where it tells that there were none.
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
    const told = counts[field];
    const count = callCount(isFields(told) ? told['invocation'] : told);
    if (count > 0) calls[tool] = count;
  }
  return calls;
};

/** A number of calls that can be true; else 0. */
export const callCount = (value: unknown): number =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) <= MOST_CALLS ? Number(value) : 0;

/** A hold assumes no more calls of a tool than this, whatever number is allowed. */
const MOST_HELD = 10;

/** How often a tool that is offered may be called, as a hold assumes it: as the caller allows, else once. */
export const heldCalls = (tools: readonly PaidTool[], most?: number | null): ToolCalls | undefined => {
  if (tools.length === 0) return undefined;
  const each = Math.min(Math.max(1, most ?? 1), MOST_HELD);
  return Object.fromEntries(tools.map((tool) => [tool, each]));
};
