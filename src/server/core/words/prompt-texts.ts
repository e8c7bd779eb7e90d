import { AppError } from '../error.ts';
import { isByteField, saidInBytes } from './said-bytes.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields of a whole request that no model reads: who asks, which model, and how it is to be answered. */
const SETTINGS: ReadonlySet<string> = new Set([
  'model',
  'user',
  'metadata',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'previous_response_id',
  'conversation',
  'conversation_id',
  'service_tier',
  'encoding_format',
  'style',
  'background',
  'output_format',
  'moderation',
  'modalities',
  'include',
  'truncation',
  'stop',
  'stop_sequences',
  'logit_bias',
  'reasoning_effort',
  'language',
  'timestamp_granularities',
  'notifyHook',
  'notify_hook',
  'callback_url',
  'taskId',
  'task_id',
  'botType',
  'action',
  'cachedContent',
  'anthropic_version',
  'betas',
]);

/** Fields whose text is a word of the format: kinds, ids, sizes. Anything else in them is read like any text. */
const LABELS: ReadonlySet<string> = new Set([
  'type',
  'role',
  'id',
  'call_id',
  'tool_call_id',
  'tool_use_id',
  'item_id',
  'file_id',
  'model',
  'mimeType',
  'mime_type',
  'media_type',
  'format',
  'status',
  'detail',
  'object',
  'voice',
  'size',
  'quality',
  'effort',
  'verbosity',
  'mode',
  'ttl',
  'stream',
  'n',
]);
const LABEL = /^[\w.:/+-]{0,128}$/;
/** A kind of file may have its parameters with it. */
const FILE_KIND = /^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w."-]+)*$/;

/** What a model has called for and was answered is JSON of the caller's own: there a name of a format means nothing. */
const OWN_JSON: ReadonlySet<string> = new Set([
  'args',
  'response',
  'variables',
  'default',
  'const',
  'examples',
]);
/** Where the names of an object are said, too. */
const NAMED_BY_CALLER: ReadonlySet<string> = new Set([
  'properties',
  '$defs',
  'definitions',
  'patternProperties',
]);

/** Deeper than any format goes, and shallow enough to be walked. */
const MAX_DEPTH = 256;

/** How what is inside a field is read. */
type Reading = 'format' | 'own';

const isOwn = (name: string, holder: Fields): boolean =>
  OWN_JSON.has(name) ||
  (name === 'input' && typeof holder['type'] === 'string' && holder['type'].endsWith('tool_use'));

/**
 * Every text of a request that its upstream may show to a model, whatever the format: what is said, instructions, tools
 * with their names and schemas, calls and their answers, names of files, and files that are text. What is neither known
 * to be bytes nor known to be a setting counts as text. Throws `invalid_request` where it nests too deep.
 */
export const promptTexts = (body: Fields): string[] => {
  const texts: string[] = [];
  const say = (text: string): void => {
    if (text !== '') texts.push(text);
  };
  const readText = (text: string, name: string, holder: Fields, reading: Reading): void => {
    if (reading === 'format') {
      if (LABELS.has(name) && (LABEL.test(text) || FILE_KIND.test(text))) return;
      if (isByteField(name)) return saidInBytes(text, holder).forEach(say);
    }
    say(text);
    // The letters of a call may be spelled as JSON spells them.
    if (name === 'arguments' && text.includes('\\u')) readValue(parsedOrNothing(text), '', NOTHING, 'own', 1);
  };
  const readValue = (value: unknown, name: string, holder: Fields, reading: Reading, depth: number): void => {
    if (typeof value === 'string') return readText(value, name, holder, reading);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
    if (depth > MAX_DEPTH)
      throw new AppError('invalid_request', `the request nests deeper than ${MAX_DEPTH} levels`);
    if (Array.isArray(value)) {
      for (const item of value) readValue(item, name, holder, reading, depth + 1);
      return;
    }
    const fields = value as Fields;
    const inside = reading === 'own' || isOwn(name, holder) ? 'own' : 'format';
    const isNamed = inside === 'own' || NAMED_BY_CALLER.has(name);
    for (const key in fields) {
      if (isNamed) say(key);
      readValue(fields[key], key, fields, inside, depth + 1);
    }
  };
  for (const field in body) if (!SETTINGS.has(field)) readValue(body[field], field, body, 'format', 0);
  return texts;
};

const NOTHING: Fields = {};

const parsedOrNothing = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};
