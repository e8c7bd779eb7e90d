import { parsedObject } from '#contract/json-text.ts';
import type { Translate } from '../../../lib/text/i18n.ts';
import { neededOther, needsAddress } from '#contract/channel-types.ts';
import { CHANNEL_PRIORITY_MAX, CHANNEL_PRIORITY_MIN, MODEL_NAME_MAX_LENGTH } from '#contract/limits.ts';
import { allowanceProblems, hasProblems } from './cost/allowance-rows.ts';
import { readCost } from './cost/channel-cost.ts';
import { keyLeaves, VERTEX_TYPE, type ChannelValues } from './channel-form.ts';
import type { Channel } from '../channel.ts';
import { isProxy } from './channel-proxy.ts';

type Say = Translate<'channel-more'>;

/** The allowances are a part of the settings. */
type ErrorField = keyof ChannelValues | 'allowances';
export type ChannelErrors = Partial<Record<ErrorField, string>>;

/** Validation errors by field. `before` is the saved channel, undefined for a new one. */
export const validateChannel = (
  values: ChannelValues,
  before: Channel | undefined,
  t: Say,
): ChannelErrors => {
  const errors: Partial<Record<ErrorField, string | undefined>> = {
    ...nameAndKey(values, before, t),
    base_url: addressError(values, t),
    other: otherError(values, t),
    models: modelsError(values.models, t),
    priority: priorityError(values.priority, t),
    weight: isCount(values.weight) ? undefined : t('invalid.weight'),
    max_input_tokens: isCount(values.max_input_tokens) ? undefined : t('invalid.number'),
    model_mapping: isTextMap(values.model_mapping) ? undefined : t('invalid.mapping'),
    status_code_mapping: isObject(values.status_code_mapping) ? undefined : t('invalid.json'),
    setting: isObject(values.setting) ? undefined : t('invalid.json'),
    allowances: areAllowances(values.setting) ? undefined : t('allowance.missing'),
    proxy: isProxy(values.proxy) ? undefined : t('invalid.proxy'),
    param_override: isObject(values.param_override) ? undefined : t('invalid.json'),
  };
  return Object.fromEntries(Object.entries(errors).filter(([, error]) => error !== undefined));
};

const areAllowances = (setting: string): boolean =>
  !allowanceProblems(readCost(setting)?.allowances ?? []).some(hasProblems);

/** The fields of the folded section, which opens if one of them has an error. */
export const advancedFields = [
  'model_mapping',
  'status_code_mapping',
  'proxy',
  'setting',
  'param_override',
  'max_input_tokens',
] as const;

const nameAndKey = (
  values: ChannelValues,
  before: Channel | undefined,
  t: Say,
): { name?: string; key?: string } => {
  const hasName = values.name.trim() !== '';
  const hasKey = values.key.trim() !== '';
  if (hasKey && Number(values.type) === VERTEX_TYPE && !isObject(values.key) && !isExpressKey(values.key))
    return { key: t('invalid.keyJson') };
  if (before === undefined) {
    const text = t('invalid.nameAndKey');
    return { ...(hasName ? {} : { name: text }), ...(hasKey ? {} : { key: text }) };
  }
  const host = keyLeaves(before, values);
  return {
    ...(hasName ? {} : { name: t('invalid.name') }),
    ...(host === undefined || hasKey ? {} : { key: t('form.keyNeeded', { host }) }),
  };
};

/** For Vertex: an API key is one word, a service account a JSON object. */
const isExpressKey = (key: string): boolean => /^[\w.-]+(\s+[\w.-]+)*$/.test(key.trim());

const addressError = ({ type, base_url: address }: ChannelValues, t: Say): string | undefined => {
  if (address.trim() === '' && needsAddress(Number(type))) return t('form.baseUrlNeeded');
  return isAddress(address) ? undefined : t('invalid.address');
};

const otherError = ({ type, other }: ChannelValues, t: Say): string | undefined => {
  const needed = neededOther(Number(type));
  return needed === undefined || other.trim() !== ''
    ? undefined
    : t('invalid.needed', { field: t(`form.other.${needed}`) });
};

const modelsError = (models: readonly string[], t: Say): string | undefined => {
  if (models.length === 0) return t('invalid.models');
  return models.some((model) => model.length > MODEL_NAME_MAX_LENGTH)
    ? t('invalid.modelTooLong', { limit: MODEL_NAME_MAX_LENGTH })
    : undefined;
};

const isAddress = (text: string): boolean => text.trim() === '' || /^https?:\/\/[^\s/]+/i.test(text.trim());

const isCount = (value: number | undefined): boolean =>
  value === undefined || (Number.isInteger(value) && value >= 0);

const priorityError = (value: number | undefined, t: Say): string | undefined => {
  if (
    value === undefined ||
    (value >= CHANNEL_PRIORITY_MIN && value <= CHANNEL_PRIORITY_MAX && Number.isInteger(value))
  ) {
    return undefined;
  }
  if (!Number.isInteger(value)) return t('invalid.priority');
  return t('invalid.priorityRange', { min: CHANNEL_PRIORITY_MIN, max: CHANNEL_PRIORITY_MAX });
};

const isObject = (text: string): boolean => text.trim() === '' || parsedObject(text) !== undefined;

/** Empty, or a JSON object whose values are strings. */
export const isTextMap = (text: string): boolean =>
  text.trim() === '' ||
  Object.values(parsedObject(text) ?? { '': 0 }).every((value) => typeof value === 'string');
