import { z } from 'zod';
import { MODEL_NAME_MAX_LENGTH } from '#contract/limits.ts';
import { AppError } from '#core/error.ts';

/** More tokens than any model answers with; what a caller asks for above it can only be meant to break a sum. */
const MAX_TOKENS = 10_000_000;

/** JSON null is how many clients say "not given". Not turned into undefined: that would be paid for by every call. */
const given = <Schema extends z.ZodType>(schema: Schema) => schema.nullish();

/** A part of the request that is looked into elsewhere, or not at all. */
export const anyObject = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);

export const modelName = z.string().min(1).max(MODEL_NAME_MAX_LENGTH);
export const choiceCount = given(z.int().min(1).max(128));
export const tokenCount = given(z.int().min(0).max(MAX_TOKENS));
export const smallCount = given(z.int().min(0).max(1000));
/** Sampling knobs: the upstream knows their range, here they only have to be numbers. */
export const knob = given(z.number().min(-1_000_000).max(1_000_000));
export const wholeNumber = given(z.int());
export const flag = given(z.boolean());
export const streamOptions = given(z.object({ include_usage: flag }));

/** Parses what matters of a request; the first thing wrong becomes `invalid_request` with the field's name. */
export const parseBounds = <Output>(schema: z.ZodType<Output>, body: unknown): Output => {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const param = issue?.path.join('.') ?? '';
  const where = param === '' ? 'the request body' : `'${param}'`;
  throw new AppError('invalid_request', `${where}: ${issue?.message ?? 'invalid'}`, {
    ...(param !== '' && { param }),
  });
};
