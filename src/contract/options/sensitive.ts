import { flagOption, linesOption } from './option.ts';

/** Words a prompt may not have. */
export const sensitiveOptions = {
  CheckSensitiveEnabled: flagOption(true, 'sensitive'),
  CheckSensitiveOnPromptEnabled: flagOption(true, 'sensitive'),
  StopOnSensitiveEnabled: flagOption(true, 'sensitive'),
  SensitiveWords: linesOption(['test_sensitive'], 'sensitive'),
};
