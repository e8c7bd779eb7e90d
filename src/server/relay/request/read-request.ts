import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { AppError } from '#core/error.ts';
import { parseChatJson } from '#core/json/exact.ts';
import { type JsonSurvey, surveyJson } from '#core/json/bounds.ts';
import { type BodyParts, partsOf } from '#core/json/body-parts.ts';
import { KnownParts } from '#core/json/known-parts.ts';
import { assertNames, assertOneMeaning } from '#core/json/one-meaning.ts';
import { type Fields, isFields } from '#core/json/fields.ts';
import { askedTerms, isSpecial } from '#core/quota/service-terms.ts';
import { accountObjectIn } from '../../dialects/account-objects.ts';
import type { NamedContainer } from '../../dialects/containers.ts';
import { isDialect } from '../../dialects/callers-words.ts';
import { assertOnePlace } from '../../dialects/one-place.ts';
import { assertOneModel, withoutModelLists } from '../../dialects/other-models.ts';
import type { RequestFacts, Wire } from '../../dialects/dialect.ts';
import type { Form } from '../../dialects/form/form.ts';
import { plainWorkIn, unpricedWorkIn } from '../../dialects/unpriced-work.ts';
import type { RelayCall } from '../calls.ts';
import type { CallerRequest } from './request.ts';

/** The start of a signature that another format's upstream made and we passed to a caller of this format. */
const FOREIGN_SIGNATURE = '"from.';
const FOREIGN_TEXTS = [FOREIGN_SIGNATURE];
/** The same in base64, for formats such as Gemini's, and for an encrypted thought. */
const FOREIGN_BYTES = ['"ZnJvbS', '"cmVkYWN0ZWQu'] as const;

const knownParts = new KnownParts(
  (bytes) => hash('sha256', bytes, 'base64'),
  [FOREIGN_SIGNATURE, ...FOREIGN_BYTES],
);

/** A survey of a body, and its parts if some of them may be known already. */
export interface Surveyed extends JsonSurvey {
  readonly parts: BodyParts | undefined;
}

/** Surveys a body. Throws `invalid_request` if it is too large to be read. */
export const surveyed = (bytes: Buffer): Surveyed => {
  const parts = partsOf(knownParts, bytes);
  const { values, members, hasLongNumber } = surveyJson(bytes, undefined, parts);
  return { values, members, hasLongNumber, parts };
};

/**
 * Parses a body that is not a form: as JSON, and as a request of the caller's format. Throws `invalid_request`. Pass
 * the survey of the bytes if it exists already.
 */
export const readRequest = (
  call: Pick<RelayCall, 'dialect' | 'playground' | 'pathModel' | 'pathStream'>,
  wire: Wire,
  bytes: Buffer,
  survey = surveyed(bytes),
  rename: Rename = asItIs,
): CallerRequest => {
  const sought = call.dialect === 'gemini' ? FOREIGN_BYTES : FOREIGN_TEXTS;
  const { body: sent, hasMark } = parseObject(bytes, survey, sought);
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
  const said = renamed(isToldByPath ? { ...body, model: pathModel, stream: pathStream } : body, rename);
  const facts = factsOf(wire, said, isToldByPath ? pathModel : body['model']);
  const fields = withoutModelLists(said);
  if (fields !== said) body = withoutModelLists(body);
  return {
    facts,
    bytes,
    body,
    fields,
    changed: body !== sent,
    modelInPath: isToldByPath,
    hasForeignSignatures: hasMark,
    group,
  };
};

/** Resolves a caller's name of a model, which may be an alias. */
export type Rename = (model: string) => string;

const asItIs: Rename = (model) => model;

const renamed = (fields: Fields, rename: Rename): Fields => {
  const { model: asked } = fields;
  const model = typeof asked === 'string' ? rename(asked) : asked;
  return model === asked ? fields : { ...fields, model };
};

const factsOf = (wire: Wire, fields: Fields, asked: unknown): RequestFacts => {
  const facts = wire.facts(fields);
  const terms = askedTerms(fields);
  const hasTerms = isSpecial(terms);
  const isAliased = typeof asked === 'string' && asked !== fields['model'];
  assertOneModel(fields, [asked, facts.model]);
  assertOnePlace(fields);
  const containers: NamedContainer[] = [];
  const accountObject = accountObjectIn(fields, containers);
  const unpricedWork = isDialect(wire.name) ? unpricedWorkIn(fields, wire.name) : plainWorkIn(fields);
  const isPlain = accountObject === undefined && unpricedWork === undefined && containers.length === 0;
  if (!isAliased && !hasTerms && isPlain) return facts;
  return {
    ...facts,
    ...(hasTerms && { terms }),
    ...(isAliased && { askedModel: asked }),
    ...(accountObject !== undefined && { accountObject }),
    ...(unpricedWork !== undefined && { unpricedWork }),
    ...(containers.length > 0 && { containers }),
  };
};

/**
 * Applies an alias to a request that was read in another thread, where aliases are not known. The model also decides
 * what a picture costs and which tools run by default; both are read from short fields.
 */
export const aliasedFarRequest = <Read extends Pick<CallerRequest, 'facts' | 'fields'>>(
  read: Read,
  wire: Wire,
  rename: Rename,
): Read => {
  const { facts } = read;
  const model = rename(facts.model);
  if (model === facts.model) return read;
  const fields = { ...read.fields, model };
  const callFactor = facts.callFactor === undefined ? undefined : factorOf(wire, fields);
  const toolCalls = facts.toolCalls ?? wire.toolsOf?.(model);
  return {
    ...read,
    fields,
    facts: {
      ...facts,
      model,
      askedModel: facts.model,
      ...(callFactor !== undefined && { callFactor }),
      ...(toolCalls !== undefined && { toolCalls }),
    },
  };
};

const factorOf = (wire: Wire, fields: Fields): number | undefined => {
  if (wire.name !== 'openai-images') return undefined;
  return wire.facts({ ...fields, prompt: 'a picture' }).callFactor;
};

/** Number fields that the playground sends as 0 if nothing was entered. */
const LEFT_TO_THE_MODEL = new Set([
  'temperature',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'maxOutputTokens',
]);

/** Removes such zeros: in the playground, 0 means that the model decides. */
const withoutZeros = (body: Fields): Fields => {
  const config = body['generationConfig'];
  const bounds = isFields(config) ? withoutZeros(config) : config;
  const kept = Object.entries(body).filter(([name, value]) => value !== 0 || !LEFT_TO_THE_MODEL.has(name));
  if (kept.length === Object.keys(body).length && bounds === config) return body;
  return { ...Object.fromEntries(kept), ...(bounds !== config && { generationConfig: bounds }) };
};

const NOTHING = Buffer.alloc(0);
/** Form fields that are not texts, and how to read them. */
const FORM_NUMBERS = new Set(['n']);
const FORM_FLAGS = new Set(['stream']);

/** Reads a form like a JSON object; files go under a name that no field has. */
export const readFormRequest = (
  call: RelayCall,
  wire: Wire,
  form: Form,
  rename: Rename = asItIs,
): CallerRequest => {
  const body: Record<string, unknown> = { model: call.pathModel };
  for (const [name, value] of Object.entries(form.fields)) {
    if (FORM_NUMBERS.has(name)) body[name] = plainNumber(name, value);
    else body[name] = FORM_FLAGS.has(name) ? plainFlag(name, value) : value;
  }
  body['$files'] = form.files;
  const fields = renamed(body, rename);
  return {
    facts: factsOf(wire, fields, body['model']),
    bytes: NOTHING,
    body,
    fields,
    changed: form.fields['model'] === undefined,
    modelInPath: false,
    hasForeignSignatures: false,
    form,
    group: '',
  };
};

/** Accepts plain decimals only, because parsers differ on `0x10`, `1e1` and ` 2`. Throws `invalid_request`. */
const plainNumber = (name: string, value: string): number => {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new AppError('invalid_request', `'${name}': write a whole number in digits`, { param: name });
};

/** Accepts `true` and `false` only, because parsers differ on `1`, `on` and `True`. Throws `invalid_request`. */
const plainFlag = (name: string, value: string): boolean => {
  if (value === 'true' || value === 'false') return value === 'true';
  throw new AppError('invalid_request', `'${name}': write true or false`, { param: name });
};

interface ParsedObject {
  readonly body: Fields;
  /** Whether one of the texts that were sought is in it. */
  readonly hasMark: boolean;
}

const parseObject = (bytes: Buffer, survey: Surveyed, sought: readonly string[]): ParsedObject => {
  // Decoders replace invalid UTF-8 in different ways, but the upstream gets the raw bytes.
  if (!isUtf8(bytes)) throw new AppError('invalid_request', 'the body is not UTF-8');
  const parted = survey.parts?.read(survey);
  if (parted !== undefined) {
    assertNames(parted.body);
    return { body: parted.body, hasMark: sought.some((mark) => parted.marks.has(mark)) };
  }
  const text = bytes.toString();
  let value: unknown;
  try {
    value = parseChatJson(text, survey.hasLongNumber);
  } catch {
    throw new AppError('invalid_request', 'the body is not valid JSON');
  }
  if (!isFields(value)) throw new AppError('invalid_request', 'the body must be a JSON object');
  assertOneMeaning(bytes, value, survey.members);
  return { body: value, hasMark: sought.some((mark) => text.includes(mark)) };
};
