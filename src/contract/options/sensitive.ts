import { flagOption, linesOption } from './option.ts';

/** Words a prompt, and where that is wanted a reply, may not have. */
export const sensitiveOptions = {
  CheckSensitiveEnabled: flagOption(true, 'daily'),
  CheckSensitiveOnPromptEnabled: flagOption(true, 'daily'),
  /** Off at first: every event of every reply has to be read for it. */
  CheckSensitiveOnCompletionEnabled: flagOption(false, 'daily'),
  StopOnSensitiveEnabled: flagOption(true, 'daily'),
  SensitiveWords: linesOption(['test_sensitive'], 'daily'),
};
