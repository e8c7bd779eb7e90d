import { foldedName } from '#contract/asked-words.ts';
import { OF_MAKERS } from '../decisive-fields.ts';
import { AppError } from '../error.ts';
import { type Fields, isFields } from '../json/fields.ts';

/**
 * How a call is served, where that affects its price: requested in the request, reported in the reply. An absent term
 * was not stated.
 */
export interface ServiceTerms {
  readonly tier?: string;
  readonly speed?: string;
  readonly place?: string;
}

/** What is served if nothing is requested. */
export const STANDARD = 'standard';

/** The providers' words for it. */
const STANDARD_WORDS: ReadonlySet<string> = new Set([
  'standard',
  'auto',
  'default',
  'standard_only',
  'on_demand',
  'service_tier_standard',
  'service_tier_unspecified',
  'traffic_type_unspecified',
  'unspecified',
  'global',
  'not_available',
  '',
]);

const WORD = /^[a-z][a-z0-9_.-]{0,39}$/;

/** Normalizes a term that providers spell in many ways; undefined if the value is no term. */
const termWord = (value: unknown): string | undefined => {
  if (typeof value !== 'string' || value.length > 60) return undefined;
  const word = value.trim().toLowerCase();
  if (STANDARD_WORDS.has(word)) return STANDARD;
  // Google: SERVICE_TIER_FLEX, ON_DEMAND_PRIORITY.
  const short = word.replace(/^(?:service_tier_|on_demand_)/, '');
  return WORD.test(short) ? short : undefined;
};

/** The service terms of these values; undefined if none is a term. */
export const termsOf = (tier: unknown, speed?: unknown, place?: unknown): ServiceTerms | undefined => {
  const words = { tier: termWord(tier), speed: termWord(speed), place: termWord(place) };
  if (words.tier === undefined && words.speed === undefined && words.place === undefined) return undefined;
  return {
    ...(words.tier !== undefined && { tier: words.tier }),
    ...(words.speed !== undefined && { speed: words.speed }),
    ...(words.place !== undefined && { place: words.place }),
  };
};

/** The request fields that ask for terms, as the formats spell them. */
const FIELDS: Readonly<Record<string, keyof ServiceTerms>> = {
  service_tier: 'tier',
  serviceTier: 'tier',
  speed: 'speed',
  inference_geo: 'place',
  inferenceGeo: 'place',
};
const NAMES = Object.keys(FIELDS);

/** Objects whose fields some upstreams merge into the request. */
const HOLDERS = ['extra_body', 'extraBody', 'generationConfig', 'generation_config', 'config', ...OF_MAKERS];

const BY_FOLDED: ReadonlyMap<string, keyof ServiceTerms> = new Map(
  NAMES.map((name) => [foldedName(name), FIELDS[name] ?? 'tier']),
);

const DEEPEST = 3;

const NOTHING: ServiceTerms = {};

/** A field that requests a term, wherever it stands. */
interface Asking {
  readonly name: string;
  readonly term: keyof ServiceTerms;
  readonly value: unknown;
}

/** The objects in an object that may request terms, by name. `holder` is its own name. */
const innerOf = (fields: Fields, depth: number, holder: string): (readonly [string, Fields])[] => {
  if (depth >= DEEPEST) return [];
  const names = OF_MAKERS.includes(holder) ? Object.keys(fields) : HOLDERS;
  return names.flatMap((name) => {
    const inner = fields[name];
    return isFields(inner) ? [[name, inner] as const] : [];
  });
};

/** The fields of an object that request terms, including those in nested objects that upstreams merge. */
const askedIn = (fields: Fields, depth = 0, holder = ''): Asking[] => {
  const found = innerOf(fields, depth, holder).flatMap(([name, inner]) => askedIn(inner, depth + 1, name));
  for (const [name, value] of Object.entries(fields)) {
    const term = BY_FOLDED.get(foldedName(name));
    // A voice's speed is a number and no service term.
    if (term !== undefined && !(term === 'speed' && typeof value === 'number'))
      found.push({ name, term, value });
  }
  return found;
};

const hasNone = (body: Fields): boolean => {
  for (const name of NAMES) if (body[name] !== undefined) return false;
  for (const name of HOLDERS) if (body[name] !== undefined) return false;
  return true;
};

/**
 * The terms a request asks for. Throws `invalid_request` if a term stands in several places, is spelled in a way that
 * only some parsers accept, or has an invalid value: the upstream must do what was priced here.
 */
export const askedTerms = (body: Fields): ServiceTerms => {
  if (hasNone(body)) return NOTHING;
  const found = askedIn(body);
  const terms: Partial<Record<keyof ServiceTerms, string>> = {};
  for (const { name, term, value } of found) {
    if (value === null || value === undefined) continue;
    const refuse = (why: string): AppError =>
      new AppError('invalid_request', `'${name}': ${why}`, { param: name });
    if (FIELDS[name] === undefined) throw refuse('spell it as the format does');
    if (terms[term] !== undefined) throw refuse('it is given twice');
    const word = termWord(value);
    if (word === undefined) throw refuse('it must be a word');
    terms[term] = word;
  }
  return terms;
};

/** The terms sent to an upstream, after overrides; invalid values count as absent. */
export const sentTerms = (body: Fields): ServiceTerms => {
  if (hasNone(body)) return NOTHING;
  const terms: Partial<Record<keyof ServiceTerms, string>> = {};
  for (const { term, value } of askedIn(body)) {
    const word = termWord(value);
    if (word !== undefined && (terms[term] ?? STANDARD) === STANDARD) terms[term] = word;
  }
  return terms;
};

/** Whether a term other than standard is requested. */
export const isSpecial = ({ tier = STANDARD, speed = STANDARD, place = STANDARD }: ServiceTerms): boolean =>
  tier !== STANDARD || speed !== STANDARD || place !== STANDARD;

/** The body without any field that requests a term. */
export const withoutTerms = (body: Fields): Fields => (hasNone(body) ? body : cleared(body, 0, ''));

const cleared = (fields: Fields, depth: number, holder: string): Fields => {
  const asking = new Set(askedIn(fields, DEEPEST).map(({ name }) => name));
  let rest =
    asking.size === 0
      ? fields
      : Object.fromEntries(Object.entries(fields).filter(([name]) => !asking.has(name)));
  for (const [name, inner] of innerOf(rest, depth, holder)) {
    const left = cleared(inner, depth + 1, name);
    if (left !== inner) rest = { ...rest, [name]: left };
  }
  return rest;
};
