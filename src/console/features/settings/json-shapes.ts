import { choicePolicies } from '#contract/channel/choice.ts';
import type { OptionKey } from '#contract/options.ts';
import { belowCostRules } from '#contract/options/cost.ts';
import {
  type ColumnName,
  isObject,
  isScalar,
  type JsonShape,
  list,
  map,
  names,
  nested,
  numberOf,
} from './json-shape.ts';

const chats: JsonShape = {
  columns: ['name', 'address'],
  read: (value) => {
    if (!Array.isArray(value) || !value.every(isObject)) return undefined;
    return value.flatMap((one) => Object.entries(one).map(([name, address]) => [name, String(address)]));
  },
  write: (rows) => rows.map(([name = '', address = '']) => ({ [name]: address })),
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

/** The value of a currency, from each day on. */
const dailyRates: JsonShape = {
  columns: ['currency', 'since', 'dollars'],
  nameColumns: 2,
  read: (value) => {
    if (!isObject(value)) return undefined;
    const rows: string[][] = [];
    for (const [currency, dated] of Object.entries(value)) {
      if (!Array.isArray(dated) || dated.length === 0 || !dated.every(isObject)) return undefined;
      for (const { from, usd, ...rest } of dated) {
        if (Object.keys(rest).length > 0 || typeof from !== 'string' || !isScalar(usd)) return undefined;
        rows.push([currency, from, String(usd)]);
      }
    }
    return rows;
  },
  write: (rows) => {
    const names = [...new Set(rows.map(([currency = '']) => currency))];
    const datesOf = (currency: string) =>
      rows
        .filter(([name]) => name === currency)
        .map(([, from = '', usd = '']) => ({ from, usd: numberOf(usd) }));
    return Object.fromEntries(names.map((name) => [name, datesOf(name)]));
  },
};

const byName = map(['model', 'policy'], (text) => text);

/** By model, and by group and model. Groups without rules cannot be shown as rows, so the option is then edited as text. */
const choiceRules: JsonShape = {
  columns: ['model', 'group', 'policy'],
  nameColumns: 2,
  choices: { policy: choicePolicies },
  read: (value) => {
    if (!isObject(value)) return undefined;
    const { models = {}, groups = {}, ...rest } = value;
    if (Object.keys(rest).length > 0 || !isObject(groups)) return undefined;
    const rows = byName.read(models)?.map(([model = '', policy = '']) => [model, '', policy]);
    for (const [group, rules] of Object.entries(groups)) {
      const own = byName.read(rules);
      if (own === undefined || own.length === 0) return undefined;
      rows?.push(...own.map(([model = '', policy = '']) => [model, group, policy]));
    }
    return rows;
  },
  write: (rows) => {
    const of = (group: string) =>
      Object.fromEntries(
        rows.filter((row) => (row[1] ?? '').trim() === group).map(([model, , policy]) => [model, policy]),
      );
    const groups = [...new Set(rows.map((row) => (row[1] ?? '').trim()))].filter((group) => group !== '');
    return {
      ...(Object.keys(of('')).length > 0 && { models: of('') }),
      ...(groups.length > 0 && { groups: Object.fromEntries(groups.map((group) => [group, of(group)])) }),
    };
  },
};

const MS = 1000;
const secondsOf = (ms: unknown): string => (typeof ms === 'number' ? String(ms / MS) : String(ms));
/** Invalid numbers stay as typed; the option's own validation names them. */
const msOf = (seconds: string): number | string => {
  const number = numberOf(seconds);
  return typeof number === 'number' ? Math.round(number * MS) : seconds.trim();
};

/** Objects by model whose fields are milliseconds, shown in seconds; empty objects are left out. */
const timesByModel = (
  fields: Readonly<Record<string, ColumnName>>,
): Pick<JsonShape, 'columns' | 'read' | 'write'> => {
  const names = Object.keys(fields);
  return {
    columns: ['model', ...Object.values(fields)],
    read: (value) => {
      if (!isObject(value)) return undefined;
      const isKnown = Object.values(value).every(
        (one) =>
          isObject(one) && Object.entries(one).every(([name, ms]) => names.includes(name) && isScalar(ms)),
      );
      if (!isKnown) return undefined;
      const entries = Object.entries(value as Record<string, Record<string, unknown>>);
      return entries.map(([model, one]) => [
        model,
        ...names.map((name) => (one[name] === undefined ? '' : secondsOf(one[name]))),
      ]);
    },
    write: (rows) =>
      Object.fromEntries(
        rows.map(([model = '', ...times]) => [
          model,
          Object.fromEntries(
            names.flatMap((name, at) => {
              const text = times[at] ?? '';
              return text.trim() === '' ? [] : [[name, msOf(text)]];
            }),
          ),
        ]),
      ),
  };
};

/** The bounds and factors of `auto` have no columns, so an option with them is edited as text. */
const firstTokens: JsonShape = {
  columns: ['model', 'deadline', 'hedge'],
  choices: { hedge: ['no', 'yes'] },
  read: (value) => {
    if (!isObject(value)) return undefined;
    const rows: string[][] = [];
    for (const [model, rule] of Object.entries(value)) {
      if (!isObject(rule)) return undefined;
      const { deadline_ms: deadline, hedge = false, ...rest } = rule;
      if (Object.keys(rest).length > 0 || !isScalar(deadline) || typeof hedge !== 'boolean') return undefined;
      rows.push([model, secondsOf(deadline), hedge ? 'yes' : 'no']);
    }
    return rows;
  },
  write: (rows) =>
    Object.fromEntries(
      rows.map(([model = '', deadline = '', hedge = '']) => [
        model,
        { deadline_ms: msOf(deadline), ...(hedge === 'yes' && { hedge: true }) },
      ]),
    ),
};

const shapes: Readonly<Partial<Record<OptionKey, JsonShape>>> = {
  GroupRatio: map(['name', 'ratio'], numberOf),
  TopupGroupRatio: map(['name', 'ratio'], numberOf),
  GroupGroupRatio: nested(['userGroup', 'usedGroup', 'ratio'], numberOf),
  GroupServiceTerms: {
    ...map(['name', 'terms'], (text) => text),
    choices: { terms: ['pass', 'strip', 'refuse'] },
  },
  'tool_price_setting.prices': map(['name', 'dollars'], numberOf),
  'cost_setting.below_cost': {
    ...map(['name', 'rule'], (text) => text),
    choices: { rule: belowCostRules },
  },
  'cost_setting.currency_rates': dailyRates,
  PayMethods: list({ name: 'name', type: 'code', color: 'colour' }, ['color']),
  'claude.model_headers_settings': nested(['model', 'header', 'text'], (text) => text),
  UserUsableGroups: map(['name', 'description'], (text) => text),
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
  'routing_setting.choice': choiceRules,
  'upstream_setting.first_token': firstTokens,
  'upstream_setting.model_timeouts': timesByModel({
    first_byte_timeout_ms: 'firstByte',
    first_event_timeout_ms: 'firstEvent',
    whole_reply_timeout_ms: 'wholeReply',
    idle_timeout_ms: 'idle',
  }),
  'availability_setting.models': names,
  'availability_setting.groups': names,
  'gemini.safety_settings': map(['name', 'text'], (text) => text),
  'gemini.version_settings': map(['name', 'text'], (text) => text),
  'gemini.supported_imagine_models': names,
  'claude.default_max_tokens': map(['name', 'number'], numberOf),
};

export const shapeOf = (key: OptionKey): JsonShape | undefined => shapes[key];
