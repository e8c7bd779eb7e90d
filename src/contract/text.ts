import { z } from 'zod';
import { EMAIL_MAX_LENGTH, GROUP_NAME_MAX_LENGTH, MAX_QUOTA_UNITS } from './limits.ts';
import { parsed } from './json-text.ts';
import type { MessageKey } from './messages.ts';

/** Small schemas for several entities. */

// PostgreSQL cannot store NUL, and nobody types it on purpose.
const noNul = (text: string): boolean => !text.includes('\0');

/** Types a schema's message as a key of the message table, so that it can be translated. */
export const issueKey = (key: MessageKey): MessageKey => key;

/** Refuses a table of more entries; for `superRefine`. */
export const entriesAtMost =
  (maximum: number) =>
  (table: object, { addIssue }: z.core.$RefinementCtx): void => {
    if (Object.keys(table).length > maximum)
      addIssue({ code: 'too_big', origin: 'map', maximum, input: table });
  };

/** Refuses an input with both or none of two fields; for `superRefine`. */
export const exactlyOneOf =
  <Field extends string>(one: Field, other: Field) =>
  (input: Readonly<Partial<Record<Field, unknown>>>, { addIssue }: z.core.$RefinementCtx): void => {
    if ((input[one] === undefined) === (input[other] === undefined))
      addIssue({ code: 'custom', message: issueKey('issue_one_of_two'), params: { one, other }, input });
  };

/** A text stored unchanged, of at most `maxLength` UTF-16 units. A longer one is not read: JSON in it may be many megabytes. */
export const text = (maxLength: number) =>
  z.string().max(maxLength, { abort: true }).refine(noNul, issueKey('issue_nul'));

/**
 * A code as people copy it from a mail, an app or paper: `123 456`, wide digits of a Chinese keyboard, a line break of
 * the print or invisible characters of a chat in it.
 */
export const typedCode = (maxLength: number) => text(maxLength).overwrite(settledCode);
export const settledCode = (code: string): string =>
  code.normalize('NFKC').replace(/[\s\p{Default_Ignorable_Code_Point}]/gu, '');

/** What a header cannot carry, or not in one way only: all but the letters, digits and signs of ASCII. */
const NOT_IN_HEADERS = /[^\x20-\x7e]/u;

/** The first character that does not fit, such as `“密” (U+5BC6)`, and where it is; undefined if all fit. */
export const misfit = (
  value: string,
  pattern = NOT_IN_HEADERS,
): { readonly sign: string; readonly place: number } | undefined => {
  const found = pattern.exec(value);
  if (found === null) return undefined;
  const [sign = ''] = found;
  const code = `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const isSeen = /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(sign);
  return { sign: isSeen ? `“${sign}” (${code})` : code, place: found.index + 1 };
};
/** A text that is sent in a header. */
export const headerText = (maxLength: number) =>
  text(maxLength)
    .superRefine((input, { addIssue }) => {
      const params = misfit(input);
      if (params !== undefined)
        addIssue({ code: 'custom', message: issueKey('issue_header'), params, input });
    })
    .meta({ description: 'only letters, digits and signs of ASCII' });

/** `issue` is the message for an empty text; a text that is too long has its own. */
export const trimmed = (maxLength: number, issue?: MessageKey) =>
  z
    .string({ error: ({ code }) => (code === 'invalid_type' ? issue : undefined) })
    .trim()
    .max(maxLength, { abort: true })
    .refine(noNul, issueKey('issue_nul'));

/** A stored e-mail address: lower case, so that one mailbox is one account. */
const email = (missing?: MessageKey) =>
  trimmed(EMAIL_MAX_LENGTH, missing)
    .toLowerCase()
    .refine((value) => value === '' || z.email().safeParse(value).success, issueKey('issue_email'));
export const emailText = email();
/** One that has to be entered. */
export const neededEmail = email('email_needed').min(1, 'email_needed');

/** A whole number or its text: forms send both. */
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

/** What programs send for a number that nobody chose. */
const UNCHOSEN = ['', 'NaN', 'null', 'undefined'] as const;
/** A number of a filter: 0, or what programs send where none was chosen, is no filter; what is no number is refused. */
export const filterNumber = z
  .union([
    z.enum(UNCHOSEN, issueKey('issue_whole')).transform(() => 0),
    z.coerce.number(issueKey('issue_whole')).int().min(0).max(Number.MAX_SAFE_INTEGER),
  ])
  .default(0);

export const quotaUnits = z.number().int().min(0).max(MAX_QUOTA_UNITS);
/** The last second of the year 9999: later ones are no dates in the console, in exports and in other languages. */
export const LAST_SECOND = 253_402_300_799;
export const unixSeconds = z.number().int().min(0).max(LAST_SECOND);
export const groupName = trimmed(GROUP_NAME_MAX_LENGTH);

/** A JSON object of texts, stored as typed; empty means none. */
export const textMap = (maxLength: number, issue: MessageKey = 'issue_text_map') =>
  text(maxLength).refine((value) => value.trim() === '' || isTextMap(value), issue);

const isTextMap = (value: string): boolean =>
  z.record(z.string(), z.string()).safeParse(parsed(value)).success;

/** Any JSON object, stored as typed; empty means none. */
export const jsonObject = (maxLength: number) =>
  text(maxLength).refine(
    (value) => value.trim() === '' || z.record(z.string(), z.unknown()).safeParse(parsed(value)).success,
    issueKey('issue_object'),
  );

/** Settles a comma list as people type it: the wide commas of a Chinese keyboard separate, too. */
export const withCommas = (names: string): string => names.replaceAll('，', ',');

/** `a, b,,a` → `['a', 'b']`: reads a comma list of the wire. */
export const commaList = (value: string): string[] => [
  ...new Set(
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  ),
];
