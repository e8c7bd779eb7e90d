/** Tools that an upstream runs itself during an answer and charges per call. */
export const paidTools = [
  'web_search',
  'web_search_preview',
  'file_search',
  'code_interpreter',
  'google_search',
  'google_maps',
  'xai_web_search',
  'xai_x_search',
  'xai_code_interpreter',
  'xai_file_search',
  'xai_attachment_search',
  'perplexity_web_search',
  'perplexity_image_search',
  'perplexity_people_search',
  'perplexity_finance_search',
  'perplexity_fetch_url',
] as const;

export type PaidTool = (typeof paidTools)[number];

const names: ReadonlySet<string> = new Set(paidTools);

export const isPaidTool = (name: string): name is PaidTool => names.has(name);

/**
 * US dollars for a thousand calls: of a tool, or of a tool with some models (`tool:model`, `tool:prefix*`). Sources, as
 * of November 2026: developers.openai.com/api/docs/pricing, platform.claude.com/docs (web search tool),
 * ai.google.dev/gemini-api/docs/pricing, docs.x.ai/developers/pricing, docs.perplexity.ai/docs/getting-started/pricing.
 */
export const listToolPrices: Readonly<Record<string, number>> = {
  web_search: 10,
  web_search_preview: 10,
  'web_search_preview:gpt-4o*': 25,
  'web_search_preview:gpt-4.1*': 25,
  file_search: 2.5,
  // A container of 1 GB for twenty minutes.
  code_interpreter: 30,
  google_search: 14,
  'google_search:gemini-1*': 35,
  'google_search:gemini-2*': 35,
  google_maps: 14,
  'google_maps:gemini-2*': 25,
  xai_web_search: 5,
  xai_x_search: 5,
  xai_code_interpreter: 5,
  xai_file_search: 2.5,
  xai_attachment_search: 10,
  perplexity_web_search: 2.5,
  perplexity_image_search: 2.5,
  perplexity_people_search: 5,
  perplexity_finance_search: 5,
  perplexity_fetch_url: 0.5,
};
