import { correctSpelling } from '#core/decisive-fields.ts';
import { AppError } from '#core/error.ts';
import { type Fields, isFields } from '#core/json/fields.ts';

/** Objects that some upstreams merge into the request, over what it says itself, and others do not read. */
const MERGED = ['extra_body', 'extraBody'] as const;

/**
 * What the model reads, and how the answer comes: they have one place. Numbers, models, terms and tools are read in such
 * objects as well, and priced or refused for what they are.
 */
const ONLY_OUTSIDE: ReadonlySet<string> = new Set([
  'stream',
  'stream_options',
  'background',
  'deferred',
  'messages',
  'system',
  'input',
  'instructions',
  'prompt',
  'contents',
  'requests',
  'systemInstruction',
  'system_instruction',
]);

/**
 * Throws `invalid_request` if such an object says something else than the request about what it may not decide: two
 * upstreams would do two different things. Also for an answer that is to be fetched later, which nobody could here.
 */
export const assertOnePlace = (fields: Fields): void => {
  refuseDeferred(fields['deferred']);
  for (const holder of MERGED) refuseInside(fields, fields[holder], holder);
};

/** xAI answers such a chat with an id alone, and charges for what it then makes. Source: its guide, deferred completions. */
const refuseDeferred = (deferred: unknown): void => {
  if (deferred === undefined || deferred === null || deferred === false) return;
  const message = "'deferred' is not offered: the answer could not be fetched later";
  throw new AppError('invalid_request', message, { param: 'deferred', reason: 'unsupported_parameter' });
};

const refuseInside = (fields: Fields, inside: unknown, path: string): void => {
  if (!isFields(inside)) return;
  for (const [name, value] of Object.entries(inside)) {
    const spelled = correctSpelling(name) ?? name;
    if (!ONLY_OUTSIDE.has(spelled) || (spelled === name && value === fields[name])) continue;
    const param = `${path}.${name}`;
    const message = `'${param}' is read by some upstreams and not by others: send '${spelled}' beside '${path}'`;
    throw new AppError('invalid_request', message, { param, reason: 'unsupported_parameter' });
  }
  for (const holder of MERGED) refuseInside(fields, inside[holder], `${path}.${holder}`);
};
