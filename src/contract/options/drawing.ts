import { flagOption } from './option.ts';

/** Drawing and music tasks. */
export const drawingOptions = {
  DrawingEnabled: flagOption('on', 'daily'),
  TaskEnabled: flagOption('on', 'daily'),
  MjNotifyEnabled: flagOption('off', 'daily'),
  MjAccountFilterEnabled: flagOption('off', 'daily'),
  MjModeClearEnabled: flagOption('off', 'daily'),
  MjForwardUrlEnabled: flagOption('on', 'daily'),
  MjActionCheckSuccessEnabled: flagOption('on', 'daily'),
};
