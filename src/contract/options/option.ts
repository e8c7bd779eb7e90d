import { z } from 'zod';
import { OPTION_MAX_LENGTH } from '../limits.ts';
import { issueKey, parsed } from '../text.ts';

/** Where an option is shown, and with which others it is saved. One file of rows each. */
export type Panel =
  | 'general'
  | 'payment'
  | 'sign-in'
  | 'mail'
  | 'operation'
  | 'drawing'
  | 'sensitive'
  | 'log'
  | 'data'
  | 'monitoring'
  | 'quota'
  | 'ratio'
  | 'groups'
  | 'chats'
  | 'rate-limit'
  | 'models'
  | 'site';

/** What a form asks for it with. */
export type OptionKind = 'flag' | 'number' | 'text' | 'long-text' | 'lines' | 'address' | 'json' | 'choice';

/** One setting of the site: how its text reads, what it is when never set, who may change it. */
export interface Option<Value> {
  /** Reads the stored text; a text that does not read is refused at the door and never stored. */
  readonly schema: z.ZodType<Value, string>;
  readonly initial: Value;
  readonly panel: Panel;
  readonly kind: OptionKind;
  readonly editor: 'admin' | 'root';
  /** Never sent to anybody once stored. */
  readonly secret?: boolean;
  /** Changing it can cost money, send a secret elsewhere, or run foreign markup in other people's browsers. */
  readonly dangerous?: boolean;
  /** Options that must be filled in before this flag can be switched on. */
  readonly needs?: readonly string[];
  /** The bounds of a number, both included. */
  readonly bounds?: { readonly min: number; readonly max: number };
  readonly choices?: readonly string[];
}

/** The issue of a text that is no JSON at all. */
export const NOT_JSON = issueKey('option_json');

type More = Partial<Pick<Option<never>, 'secret' | 'dangerous' | 'editor' | 'needs' | 'kind'>>;

/** A text of one line. */
export const textOption = (
  initial: string,
  panel: Panel,
  maxLength = 2048,
  more: More = {},
): Option<string> => ({
  schema: z.string().max(maxLength),
  initial,
  panel,
  kind: 'text',
  editor: 'admin',
  ...more,
});

/** A key or password of the site: written, never read back. */
export const secretOption = (panel: Panel): Option<string> =>
  textOption('', panel, 4096, { secret: true, dangerous: true });

/** Markdown, HTML or an address, shown to visitors. */
export const contentOption = (panel: Panel): Option<string> =>
  textOption('', panel, 200_000, { kind: 'long-text', dangerous: true });

/** One entry a line. */
export const linesOption = (initial: readonly string[], panel: Panel): Option<string> =>
  textOption(initial.join('\n'), panel, OPTION_MAX_LENGTH, { kind: 'lines' });

/** An http(s) address others are joined to: a slash at its end would be doubled, and is removed. */
export const addressOption = (panel: Panel, more: More = {}): Option<string> => ({
  schema: z
    .string()
    .trim()
    .max(2048)
    .transform((value) => value.replace(/\/+$/, ''))
    .refine((value) => value === '' || isHttpAddress(value), issueKey('issue_http_address')),
  initial: '',
  panel,
  kind: 'address',
  editor: 'admin',
  ...more,
});

const isHttpAddress = (value: string): boolean => /^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/i.test(value);

/** A switch, stored as `true` or `false`. `needs`: options that must be filled in before it can be on. */
export const flagOption = (initial: boolean, panel: Panel, needs?: readonly string[]): Option<boolean> => ({
  schema: z.enum(['true', 'false']).transform((value) => value === 'true'),
  initial,
  panel,
  kind: 'flag',
  editor: 'admin',
  ...(needs === undefined ? {} : { needs }),
});

/** A decimal number within bounds, both included. */
export const numberOption = (
  initial: number,
  panel: Panel,
  min: number,
  max: number,
  check = z.number(),
): Option<number> => ({
  schema: z
    .string()
    .trim()
    .regex(/^-?\d+(\.\d+)?$/, issueKey('issue_number'))
    .transform(Number)
    .pipe(check.min(min).max(max)),
  initial,
  panel,
  kind: 'number',
  editor: 'admin',
  bounds: { min, max },
});

export const integerOption = (
  initial: number,
  panel: Panel,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): Option<number> => numberOption(initial, panel, min, max, z.number().int());

export const choiceOption = <const Choice extends string>(
  initial: Choice,
  panel: Panel,
  choices: readonly [Choice, ...Choice[]],
): Option<Choice> => ({
  schema: z.enum(choices) as unknown as z.ZodType<Choice, string>,
  initial,
  panel,
  kind: 'choice',
  editor: 'admin',
  choices,
});

/** A JSON text; an empty one means the initial value. */
export const jsonOption = <Value>(
  initial: Value,
  panel: Panel,
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
  panel,
  kind: 'json',
  editor: 'admin',
  ...more,
});

/** A decimal of at most 12 places: what exact price arithmetic can hold. */
const ratio = z.number().min(0).max(1_000_000);
/** Names of models or groups, and a number for each. */
export const ratios = z.record(z.string().min(1).max(255), ratio);
export const groupNames = z.string().min(1).max(64);
