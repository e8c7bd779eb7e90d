import { AppError } from '#core/error.ts';
import { type Fields, fieldsOf, isFields, listOf, textOf } from '#core/json/fields.ts';
import { toolsMidway } from './tools-midway.ts';

/*
 * Fields that may make an upstream answer with another model than the requested one, which alone is permitted and
 * priced. Spellings in another case are refused with the other decisive fields.
 */

/** Fallback models, used if the requested one fails or declines: OpenRouter, Anthropic, LiteLLM, Vercel. */
const LISTS = [
  'models',
  'fallbacks',
  'fallback_models',
  'context_window_fallbacks',
  'content_policy_fallbacks',
] as const;
/** Fields that choose the model at the upstream: Vertex. */
const CHOICES = [
  'routingConfig',
  'routing_config',
  'modelSelectionConfig',
  'model_selection_config',
  // A preset of Perplexity and OpenRouter names a model, tools and effort together.
  'preset',
] as const;
/** Objects that some upstreams merge into the request, and those in which formats keep settings. */
const HOLDERS = [
  'extra_body',
  'extraBody',
  'generationConfig',
  'generation_config',
  'providerOptions',
  'provider_options',
  'gateway',
] as const;

/**
 * Throws `invalid_request`, naming the field, if a field lets another model answer. `asked` holds the names of the
 * requested one.
 */
export const assertOneModel = (fields: Fields, asked: readonly unknown[]): void => {
  for (const name of HOLDERS) if (typeof fields[name] === 'string') assertNoWrittenFields(name, fields[name]);
  const param = otherModelIn(fields, asked) ?? advisorIn(fields, asked);
  if (param === undefined) return;
  const message = `'${param}' lets another model answer than the one that is asked for, permitted and priced`;
  throw new AppError('invalid_request', message, { param, reason: 'unsupported_parameter' });
};

/** Refuses fields written as one text, as forms allow: some upstreams parse it, and nobody here has read what it asks for. */
const assertNoWrittenFields = (name: string, text: string): void => {
  if (!/^\s*\{/.test(text)) return;
  throw new AppError('invalid_request', `'${name}' is a text that holds fields: write them as an object`, {
    param: name,
    reason: 'invalid_type',
  });
};

/**
 * The same request without lists that name only the same model or none, which clients send by habit: the channel may
 * know the model by another name.
 */
export const withoutModelLists = (fields: Fields): Fields =>
  hasList(fields)
    ? Object.fromEntries(Object.entries(fields).filter(([name]) => !LISTS.some((list) => list === name)))
    : fields;

const hasList = (fields: Fields): boolean => {
  for (const name of LISTS) if (fields[name] !== undefined) return true;
  return false;
};

const otherModelIn = (fields: Fields, asked: readonly unknown[]): string | undefined => {
  for (const name of LISTS) if (fields[name] !== undefined && listsOther(fields[name], asked)) return name;
  for (const name of CHOICES) if (fields[name] !== undefined && isGiven(fields[name])) return name;
  for (const holder of HOLDERS) {
    if (fields[holder] === undefined) continue;
    const found = otherModelInside(fields[holder], asked);
    if (found !== undefined) return `${holder}.${found}`;
  }
  return undefined;
};

const FOLDED_LISTS: ReadonlySet<string> = new Set(LISTS);
const FOLDED_CHOICES: ReadonlySet<string> = new Set(CHOICES.map((name) => name.toLowerCase()));
const FOLDED_HOLDERS: ReadonlySet<string> = new Set(HOLDERS.map((name) => name.toLowerCase()));

/**
 * Checks an object that is forwarded unchanged: the channel's name for the model is not inserted there, and upstreams
 * may accept any spelling.
 */
const otherModelInside = (inner: unknown, asked: readonly unknown[], depth = 1): string | undefined => {
  if (!isFields(inner) || depth > 3) return undefined;
  for (const [name, value] of Object.entries(inner)) {
    const folded = name.toLowerCase();
    if (FOLDED_LISTS.has(folded) && listsOther(value, [])) return name;
    if (FOLDED_CHOICES.has(folded) && isGiven(value)) return name;
    if (folded === 'model' && textOf(value) !== undefined && !asked.includes(value)) return name;
    const found = FOLDED_HOLDERS.has(folded) ? otherModelInside(value, asked, depth + 1) : undefined;
    if (found !== undefined) return `${name}.${found}`;
  }
  return undefined;
};

/** Tools that are allowed another model: image generation has a price of its own, and the caller runs the others. */
const PRICED_OR_OWN: ReadonlySet<unknown> = new Set(['image_generation', 'function', 'custom', undefined]);

/** Finds a tool that is another model, whose tokens are billed at that model's price. */
const advisorIn = (fields: Fields, asked: readonly unknown[]): string | undefined => {
  for (const [at, tool] of listOf(fields['tools']).entries()) {
    const found = isFields(tool) ? otherModelOf(tool, asked) : undefined;
    if (found !== undefined) return `tools.${at}.${found}`;
  }
  for (const { path, tool } of toolsMidway(fields)) {
    const found = otherModelOf(tool, asked);
    if (found !== undefined) return `${path}.${found}`;
  }
  return undefined;
};

const otherModelOf = ({ type, model, parameters }: Fields, asked: readonly unknown[]): string | undefined => {
  if (PRICED_OR_OWN.has(type)) return undefined;
  const inner = textOf(fieldsOf(parameters)['model']);
  if (textOf(model) !== undefined && !asked.includes(model)) return 'model';
  return inner !== undefined && !asked.includes(inner) ? 'parameters.model' : undefined;
};

/** A single word leaves the choice to the provider. */
const listsOther = (value: unknown, asked: readonly unknown[]): boolean =>
  Array.isArray(value) ? value.some((entry) => isOther(entry, asked)) : isOther(value, asked);

const isOther = (entry: unknown, asked: readonly unknown[]): boolean => {
  const model = textOf(entry) ?? textOf(fieldsOf(entry)['model']);
  // An object of fallback lists, keyed by the model they replace.
  return model === undefined || model === '' ? isGiven(entry) : !asked.includes(model);
};

const isGiven = (value: unknown): boolean =>
  isFields(value) ? Object.keys(value).length > 0 : typeof value === 'string' && value !== '';
