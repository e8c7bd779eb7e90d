import {
  apiNames,
  type ApiValues,
  initialSettings,
  rewriteSettings,
  type SettingName,
  settingNames,
  type Settings,
} from '#contract/token-settings.ts';
import { NEVER_EXPIRES } from '#contract/codes.ts';
import { commaList } from '#contract/text.ts';

/** The values of settings inside the server, by kind. */
export interface ServerValues extends Omit<ApiValues, 'names' | 'time'> {
  readonly names: readonly string[];
  readonly time: number | null;
}

export type ServerNames = { readonly [Name in SettingName]: Name };

export const serverNames = Object.fromEntries(settingNames.map((name) => [name, name])) as ServerNames;

/** What a token's owner sets, when creating it or later: `contract/token-settings.ts` explains each. */
export interface TokenSettings extends Settings<ServerNames, ServerValues> {
  readonly name: string;
}

/** A relay token without its key. Quotas are units; the ledger alone changes them. */
export interface Token extends TokenSettings {
  readonly id: number;
  readonly userId: number;
  readonly status: number;
  readonly createdAtMs: number;
  readonly accessedAtMs: number;
  readonly usedQuotaUnits: number;
  /** The sum of open holds of its running calls. */
  readonly heldUnits: number;
}

const asItIs = {
  text: (value: string) => value,
  lines: (value: string) => value,
  flag: (value: boolean) => value,
  units: (value: number) => value,
};

/** Reads settings of the API. */
export const settingsFromApi = rewriteSettings<typeof apiNames, ServerNames, ApiValues, ServerValues>(
  apiNames,
  serverNames,
  {
    ...asItIs,
    names: commaList,
    time: (seconds) => (seconds === NEVER_EXPIRES ? null : seconds * 1000),
  },
);

/** Writes settings as the API shows them: whole seconds, comma lists. */
export const settingsToApi = rewriteSettings<ServerNames, typeof apiNames, ServerValues, ApiValues>(
  serverNames,
  apiNames,
  {
    ...asItIs,
    names: (names) => names.join(','),
    time: (ms) => (ms === null ? NEVER_EXPIRES : Math.floor(ms / 1000)),
  },
);

/** The initial settings of a token, where its owner chooses nothing. */
export const initialTokenSettings = settingsFromApi.all(initialSettings);
