import { flagOption } from './option.ts';

/** Drawing and music tasks. */
export const drawingOptions = {
  DrawingEnabled: flagOption(true, 'drawing'),
  TaskEnabled: flagOption(true, 'drawing'),
  MjNotifyEnabled: flagOption(false, 'drawing'),
  MjAccountFilterEnabled: flagOption(false, 'drawing'),
  MjModeClearEnabled: flagOption(false, 'drawing'),
  MjForwardUrlEnabled: flagOption(true, 'drawing'),
  MjActionCheckSuccessEnabled: flagOption(true, 'drawing'),
};
