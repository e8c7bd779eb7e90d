import { flagOption, linesOption } from './option.ts';

/** Words that prompts, and optionally responses, must not contain. */
export const sensitiveOptions = {
  CheckSensitiveEnabled: flagOption(true, 'daily'),
  CheckSensitiveOnPromptEnabled: flagOption(true, 'daily'),
  /** Off by default, because every event of every response must be parsed for it. */
  CheckSensitiveOnCompletionEnabled: flagOption(false, 'daily'),
  StopOnSensitiveEnabled: flagOption(true, 'daily'),
  SensitiveWords: linesOption(['test_sensitive'], 'daily'),
};
