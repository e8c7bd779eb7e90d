/**
 * Fields a price, a permission or the filter of words is read from, as their formats spell them. A reader that takes names
 * in any case (Go's `encoding/json`) would find them under other spellings, too.
 */
const DECISIVE = [
  'model',
  'models',
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
  'background',
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

/** As Go folds names: `ſ` is an s and the Kelvin sign a k. */
const folded = (name: string): string => name.toUpperCase().toLowerCase();

const EXACT: ReadonlySet<string> = new Set(DECISIVE);
const BY_FOLDED: ReadonlyMap<string, string> = new Map(DECISIVE.map((name) => [folded(name), name]));

/** Whether something is decided by the field of this name, spelled as it should be. */
export const isDecisive = (name: string): boolean => EXACT.has(name);

/** How a decisive field is to be spelled that `name` is another spelling of; undefined for the right one and for others. */
export const spelledRight = (name: string): string | undefined =>
  EXACT.has(name) ? undefined : BY_FOLDED.get(folded(name));
