import { z } from 'zod';
import { MODEL_NAME_MAX_LENGTH } from '../limits.ts';
import { flagOption, integerOption, jsonOption, modelOrBeginning } from './option.ts';

const MOST_MINUTES = 1440;

/** Whether a session stays with the channel and key that have its prompt in their cache. */
export const affinityOptions = {
  'affinity_setting.enabled': flagOption('on', 'daily'),
  /** A session that was idle for longer is free again. */
  'affinity_setting.minutes': integerOption(30, 'daily', 1, MOST_MINUTES),
  /** By model, or its beginning with `*`; 0 means that sessions of it do not stay. */
  'affinity_setting.minutes_by_model': jsonOption<Readonly<Record<string, number>>>(
    {},
    'daily',
    z.record(z.string().min(1).max(MODEL_NAME_MAX_LENGTH), z.number().int().min(0).max(MOST_MINUTES)),
    { newName: modelOrBeginning },
  ),
};
