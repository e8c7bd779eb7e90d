import { z } from 'zod';
import { MOST_ANSWERS, MOST_TOKENS } from '#contract/asked-words.ts';
import { MODEL_NAME_MAX_LENGTH } from '#contract/limits.ts';
import { AppError } from '#core/error.ts';
import { type Fields, isFields } from '#core/json/fields.ts';

/** Whether a value surely fits a schema. */
type Fits = (value: unknown) => boolean;

/** Of schemas that leave a value as it is: a check that costs a tenth of theirs. What it does not accept, they decide. */
const quickChecks = new WeakMap<z.core.$ZodType, Fits>();

export const quick = <Schema extends z.ZodType>(schema: Schema, fits: Fits): Schema => {
  quickChecks.set(schema, fits);
  return schema;
};

/** Many clients send null for "not given". It is not converted to undefined, because that costs time in every call. */
const given = <Schema extends z.ZodType>(schema: Schema, fits: Fits) =>
  quick(schema.nullish(), (value) => value === undefined || value === null || fits(value));

export const wholeBetween = (least: number, most: number) =>
  given(
    z.int().min(least).max(most),
    (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
  );

/** A field that is checked elsewhere or not at all. */
export const anyObject = z.custom<Fields>(isFields, 'must be an object');
export const someObjects = quick(
  z.array(anyObject).min(1),
  (value) => Array.isArray(value) && value.length > 0 && value.every(isFields),
);

export const modelName = quick(
  z.string().min(1).max(MODEL_NAME_MAX_LENGTH),
  (value) => typeof value === 'string' && value !== '' && value.length <= MODEL_NAME_MAX_LENGTH,
);
export const choiceCount = wholeBetween(1, MOST_ANSWERS);
export const tokenCount = wholeBetween(0, MOST_TOKENS);
export const smallCount = wholeBetween(0, 1000);
const MOST_KNOB = 1_000_000;
/** Sampling options: the upstream checks their range, here they only must be numbers. */
export const knob = given(
  z.number().min(-MOST_KNOB).max(MOST_KNOB),
  (value) => typeof value === 'number' && value >= -MOST_KNOB && value <= MOST_KNOB,
);
export const wholeNumber = given(z.int(), Number.isSafeInteger);
export const flag = given(z.boolean(), (value) => typeof value === 'boolean');

/** The quick checks of an object's fields, and the fields that it must have. */
interface QuickObject {
  readonly fits: ReadonlyMap<string, Fits>;
  readonly required: readonly string[];
}

const quickObjects = new WeakMap<z.ZodType, QuickObject>();
const NEVER: Fits = () => false;

/** A field without a quick check makes only those objects slow that have it. */
const quickObjectOf = (schema: z.ZodType): QuickObject => {
  const fits = new Map<string, Fits>();
  const required: string[] = [];
  if (!(schema instanceof z.ZodObject)) return { fits, required: ['no object'] };
  for (const [name, field] of Object.entries<z.ZodType>(schema.shape)) {
    fits.set(name, quickChecks.get(field) ?? NEVER);
    const absent = field.safeParse(undefined);
    if (!absent.success || absent.data !== undefined) required.push(name);
  }
  return { fits, required };
};

/** Whether a body surely fits: its own fields are looked at, because most bodies have few of those that may be there. */
const fitsQuickly = (schema: z.ZodType, body: unknown): boolean => {
  if (!isFields(body)) return false;
  let known = quickObjects.get(schema);
  if (known === undefined) quickObjects.set(schema, (known = quickObjectOf(schema)));
  for (const name of known.required) if (body[name] === undefined) return false;
  for (const name in body) if (known.fits.get(name)?.(body[name]) === false) return false;
  return true;
};

/** The default message tells what our check received, which means nothing to callers. */
const missing: z.core.$ZodErrorMap = ({ input }) =>
  input === undefined ? 'this field is required' : undefined;

/** An object inside the body. */
export const innerFields = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => {
  const schema = z.object(shape);
  return given(schema, (value) => fitsQuickly(schema, value));
};
export const streamOptions = innerFields({ include_usage: flag });

/**
 * Checks the fields that matter; the first invalid one becomes `invalid_request` with its name. What is returned may
 * have further fields.
 */
export const parseBounds = <Output>(schema: z.ZodType<Output>, body: unknown): Output => {
  if (fitsQuickly(schema, body)) return body as Output;
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  // Parsed again with these messages, which would cost time in every call.
  const issue = schema.safeParse(body, { error: missing }).error?.issues[0];
  const param = issue?.path.join('.') ?? '';
  const where = param === '' ? 'the request body' : `'${param}'`;
  throw new AppError('invalid_request', `${where}: ${issue?.message ?? 'invalid'}`, {
    ...(param !== '' && { param }),
  });
};

/**
 * Checks a single field like those of `parseBounds`. A schema with the field's name is made only for the error: making
 * one takes longer than reading the rest of a call.
 */
export const parseField = <Output>(schema: z.ZodType<Output>, name: string, value: unknown): Output => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  return parseBounds(z.object({ [name]: schema }), { [name]: value })[name] as Output;
};
