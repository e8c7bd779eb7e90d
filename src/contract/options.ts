import { affinityOptions } from './options/affinity.ts';
import { availabilityOptions } from './options/availability.ts';
import { evidenceOptions } from './options/evidence.ts';
import { chatOptions } from './options/chats.ts';
import { costOptions } from './options/cost.ts';
import { drawingOptions } from './options/drawing.ts';
import { generalOptions } from './options/general.ts';
import { mailOptions } from './options/mail.ts';
import { modelOptions } from './options/models.ts';
import { monitoringOptions } from './options/monitoring.ts';
import { operationOptions } from './options/operation.ts';
import type { Option } from './options/option.ts';
import { panelOptions } from './options/panels.ts';
import { paymentOptions } from './options/payment.ts';
import { quotaOptions } from './options/quota.ts';
import { rateLimitOptions } from './options/rate-limit.ts';
import { groupOptions, ratioOptions } from './options/ratio.ts';
import { recordOptions } from './options/records.ts';
import { sensitiveOptions } from './options/sensitive.ts';
import { signInOptions } from './options/sign-in.ts';
import { siteOptions } from './options/site.ts';

/** All options. To add one, add a row in its panel's file. */
export const optionTable = {
  ...siteOptions,
  ...generalOptions,
  ...signInOptions,
  ...mailOptions,
  ...paymentOptions,
  ...operationOptions,
  ...drawingOptions,
  ...sensitiveOptions,
  ...recordOptions,
  ...monitoringOptions,
  ...quotaOptions,
  ...ratioOptions,
  ...groupOptions,
  ...costOptions,
  ...chatOptions,
  ...panelOptions,
  ...rateLimitOptions,
  ...affinityOptions,
  ...evidenceOptions,
  ...availabilityOptions,
  ...modelOptions,
} satisfies Record<
  string,
  Option<never> | Option<string> | Option<boolean> | Option<number> | Option<unknown>
>;

/** The name of an option, as it is stored and sent. */
export type OptionKey = keyof typeof optionTable;

/** All option values, parsed. Immutable: a change makes a new object. */
export type OptionValues = {
  readonly [Key in OptionKey]: (typeof optionTable)[Key]['initial'];
};

/** The value of every option until it is set. */
export const initialOptions = Object.freeze(
  Object.fromEntries(Object.entries(optionTable).map(([key, { initial }]) => [key, initial])),
) as OptionValues;

/** Whether an option of this name exists. */
export const isOptionKey = (key: string): key is OptionKey => Object.hasOwn(optionTable, key);

/** The row of an option, with any type of value. */
export const optionRow = (key: OptionKey): Option<unknown> => optionTable[key];

/** An option's value as text, for storage and the API. */
export const optionText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
