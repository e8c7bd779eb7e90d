import { flagOption } from './option.ts';

/** Drawing and music tasks. */
export const drawingOptions = {
  DrawingEnabled: flagOption(true, 'daily'),
  TaskEnabled: flagOption(true, 'daily'),
  MjNotifyEnabled: flagOption(false, 'daily'),
  MjAccountFilterEnabled: flagOption(false, 'daily'),
  MjModeClearEnabled: flagOption(false, 'daily'),
  MjForwardUrlEnabled: flagOption(true, 'daily'),
  MjActionCheckSuccessEnabled: flagOption(true, 'daily'),
};
