import type { PaidTool } from '#contract/options/tool-prices.ts';

/** The usage buckets in display order, with their text keys. Only cached sound and pictures are part of another, the cached. */
export const bucketNames = {
  inputTokens: 'bucket.input',
  cacheReadTokens: 'bucket.cacheRead',
  audioCacheReadTokens: 'bucket.audioCacheRead',
  imageCacheReadTokens: 'bucket.imageCacheRead',
  cacheWrite5mTokens: 'bucket.cacheWrite5m',
  cacheWrite1hTokens: 'bucket.cacheWrite1h',
  imageInputTokens: 'bucket.imageInput',
  audioInputTokens: 'bucket.audioInput',
  outputTokens: 'bucket.output',
  audioOutputTokens: 'bucket.audioOutput',
  imageOutputTokens: 'bucket.imageOutput',
  call: 'bucket.call',
} as const;

/** Tools the upstream runs itself, priced per call, with their text keys. */
export const toolNames: Readonly<Record<PaidTool, `tool.${PaidTool}`>> = {
  web_search: 'tool.web_search',
  web_search_preview: 'tool.web_search_preview',
  file_search: 'tool.file_search',
  code_interpreter: 'tool.code_interpreter',
  google_search: 'tool.google_search',
  google_maps: 'tool.google_maps',
  xai_web_search: 'tool.xai_web_search',
  xai_x_search: 'tool.xai_x_search',
  xai_code_interpreter: 'tool.xai_code_interpreter',
  xai_file_search: 'tool.xai_file_search',
  xai_attachment_search: 'tool.xai_attachment_search',
  perplexity_web_search: 'tool.perplexity_web_search',
  perplexity_image_search: 'tool.perplexity_image_search',
  perplexity_people_search: 'tool.perplexity_people_search',
  perplexity_finance_search: 'tool.perplexity_finance_search',
  perplexity_fetch_url: 'tool.perplexity_fetch_url',
};

export const isTool = (name: string): name is PaidTool => Object.hasOwn(toolNames, name);

export type BucketName = keyof typeof bucketNames;

export const isBucket = (name: string): name is BucketName => Object.hasOwn(bucketNames, name);
