import type { ToolCalls } from '#core/chat/usage.ts';
import { listOf, textOf, type Fields } from '#core/json/fields.ts';
import { callCount, heldCalls } from '../openai/tools/tool-calls.ts';
import { camelFields, camelList } from './fields.ts';

/** Before the third generation, a search is charged once per prompt; since then, per query. */
const PAID_BY_PROMPT = /^(?:models\/)?gemini-[12][.-]/;

/**
 * Google's searches behind an answer, counted as they are charged (ai.google.dev/gemini-api/docs/pricing, grounding
 * with Google Search and Google Maps).
 */
export const toolCallsIn = (reply: Fields): ToolCalls | undefined => {
  let queries = 0;
  let isSearched = false;
  let isMapped = false;
  for (const candidate of camelList(reply['candidates'])) {
    const grounding = camelFields(candidate['groundingMetadata']);
    queries += listOf(grounding['webSearchQueries']).length;
    for (const chunk of camelList(grounding['groundingChunks'])) {
      isSearched ||= chunk['web'] !== undefined;
      isMapped ||= chunk['maps'] !== undefined;
    }
  }
  isSearched ||= queries > 0;
  if (!isSearched && !isMapped) return undefined;
  const byPrompt = PAID_BY_PROMPT.test(textOf(reply['modelVersion']) ?? '');
  return {
    ...(isSearched && { google_search: byPrompt ? 1 : Math.max(1, callCount(queries)) }),
    ...(isMapped && { google_maps: 1 }),
  };
};

/** The calls that a hold assumes of a request's search tools. */
export const offeredCalls = (request: Fields, model: string): ReturnType<typeof heldCalls> => {
  const tools = camelList(request['tools']);
  const offers = (...names: readonly string[]): boolean =>
    tools.some((tool) => names.some((name) => tool[name] !== undefined));
  const { toolCalls, toolCallsMost } = heldCalls([
    ...(offers('googleSearch', 'googleSearchRetrieval') ? (['google_search'] as const) : []),
    ...(offers('googleMaps') ? (['google_maps'] as const) : []),
  ]);
  if (toolCalls === undefined || toolCallsMost === undefined) return {};
  return PAID_BY_PROMPT.test(model) ? { toolCalls } : { toolCalls, toolCallsMost };
};
