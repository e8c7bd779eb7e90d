import { choiceOption, flagOption, integerOption } from './option.ts';

/** Logs, and the dashboard made of them. */
export const recordOptions = {
  LogConsumeEnabled: flagOption(true, 'log'),
  DataExportEnabled: flagOption(true, 'data'),
  DataExportDefaultTime: choiceOption('hour', 'data', ['hour', 'day', 'week']),
  /** Minutes. */
  DataExportInterval: integerOption(5, 'data', 1, 10_000),
};
