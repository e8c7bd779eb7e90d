import { type Fields, fieldsOf, isFields, isGiven, listOf, textOf } from '#core/json/fields.ts';
import type { RequestFacts } from '../dialect.ts';
import { type Counting, isForAnHour, measurePrompt, type PromptSize } from './usage/estimate-tokens.ts';

/** What a conversation or an item that the upstream keeps usually has. The model reads it again, and it is charged again. */
export const KEPT_CONVERSATION_TOKENS = 20_000;

/** Tools that the caller runs. What other tools find is read by the upstream and counted as prompt. */
const CALLERS_TOOL = /^(?:function|custom|bash_|text_editor_|computer|memory_|local_shell|apply_patch)/;

/** Fields that name or ask for what the upstream reads beside what was sent. */
const FURTHER_FIELDS = [
  'web_search_options',
  'search_parameters',
  'enable_search',
  'plugins',
  'data_sources',
  'extra_body',
  'mcp_servers',
  'container',
  'previous_response_id',
  'conversation',
] as const;

const isCallersTool = (tool: unknown): boolean => {
  const { type } = fieldsOf(tool);
  return type === undefined || CALLERS_TOOL.test(textOf(type) ?? '');
};

const namesMore = (body: Fields): boolean => {
  for (const name of FURTHER_FIELDS) if (isGiven(body[name])) return true;
  return false;
};

/** Whether the upstream may read more than is in the body: what it searches, fetches, or was told before. */
const readsMore = (body: Fields): boolean =>
  namesMore(body) ||
  // A stored prompt; the text of old completions has this name, too.
  isFields(body['prompt']) ||
  !listOf(body['tools']).every(isCallersTool);

/** What every prompt has beside its fields. */
export const MARKUP_TOKENS = 16;

/** What is known of the size of a prompt. */
export type PromptFacts = Pick<
  RequestFacts,
  | 'inputTokensEstimate'
  | 'soundTokens'
  | 'pictureTokens'
  | 'morePictureTokens'
  | 'promptTokensMost'
  | 'mayFillContext'
  | 'keepsAnHour'
>;

/** Fields that may be long and that no model reads. */
const UNREAD: ReadonlySet<string> = new Set([
  'model',
  'models',
  'metadata',
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'logit_bias',
  'stop',
  'stop_sequences',
  'stream_options',
  'tool_choice',
  'modalities',
  'audio',
  'include',
  'thinking',
  'reasoning',
  'provider',
]);
/** Unknown fields of at most this many tokens are covered by what is held for a prompt's markup. */
const FEW_TOKENS = 100;
const LONG = 200;

/** Fields that some upstream may put into its prompt: documents, terms of a translation, values of a template. */
const furtherFields = (body: Fields, fields: readonly string[]): Fields | undefined => {
  let further: Record<string, unknown> | undefined;
  for (const name in body) {
    const value = body[name];
    const isLong =
      typeof value === 'string' ? value.length > LONG : typeof value === 'object' && value !== null;
    if (isLong && !fields.includes(name) && !UNREAD.has(name)) (further ??= {})[name] = value;
  }
  return further;
};

/**
 * The size of the prompt in these fields of a body, and in those that nobody knows.
 */
export const promptSize = (body: Fields, fields: readonly string[], counting?: Counting): PromptFacts => {
  const model = textOf(body['model']);
  const sum: Sum = {
    tokens: MARKUP_TOKENS,
    sound: 0,
    pictures: 0,
    morePictures: 0,
    most: readsMore(body) ? undefined : MARKUP_TOKENS,
    isElsewhere: false,
    isForAnHour: isForAnHour(body['cache_control']),
  };
  for (const field of fields)
    if (body[field] !== undefined) addSize(sum, measurePrompt(body[field], model, counting));
  const further = furtherFields(body, fields);
  const size = further && measurePrompt(further, model, counting);
  if (size !== undefined && size.tokens > FEW_TOKENS) addSize(sum, size);
  return factsOf(sum);
};

type Sum = { -readonly [Part in keyof PromptSize]: PromptSize[Part] };

const addSize = (sum: Sum, size: PromptSize): void => {
  sum.tokens += size.tokens;
  sum.sound += size.sound;
  sum.pictures += size.pictures;
  sum.morePictures += size.morePictures;
  sum.most = sum.most === undefined || size.most === undefined ? undefined : sum.most + size.most;
  sum.isElsewhere ||= size.isElsewhere;
  sum.isForAnHour ||= size.isForAnHour;
};

/** Most prompts have nothing but text, of which all is known. */
const factsOf = (sum: Sum): PromptFacts => {
  const { tokens: inputTokensEstimate, sound, pictures, morePictures, most } = sum;
  const isPlain = sound + pictures + morePictures === 0 && !sum.isElsewhere && !sum.isForAnHour;
  if (isPlain && most !== undefined) return { inputTokensEstimate, promptTokensMost: most };
  return {
    inputTokensEstimate,
    ...mediaFacts(sum),
    ...(most !== undefined && { promptTokensMost: most }),
    ...(sum.isElsewhere && { mayFillContext: 'files' }),
    ...(sum.isForAnHour && { keepsAnHour: true }),
  };
};

/** The media of a prompt, as far as it has any. */
export const mediaFacts = ({
  sound,
  pictures,
  morePictures,
}: Pick<PromptSize, 'sound' | 'pictures' | 'morePictures'>): Omit<PromptFacts, 'inputTokensEstimate'> => ({
  ...(sound > 0 && { soundTokens: sound }),
  ...(pictures > 0 && { pictureTokens: pictures }),
  ...(morePictures > 0 && { morePictureTokens: morePictures }),
});

/** How much of a text is given as token numbers: one text, or a list of them. */
export const numberedTokens = (text: unknown): Pick<RequestFacts, 'knownTokens'> => {
  const numbers = numbersIn(text) + listOf(text).reduce<number>((sum, item) => sum + numbersIn(item), 0);
  return numbers > 0 ? { knownTokens: numbers } : {};
};

const numbersIn = (list: unknown): number => listOf(list).filter((item) => typeof item === 'number').length;
