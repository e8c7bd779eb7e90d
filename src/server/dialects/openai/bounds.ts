import { z } from 'zod';
import { MOST_ANSWERS, MOST_TOKENS } from '#contract/asked-words.ts';
import { MODEL_NAME_MAX_LENGTH } from '#contract/limits.ts';
import { AppError } from '#core/error.ts';

/** Many clients send null for "not given". It is not converted to undefined, because that costs time in every call. */
const given = <Schema extends z.ZodType>(schema: Schema) => schema.nullish();

/** A field that is checked elsewhere or not at all. */
export const anyObject = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);

export const modelName = z.string().min(1).max(MODEL_NAME_MAX_LENGTH);
export const choiceCount = given(z.int().min(1).max(MOST_ANSWERS));
export const tokenCount = given(z.int().min(0).max(MOST_TOKENS));
export const smallCount = given(z.int().min(0).max(1000));
/** Sampling options: the upstream checks their range, here they only must be numbers. */
export const knob = given(z.number().min(-1_000_000).max(1_000_000));
export const wholeNumber = given(z.int());
export const flag = given(z.boolean());
export const streamOptions = given(z.object({ include_usage: flag }));

/** The default message tells what our check received, which means nothing to callers. */
const missing: z.core.$ZodErrorMap = ({ input }) =>
  input === undefined ? 'this field is required' : undefined;

/** Checks the fields that matter; the first invalid one becomes `invalid_request` with its name. */
export const parseBounds = <Output>(schema: z.ZodType<Output>, body: unknown): Output => {
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
