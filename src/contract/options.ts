import { chatOptions } from './options/chats.ts';
import { drawingOptions } from './options/drawing.ts';
import { generalOptions } from './options/general.ts';
import { mailOptions } from './options/mail.ts';
import { modelOptions } from './options/models.ts';
import { monitoringOptions } from './options/monitoring.ts';
import { operationOptions } from './options/operation.ts';
import type { Option } from './options/option.ts';
import { paymentOptions } from './options/payment.ts';
import { quotaOptions } from './options/quota.ts';
import { rateLimitOptions } from './options/rate-limit.ts';
import { groupOptions, ratioOptions } from './options/ratio.ts';
import { recordOptions } from './options/records.ts';
import { sensitiveOptions } from './options/sensitive.ts';
import { signInOptions } from './options/sign-in.ts';
import { siteOptions } from './options/site.ts';

/** Every option there is. Adding one is adding a row in its panel's file. */
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
  ...chatOptions,
  ...rateLimitOptions,
  ...modelOptions,
} satisfies Record<
  string,
  Option<never> | Option<string> | Option<boolean> | Option<number> | Option<unknown>
>;

export type OptionKey = keyof typeof optionTable;

/** The value of every option, parsed. Immutable: a change makes a new one. */
export type OptionValues = {
  readonly [Key in OptionKey]: (typeof optionTable)[Key]['initial'];
};

export const isOptionKey = (key: string): key is OptionKey => Object.hasOwn(optionTable, key);

/** The row of an option, whatever its value is. */
export const optionRow = (key: OptionKey): Option<unknown> => optionTable[key];

/** The text an option is stored and sent as. */
export const optionText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
