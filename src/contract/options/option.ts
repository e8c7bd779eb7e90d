import { z } from 'zod';
import { AUTO_GROUP } from '../codes.ts';
import { OPTION_MAX_LENGTH } from '../limits.ts';
import type { MessageKey } from '../messages.ts';
import { isFields, parsed } from '../json-text.ts';
import { issueKey } from '../text.ts';
import { withoutEnd } from '../without-end.ts';

/**
 * Who may set an option. The rules are in `guards.ts`, the reasons in SECURITY.md.
 * - `daily`: everyday operation of the site
 * - `house`: what everybody pays, receives or reads
 * - `trust`: who may sign in, where mail, money and secrets go, which addresses are trusted
 */
export type Guard = 'daily' | 'house' | 'trust';

/** The form control for it. */
export type OptionKind = 'flag' | 'number' | 'text' | 'long-text' | 'lines' | 'address' | 'json' | 'choice';

/** One setting of the site: its schema, its initial value, and who may set it. */
export interface Option<Value> {
  /** Parses the stored text; invalid texts are refused and never stored. */
  readonly schema: z.ZodType<Value, string>;
  readonly initial: Value;
  readonly kind: OptionKind;
  readonly guard: Guard;
  /** Never sent to anybody once stored. */
  readonly secret?: boolean;
  /** Options that must be filled in before this flag can be switched on. */
  readonly needs?: readonly string[];
  /** The bounds of a number, both included. */
  readonly bounds?: { readonly min: number; readonly max: number };
  readonly choices?: readonly string[];
  /** A longer text is not taken; one that was stored before is read, and may be made shorter. */
  readonly takenMaxLength?: number;
  /** A table without this name is not taken; one that was stored before is read. */
  readonly needsName?: string;
  /** What a name has to be like that was not in the table before. */
  readonly newName?: z.ZodType<string>;
  /** What new values have to be like besides; one that was stored before is read. */
  readonly taken?: z.ZodType;
  /** Where it names groups: a group that is renamed is renamed there. */
  readonly groupPlace?: GroupPlace;
}

/**
 * The names of groups in the JSON of an option: its keys, the keys of its values too, the items of its list, the keys of
 * its field `groups`, or its values beside keys that are names of the past.
 */
export type GroupPlace = 'keys' | 'inner-keys' | 'items' | 'field' | 'values';

/** The message for a text that is not JSON. */
export const NOT_JSON = issueKey('option_json');

type More = Partial<
  Pick<
    Option<never>,
    'secret' | 'needs' | 'kind' | 'takenMaxLength' | 'needsName' | 'newName' | 'taken' | 'groupPlace'
  >
>;

/** A text of one line. */
export const textOption = (
  initial: string,
  guard: Guard,
  maxLength = 2048,
  more: More = {},
): Option<string> => ({
  schema: z.string().max(maxLength),
  initial,
  guard,
  kind: 'text',
  ...more,
});

/** An id that a service gave, without the blanks it was pasted with. */
export const idOption = (maxLength = 2048, more: More = {}): Option<string> => ({
  ...textOption('', 'trust', maxLength, more),
  schema: z.string().trim().max(maxLength),
});

/** A key of the site: can be written, but not read. */
export const secretOption = (): Option<string> => idOption(4096, { secret: true });

/** Markdown, HTML or an address, shown to visitors. */
export const contentOption = (): Option<string> => textOption('', 'house', 200_000, { kind: 'long-text' });

/** One entry a line. */
export const linesOption = (initial: readonly string[], guard: Guard): Option<string> =>
  textOption(initial.join('\n'), guard, OPTION_MAX_LENGTH, { kind: 'lines' });

/** An http(s) address without a slash at its end. */
export const addressOption = (guard: Guard, more: More = {}): Option<string> => ({
  schema: z
    .string()
    .trim()
    .max(2048)
    .transform((value) => withoutEnd(value, '/'))
    .refine((value) => value === '' || isHttpAddress(value), issueKey('issue_http_address')),
  initial: '',
  guard,
  kind: 'address',
  ...more,
});

/** An http(s) address that paths are appended to: `?…` and `#…`, as in a browser's address bar, are left out. */
export const baseOption = (guard: Guard): Option<string> => {
  const option = addressOption(guard);
  const schema = z
    .string()
    .transform((value) => value.replace(/[?#].*/s, ''))
    .pipe(option.schema);
  return { ...option, schema };
};

const isHttpAddress = (value: string): boolean =>
  /^https?:\/\/[^\s/?#@\\]+([/?#]\S*)?$/i.test(value) && z.url().safeParse(value).success;

/** A switch, stored as `true` or `false`. `needs`: options to fill in before switching it on. */
export const flagOption = (
  initial: 'on' | 'off',
  guard: Guard,
  needs?: readonly string[],
): Option<boolean> => ({
  schema: z.enum(['true', 'false']).transform((value) => value === 'true'),
  initial: initial === 'on',
  guard,
  kind: 'flag',
  ...(needs === undefined ? {} : { needs }),
});

/** A decimal number within bounds, both included. */
interface NumberRules {
  readonly check?: z.ZodNumber;
  /** The message for a number that is too small, if it needs a reason. */
  readonly tooSmall?: MessageKey | undefined;
}

export const numberOption = (
  initial: number,
  guard: Guard,
  min: number,
  max: number,
  { check = z.number(), tooSmall }: NumberRules = {},
): Option<number> => ({
  schema: z
    .string()
    .trim()
    .regex(/^-?\d+(\.\d+)?$/, issueKey('issue_number'))
    .transform(Number)
    .pipe(check.min(min, tooSmall).max(max)),
  initial,
  guard,
  kind: 'number',
  bounds: { min, max },
});

export const integerOption = (
  initial: number,
  guard: Guard,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
  tooSmall?: MessageKey,
): Option<number> => numberOption(initial, guard, min, max, { check: z.number().int(), tooSmall });

export const choiceOption = <const Choice extends string>(
  initial: Choice,
  guard: Guard,
  choices: readonly [Choice, ...Choice[]],
): Option<Choice> => ({
  schema: z.literal(choices),
  initial,
  guard,
  kind: 'choice',
  choices,
});

/** Reading a longer table of rules by its schema would keep calls waiting. */
const TABLE_MAX_LENGTH = 64 * 1024;

/** A JSON text; an empty one means the initial value. */
export const jsonOption = <Value>(
  initial: Value,
  guard: Guard,
  schema: z.ZodType<Value>,
  more: More = {},
): Option<Value> => ({
  schema: z
    .string()
    .max(OPTION_MAX_LENGTH)
    .transform((value, context) => {
      if (value.trim() === '') return initial;
      const read = parsed(value);
      if (read === undefined) context.addIssue({ code: 'custom', message: NOT_JSON });
      return read;
    })
    .pipe(schema),
  initial,
  guard,
  kind: 'json',
  takenMaxLength: TABLE_MAX_LENGTH,
  ...more,
});

/** A decimal of at most 12 places: what exact price arithmetic can hold. */
const RATIO_MAX = 1_000_000;
const ratio = z.number().min(0).max(RATIO_MAX);
/** Names of models or groups, and a number for each. */
const ratioTable = z.record(z.string().min(1).max(255), ratio);
type Ratios = z.output<typeof ratioTable>;

/**
 * Names of models or groups, and a number for each. A table of many is looked through by hand, which takes a tenth of a
 * schema's time; what is wrong goes to the schema, which says so.
 */
export const ratios: z.ZodType<Ratios> = z.unknown().transform((value, context): Ratios => {
  const wrong = wrongIn(value);
  if (wrong === undefined) return value as Ratios;
  for (const issue of ratioTable.safeParse(wrong).error?.issues ?? []) context.addIssue({ ...issue });
  return z.NEVER;
});

/** The first wrong entry of a table, or what is no table; undefined if all is right. */
const wrongIn = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value ?? null;
  for (const [name, number] of Object.entries(value)) {
    const isRatio = typeof number === 'number' && number >= 0 && number <= RATIO_MAX;
    if (!isRatio || name === '' || name.length > 255) return { [name]: number as unknown };
  }
  return undefined;
};
/** A model, or its beginning with a star behind it; anywhere else a star would stand for itself. */
export const modelOrBeginning = z
  .string()
  .refine((name) => !name.slice(0, -1).includes('*'), issueKey('issue_star_last'));

export const groupNames = z.string().min(1).max(64);
/** Of a group that is made: channels list theirs with commas, trimmed, and `auto` stands for several. */
export const newGroupName = groupNames.refine(
  (name) => name === name.trim() && !/[,，\p{Cc}]/u.test(name) && name !== AUTO_GROUP,
  issueKey('issue_group_name'),
);

/** What is wrong with a name that is new in a table; undefined where nothing is. */
export const wrongNewName = (
  { newName }: { readonly newName?: z.ZodType<string> | undefined },
  table: unknown,
  stored: string,
): z.ZodError | undefined => {
  if (newName === undefined) return undefined;
  const before = Object(parsed(stored)) as object;
  const names = Object.keys(Object(table) as object).filter((name) => !Object.hasOwn(before, name));
  return z.record(newName, z.null()).safeParse(Object.fromEntries(names.map((name) => [name, null]))).error;
};

/**
 * JSON without the blanks around its names and texts, as they are pasted with names of models; the same text where there
 * are none. What is then named twice still is. Groups keep theirs, and are refused with them.
 */
export const withoutBlanks = (
  { kind, groupPlace }: Pick<Option<never>, 'kind' | 'groupPlace'>,
  text: string,
): string => {
  if (kind !== 'json' || (groupPlace !== undefined && groupPlace !== 'field')) return text;
  const typed = parsed(text);
  const settled = (value: unknown, depth: number, within: string): string => {
    if (Array.isArray(value)) return `[${value.map((item) => settled(item, depth + 1, within)).join(',')}]`;
    if (typeof value === 'string') return JSON.stringify(value.trim());
    if (!isFields(value)) return JSON.stringify(value);
    const areGroups = groupPlace === 'field' && depth === 1 && within === 'groups';
    const bare = (name: string): string => (areGroups ? name : name.trim());
    const members = Object.entries(value).map(
      ([name, inner]) => `${JSON.stringify(bare(name))}:${settled(inner, depth + 1, bare(name))}`,
    );
    return `{${members.join(',')}}`;
  };
  if (typeof typed !== 'object' || typed === null) return text;
  const after = settled(typed, 0, '');
  return after === JSON.stringify(typed) ? text : after;
};
