import { flagOption, linesOption } from './option.ts';

/** Words that prompts, and optionally responses, must not contain. */
export const sensitiveOptions = {
  CheckSensitiveEnabled: flagOption('on', 'daily'),
  CheckSensitiveOnPromptEnabled: flagOption('on', 'daily'),
  /** Off by default, because every event of every response must be parsed for it. */
  CheckSensitiveOnCompletionEnabled: flagOption('off', 'daily'),
  StopOnSensitiveEnabled: flagOption('on', 'daily'),
  SensitiveWords: linesOption(['test_sensitive'], 'daily'),
};
