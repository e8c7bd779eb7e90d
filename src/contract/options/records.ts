import { choiceOption, flagOption, integerOption } from './option.ts';

/** Logs, and the dashboard based on them. */
export const recordOptions = {
  LogConsumeEnabled: flagOption('on', 'house'),
  DataExportEnabled: flagOption('on', 'daily'),
  DataExportDefaultTime: choiceOption('hour', 'daily', ['hour', 'day', 'week']),
  /** Minutes. */
  DataExportInterval: integerOption(5, 'daily', 1, 10_000),
};
