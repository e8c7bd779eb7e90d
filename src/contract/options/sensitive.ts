import { flagOption, linesOption } from './option.ts';

/** Words a prompt, and where that is wanted a reply, may not have. */
export const sensitiveOptions = {
  CheckSensitiveEnabled: flagOption(true, 'sensitive'),
  CheckSensitiveOnPromptEnabled: flagOption(true, 'sensitive'),
  /** Off at first: every event of every reply has to be read for it. */
  CheckSensitiveOnCompletionEnabled: flagOption(false, 'sensitive'),
  StopOnSensitiveEnabled: flagOption(true, 'sensitive'),
  SensitiveWords: linesOption(['test_sensitive'], 'sensitive'),
};
