import { apiNames, rewriteSettings, type Settings } from '#contract/token-settings.ts';
import { type ServerNames, serverNames, type ServerValues } from '#core/token/token.ts';

/** The columns whose names differ from the API's. */
const columnNames = {
  ...apiNames,
  expiresAtMs: 'expires_at',
  unlimited: 'unlimited',
  group: 'group_name',
} as const;

/** The values of columns, by kind: flags are 0 or 1, lists JSON, times milliseconds. */
interface ColumnValues {
  readonly text: string;
  readonly lines: string;
  readonly names: string;
  readonly flag: number;
  readonly units: number;
  readonly time: number | null;
}

/** The columns of `tokens` that hold settings. */
export type SettingColumns = Settings<typeof columnNames, ColumnValues>;

export const settingsFromRow = rewriteSettings<typeof columnNames, ServerNames, ColumnValues, ServerValues>(
  columnNames,
  serverNames,
  {
    text: (value) => value,
    lines: (value) => value,
    names: (value) => JSON.parse(value) as string[],
    flag: (value) => value === 1,
    units: (value) => value,
    time: (value) => value,
  },
);

/** Writes the settings of a token as columns. */
export const settingsToRow = rewriteSettings<ServerNames, typeof columnNames, ServerValues, ColumnValues>(
  serverNames,
  columnNames,
  {
    text: (value) => value,
    lines: (value) => value,
    names: (value) => JSON.stringify(value),
    flag: Number,
    units: (value) => value,
    time: (value) => value,
  },
);
