import { parsed } from '#contract/json-text.ts';
import type { Fields } from '../json/fields.ts';
import { AppError } from '../error.ts';
import { isByteField, textInBytes } from './text-in-bytes.ts';

/** Top-level fields that no model reads: user, model, and how to answer. */
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

/** Fields whose value is a format keyword: types, ids, sizes. Any other value in them is read as text. */
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
/** A media type, with optional parameters. */
const FILE_KIND = /^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w."-]+)*$/;

/** Arguments and results of calls are the caller's own JSON: format names have no meaning there. */
const OWN_JSON: ReadonlySet<string> = new Set([
  'args',
  'response',
  'variables',
  'default',
  'const',
  'examples',
]);
/** Fields with objects whose names are the caller's text, too. */
const NAMED_BY_CALLER: ReadonlySet<string> = new Set([
  'properties',
  '$defs',
  'definitions',
  'patternProperties',
]);

/** Deeper than any format, and safe to recurse. */
const MAX_DEPTH = 256;

/** How to read the content of a field. */
type Reading = 'format' | 'own';

const isOwn = (name: string, holder: Fields): boolean =>
  OWN_JSON.has(name) ||
  (name === 'input' && typeof holder['type'] === 'string' && holder['type'].endsWith('tool_use'));

/**
 * All texts of a request that a model may see, in any format: messages, instructions, tools with their names and
 * schemas, calls and their results, file names, and text files. Anything not known to be bytes or a setting counts as
 * text. Throws `invalid_request` if it is nested too deep.
 * @param leavesOut called for each object in a list directly in the body; true omits its texts. Its answer must depend
 * on that object and `field` alone.
 */
export const promptTexts = (body: Fields, leavesOut?: (part: object, field: string) => boolean): string[] => {
  const texts: string[] = [];
  const say = (text: string): void => {
    if (text !== '') texts.push(text);
  };
  const readText = (text: string, name: string, holder: Fields, reading: Reading): void => {
    if (reading === 'format') {
      if (LABELS.has(name) && (LABEL.test(text) || FILE_KIND.test(text))) return;
      if (isByteField(name)) return textInBytes(text, holder).forEach(say);
    }
    say(text);
    // The arguments may contain JSON escapes.
    if (name === 'arguments' && text.includes('\\u')) readValue(parsed(text), '', NOTHING, 'own', 1);
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
  for (const field in body) {
    if (SETTINGS.has(field)) continue;
    const value = body[field];
    if (leavesOut === undefined || !Array.isArray(value) || isOwn(field, body))
      readValue(value, field, body, 'format', 0);
    else
      for (const item of value as readonly unknown[])
        if (typeof item !== 'object' || item === null || !leavesOut(item, field))
          readValue(item, field, body, 'format', 1);
  }
  return texts;
};

const NOTHING: Fields = {};
