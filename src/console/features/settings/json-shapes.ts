import type { OptionKey } from '#contract/options.ts';

/** How a JSON option is shown as a table: rows of texts, and back. */
export interface JsonShape {
  /** The words above the columns: `column.<name>` in `settings.json`. */
  readonly columns: readonly (
    | 'name'
    | 'ratio'
    | 'text'
    | 'address'
    | 'number'
    | 'total'
    | 'succeeded'
    | 'route'
    | 'slug'
    | 'asked'
    | 'model'
    | 'minutes'
    | 'policy'
    | 'description'
    | 'content'
    | 'date'
    | 'question'
    | 'answer'
  )[];
  /** Undefined where the value is not of this shape. */
  readonly read: (value: unknown) => string[][] | undefined;
  readonly write: (rows: readonly (readonly string[])[]) => unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isScalar = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/** What cannot be read as a number stays a text: the option's own rule then refuses it where it stands. */
const numberOf = (text: string): number | string =>
  text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;

const map = (columns: JsonShape['columns'], toValue: (text: string) => unknown): JsonShape => ({
  columns,
  read: (value) => {
    if (!isObject(value)) return undefined;
    const entries = Object.entries(value);
    return entries.every(([, one]) => isScalar(one))
      ? entries.map(([name, one]) => [name, String(one)])
      : undefined;
  },
  write: (rows) => Object.fromEntries(rows.map(([name = '', text = '']) => [name, toValue(text)])),
});

const names: JsonShape = {
  columns: ['name'],
  read: (value) =>
    Array.isArray(value) && value.every(isScalar) ? value.map((one) => [String(one)]) : undefined,
  write: (rows) => rows.map(([name = '']) => name),
};

const chats: JsonShape = {
  columns: ['name', 'address'],
  read: (value) => {
    if (!Array.isArray(value) || !value.every(isObject)) return undefined;
    return value.flatMap((one) => Object.entries(one).map(([name, address]) => [name, String(address)]));
  },
  write: (rows) => rows.map(([name = '', address = '']) => ({ [name]: address })),
};

/** A list of objects whose fields are texts. */
const list = (fields: Readonly<Record<string, JsonShape['columns'][number]>>): JsonShape => {
  const entries = Object.entries(fields);
  return {
    columns: entries.map(([, column]) => column),
    read: (value) => {
      // An option that was never set reads as the empty object of a form.
      if (isObject(value) && Object.keys(value).length === 0) return [];
      if (!Array.isArray(value) || !value.every(isObject)) return undefined;
      const isKnown = value.every((one) =>
        Object.entries(one).every(([name, text]) => name in fields && typeof text === 'string'),
      );
      if (!isKnown) return undefined;
      const texts = value as readonly Readonly<Record<string, string>>[];
      return texts.map((one) => entries.map(([name]) => one[name] ?? ''));
    },
    write: (rows) =>
      rows.map((row) => Object.fromEntries(entries.map(([name], at) => [name, row[at] ?? '']))),
  };
};

const limits: JsonShape = {
  columns: ['name', 'total', 'succeeded'],
  read: (value) => {
    if (!isObject(value)) return undefined;
    const entries = Object.entries(value);
    return entries.every(([, one]) => Array.isArray(one) && one.length === 2 && one.every(isScalar))
      ? entries.map(([name, one]) => [name, ...(one as unknown[]).map(String)])
      : undefined;
  },
  write: (rows) =>
    Object.fromEntries(
      rows.map(([name = '', total = '', succeeded = '']) => [name, [numberOf(total), numberOf(succeeded)]]),
    ),
};

/** By model alone. Where groups have rules of their own it stays a text. */
const choiceByModel: JsonShape = {
  ...map(['model', 'policy'], (text) => text),
  read: (value) => {
    if (!isObject(value) || 'groups' in value) return undefined;
    return map(['model', 'policy'], (text) => text).read(value['models'] ?? {});
  },
  write: (rows) => (rows.length === 0 ? {} : { models: Object.fromEntries(rows) as unknown }),
};

const shapes: Readonly<Partial<Record<OptionKey, JsonShape>>> = {
  GroupRatio: map(['name', 'ratio'], numberOf),
  TopupGroupRatio: map(['name', 'ratio'], numberOf),
  UserUsableGroups: map(['name', 'text'], (text) => text),
  AutoGroups: names,
  Chats: chats,
  ModelRequestRateLimitGroup: limits,
  'console_setting.api_info': list({ route: 'route', url: 'address', description: 'description' }),
  'console_setting.announcements': list({ content: 'content', date: 'date' }),
  'console_setting.faq': list({ question: 'question', answer: 'answer' }),
  'console_setting.uptime_kuma_groups': list({
    categoryName: 'name',
    url: 'address',
    slug: 'slug',
    description: 'description',
  }),
  'global.model_aliases': map(['asked', 'model'], (text) => text),
  'affinity_setting.minutes_by_model': map(['model', 'minutes'], numberOf),
  'routing_setting.choice': choiceByModel,
  'availability_setting.models': names,
  'availability_setting.groups': names,
  'gemini.safety_settings': map(['name', 'text'], (text) => text),
  'gemini.version_settings': map(['name', 'text'], (text) => text),
  'gemini.supported_imagine_models': names,
  'claude.default_max_tokens': map(['name', 'number'], numberOf),
};

export const shapeOf = (key: OptionKey): JsonShape | undefined => shapes[key];
