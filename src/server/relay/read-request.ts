import { isUtf8 } from 'node:buffer';
import { AppError } from '#core/error.ts';
import { parseChatJson } from '#core/exact-json.ts';
import { assertJsonBounds } from '#core/json-bounds.ts';
import { assertOneMeaning } from '#core/one-meaning.ts';
import type { Wire } from '../dialects/dialect.ts';
import type { Form } from '../dialects/form.ts';
import type { RelayCall } from './ports.ts';
import type { Asked } from './running.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How a signature begins that another format's upstream made and a caller of this format carried. */
const FOREIGN_SIGNATURE = '"from.';
/** The same where signatures are bytes in base64, as in Gemini's format; and that of an encrypted thought. */
const FOREIGN_BYTES = ['"ZnJvbS', '"cmVkYWN0ZWQu'] as const;

/** Reads a body that is no form, once: as JSON, and as what the caller's format says of it. Throws `invalid_request`. */
export const readRequest = (
  call: Pick<RelayCall, 'dialect' | 'playground' | 'pathModel' | 'pathStream'>,
  wire: Wire,
  bytes: Buffer,
): Asked & { readonly group: string } => {
  const sent = parseObject(bytes);
  let body = sent;
  let group = '';
  if (call.playground && sent['group'] !== undefined) {
    const { group: chosen, ...rest } = sent;
    if (typeof chosen !== 'string')
      throw new AppError('invalid_request', 'group must be a string', { param: 'group' });
    group = chosen;
    body = rest;
  }
  if (call.playground) body = withoutZeros(body);
  const { pathModel, pathStream } = call;
  const isToldByPath = pathStream !== undefined;
  if (pathModel !== undefined && !isToldByPath && body['model'] === undefined)
    body = { ...body, model: pathModel };
  const told = isToldByPath ? { ...body, model: pathModel, stream: pathStream } : body;
  return {
    facts: wire.facts(told),
    bytes,
    body,
    told,
    changed: body !== sent,
    modelInPath: isToldByPath,
    hasForeignSignatures:
      call.dialect === 'gemini'
        ? FOREIGN_BYTES.some((mark) => bytes.includes(mark))
        : bytes.includes(FOREIGN_SIGNATURE),
    group,
  };
};

/** What a form of numbers sends where nothing was entered. */
const LEFT_TO_THE_MODEL = new Set([
  'temperature',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'maxOutputTokens',
]);

/** In the playground 0 says that the model decides: such a bound, or such a temperature, is not sent. */
const withoutZeros = (body: Fields): Fields => {
  const config = body['generationConfig'];
  const isSet = typeof config === 'object' && config !== null && !Array.isArray(config);
  const bounds = isSet ? withoutZeros(config as Fields) : config;
  const kept = Object.entries(body).filter(([name, value]) => value !== 0 || !LEFT_TO_THE_MODEL.has(name));
  if (kept.length === Object.keys(body).length && bounds === config) return body;
  return { ...Object.fromEntries(kept), ...(bounds !== config && { generationConfig: bounds }) };
};

const NOTHING = Buffer.alloc(0);
/** Fields of a form that are no texts, and how they are read. */
const FORM_NUMBERS = new Set(['n']);
const FORM_FLAGS = new Set(['stream']);

/** A form says the same as an object would; its files stand under a name no field has. */
export const readFormRequest = (
  call: RelayCall,
  wire: Wire,
  form: Form,
): Asked & { readonly group: string } => {
  const body: Record<string, unknown> = { model: call.pathModel };
  for (const [name, value] of Object.entries(form.fields)) {
    if (FORM_NUMBERS.has(name)) body[name] = plainNumber(name, value);
    else body[name] = FORM_FLAGS.has(name) ? plainFlag(name, value) : value;
  }
  body['$files'] = form.files;
  return {
    facts: wire.facts(body),
    bytes: NOTHING,
    body,
    told: body,
    changed: form.fields['model'] === undefined,
    modelInPath: false,
    hasForeignSignatures: false,
    form,
    group: '',
  };
};

/** Readers differ in what else they take for a number: `0x10`, `1e1`, ` 2`. Throws `invalid_request`. */
const plainNumber = (name: string, value: string): number => {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new AppError('invalid_request', `'${name}': write a whole number in digits`, { param: name });
};

/** And for yes: `1`, `on`, `True`. Throws `invalid_request`. */
const plainFlag = (name: string, value: string): boolean => {
  if (value === 'true' || value === 'false') return value === 'true';
  throw new AppError('invalid_request', `'${name}': write true or false`, { param: name });
};

const parseObject = (bytes: Buffer): Fields => {
  assertJsonBounds(bytes);
  // Each decoder mends what is none in its own way, and what goes out are the bytes.
  if (!isUtf8(bytes)) throw new AppError('invalid_request', 'the body is not UTF-8');
  const text = bytes.toString();
  let value: unknown;
  try {
    value = parseChatJson(text);
  } catch {
    throw new AppError('invalid_request', 'the body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('invalid_request', 'the body must be a JSON object');
  }
  const fields = value as Fields;
  assertOneMeaning(bytes, fields);
  return fields;
};
