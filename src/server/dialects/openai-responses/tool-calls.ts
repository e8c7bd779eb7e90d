import type { PaidTool } from '#contract/options/tool-prices.ts';
import type { ToolCalls } from '#core/chat/usage.ts';
import { fieldsOf, listOf, textOf, type Fields } from '#core/json/fields.ts';
import { callCount, MOST_CALLS, readToolCalls } from '../openai/tools/tool-calls.ts';

/** The paid tool that a tool of a request is; undefined for tools without a price per call. */
export const paidToolOf = (tool: unknown): PaidTool | undefined => {
  const type = textOf(fieldsOf(tool)['type']) ?? '';
  if (type.startsWith('web_search_preview')) return 'web_search_preview';
  if (type.startsWith('web_search')) return 'web_search';
  if (type === 'x_search') return 'xai_x_search';
  return type === 'file_search' || type === 'code_interpreter' ? type : undefined;
};

/**
 * The paid tool that an output item is a call of; `search` is the request's web search tool. Opening a page or finding
 * text in it is free (developers.openai.com/api/docs/guides/tools-web-search, output and citations).
 */
export const paidCallOf = (item: Fields, search: PaidTool = 'web_search'): PaidTool | undefined => {
  if (item['status'] === 'failed') return undefined;
  if (item['type'] === 'file_search_call') return 'file_search';
  if (item['type'] === 'code_interpreter_call') return 'code_interpreter';
  if (item['type'] !== 'web_search_call') return undefined;
  const action = textOf(fieldsOf(item['action'])['type']) ?? 'search';
  return action === 'search' ? search : undefined;
};

/** Calls of paid tools in a response: from its usage report, else counted from its items. */
export const toolCallsIn = (response: Fields): ToolCalls | undefined => {
  const reported = readToolCalls(response['usage']);
  if (reported !== undefined) return reported;
  const isPreview = listOf(response['tools']).some((tool) => paidToolOf(tool) === 'web_search_preview');
  const search = isPreview ? 'web_search_preview' : 'web_search';
  const calls: Partial<Record<PaidTool, number>> = {};
  // Code execution is priced per container, however much runs in it.
  const containers = new Set<unknown>();
  for (const item of listOf(response['output']).map(fieldsOf)) {
    const tool = paidCallOf(item, search);
    if (tool === 'code_interpreter') containers.add(item['container_id']);
    else if (tool !== undefined) calls[tool] = Math.min((calls[tool] ?? 0) + 1, MOST_CALLS);
  }
  if (containers.size > 0) calls.code_interpreter = Math.min(containers.size, MOST_CALLS);
  const counted = fieldsOf(fieldsOf(response['tool_usage'])['web_search'])['num_requests'];
  if (callCount(counted) > 0) calls[search] = callCount(counted);
  return Object.keys(calls).length === 0 ? undefined : calls;
};
