/** Objects that hold an object for each maker: `providerOptions.openai.serviceTier` of Vercel's gateway. */
export const OF_MAKERS: readonly string[] = ['providerOptions', 'provider_options'];

/** Fields by which a caller switches on an upstream's own searches and code: xAI, Alibaba, Baidu, Tencent, Cohere, Groq. */
export const WORK_SWITCHES = [
  'search_parameters',
  'enable_search',
  'enable_code_interpreter',
  'web_search',
  'enable_enhancement',
  'force_search_enhancement',
  'enable_deep_search',
  'connectors',
  'compound_custom',
] as const;

/**
 * Request fields that decide a price, a permission or the word filter. Readers that ignore case (Go's `encoding/json`)
 * also accept other spellings of them.
 */
const DECISIVE = [
  'model',
  'models',
  'fallbacks',
  'n',
  'best_of',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'max_tool_calls',
  'stream',
  'stream_options',
  'size',
  'quality',
  'seconds',
  'service_tier',
  'serviceTier',
  'speed',
  'inference_geo',
  'inferenceGeo',
  'background',
  'deferred',
  'messages',
  'system',
  'input',
  'instructions',
  'instruction',
  'prompt',
  'suffix',
  'query',
  'documents',
  'tools',
  'tool_choice',
  'functions',
  'web_search_options',
  'plugins',
  'preset',
  'fallback_models',
  'context_window_fallbacks',
  'content_policy_fallbacks',
  'routing_config',
  'routingConfig',
  'model_selection_config',
  'modelSelectionConfig',
  ...WORK_SWITCHES,
  'extra_body',
  'extraBody',
  'providerOptions',
  'provider_options',
  'previous_response_id',
  'conversation',
  'contents',
  'content',
  'requests',
  'generationConfig',
  'generation_config',
  'systemInstruction',
  'system_instruction',
] as const;

const PLAIN = /^[!-~]*$/;
const UNSEEN = /[\p{C}\p{Z}]/gu;

/** The name as lenient parsers read it, which trim it, drop invisible characters, or end it at a NUL as C does. */
const seenOf = (name: string): string =>
  PLAIN.test(name) ? name : (name.split('\0', 1)[0] ?? '').replaceAll(UNSEEN, '');

/** Folds case as Go does: `ſ` becomes s, the Kelvin sign k. */
const folded = (name: string): string => seenOf(name).toUpperCase().toLowerCase();

const EXACT: ReadonlySet<string> = new Set(DECISIVE);

/** Whether this exact name is a decisive field. */
export const isDecisive = (name: string): boolean => EXACT.has(name);

/** The correct spelling of a field that a name misspells; undefined if the name is correct or no such field. */
export type Spelling = (name: string) => string | undefined;

/** Knows how these fields may be misspelled: by case or invisible characters. */
export const spellingOf = (fields: readonly string[]): Spelling => {
  const exact = new Set(fields);
  const byFolded = new Map(fields.map((name) => [folded(name), name]));
  return (name) => (exact.has(name) ? undefined : byFolded.get(folded(name)));
};

export const correctSpelling: Spelling = spellingOf(DECISIVE);
