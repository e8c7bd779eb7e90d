import { z } from 'zod';
import { EMAIL_MAX_LENGTH, GROUP_NAME_MAX_LENGTH, MAX_QUOTA_UNITS } from './limits.ts';
import type { MessageKey } from './messages.ts';

/** Small schemas that several entities share. */

// NUL cannot be stored by PostgreSQL, and nobody types it on purpose.
const noNul = (text: string): boolean => !text.includes('\0');

/** What is wrong, as a sentence of the catalogue: a schema's own words would be in one language only. */
export const issueKey = (key: MessageKey): MessageKey => key;

/** A text that is kept as it is, of at most so many UTF-16 units. */
export const text = (maxLength: number) => z.string().max(maxLength).refine(noNul, issueKey('issue_nul'));
/** `issue` is what to say where there is none; one that is too long is told so. */
export const trimmed = (maxLength: number, issue?: MessageKey) =>
  z
    .string({ error: ({ code }) => (code === 'invalid_type' ? issue : undefined) })
    .trim()
    .max(maxLength)
    .refine(noNul, issueKey('issue_nul'));

/** An e-mail address as it is kept: small letters, so that one mailbox is one account. */
export const emailText = trimmed(EMAIL_MAX_LENGTH)
  .toLowerCase()
  .refine((value) => value === '' || z.email().safeParse(value).success, issueKey('issue_email'));

/** A whole number, also as the text of one: forms send both. */
export const wholeNumber = (issue?: MessageKey) =>
  z
    .union(
      [
        z.number(),
        z
          .string()
          .trim()
          .regex(/^[+-]?\d{1,15}$/)
          .transform(Number),
      ],
      issue,
    )
    .pipe(z.number().int(issue));

export const quotaUnits = z.number().int().min(0).max(MAX_QUOTA_UNITS);
export const unixSeconds = z.number().int().min(0).max(253_402_300_799);
export const groupName = trimmed(GROUP_NAME_MAX_LENGTH);

/** A JSON object of text to text, kept as the text that was typed; empty means none. */
export const textMap = (maxLength: number, issue: MessageKey = 'issue_text_map') =>
  text(maxLength).refine((value) => value.trim() === '' || isTextMap(value), issue);

const isTextMap = (value: string): boolean =>
  z.record(z.string(), z.string()).safeParse(parsed(value)).success;

/** A JSON object of any shape, kept as the text that was typed; empty means none. */
export const jsonObject = (maxLength: number) =>
  text(maxLength).refine(
    (value) => value.trim() === '' || z.record(z.string(), z.unknown()).safeParse(parsed(value)).success,
    issueKey('issue_object'),
  );

/** The value of a JSON text, or undefined where it is none. */
export const parsed = (value: string): unknown => {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
};

/** `a, b,,a` → `['a', 'b']`: comma lists as the wire has them. */
export const commaList = (value: string): string[] => [
  ...new Set(
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  ),
];
