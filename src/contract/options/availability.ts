import { z } from 'zod';
import { flagOption, groupNames, integerOption, jsonOption } from './option.ts';

const names = (most: number, of: z.ZodType<string>, more?: Parameters<typeof jsonOption>[3]) =>
  jsonOption<readonly string[]>([], 'house', z.array(of).max(most), more);

/** The public page that says how available and fast models are. */
export const availabilityOptions = {
  'availability_setting.enabled': flagOption('off', 'house'),
  /** Whose calls count; none: the groups that everybody may choose. */
  'availability_setting.groups': names(100, groupNames, { groupPlace: 'items' }),
  /** Which models are shown, `*` for any characters; none: all that are offered. */
  'availability_setting.models': names(200, z.string().trim().min(1).max(255)),
  /** Nothing is shown of fewer calls, or of fewer callers, so that nobody's own calls are seen. */
  'availability_setting.least_calls': integerOption(20, 'house', 5, 100_000),
  'availability_setting.least_callers': integerOption(3, 'house', 2, 20),
};
