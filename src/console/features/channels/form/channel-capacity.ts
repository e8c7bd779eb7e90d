import type { Fields } from '#contract/json-text.ts';
import { CHANNEL_CAPACITY } from '#contract/limits.ts';
import { objectOf, settingOf, withPart } from './setting-fields.ts';

/** In the form the limits have a section of their own; stored, they are `capacity` in the JSON of the settings. */

export type CapacityName = keyof typeof CHANNEL_CAPACITY;

/** A missing field means no limit. */
type Capacity = Readonly<Partial<Record<CapacityName, number>>>;

const NAMES = Object.keys(CHANNEL_CAPACITY) as readonly CapacityName[];

const limitsIn = (fields: Fields): Capacity =>
  Object.fromEntries(
    NAMES.map((name) => [name, fields[name]]).filter(([, value]) => typeof value === 'number'),
  );

/** The limits in these settings; undefined if the settings are invalid JSON, which has to be corrected first. */
export const readCapacity = (setting: string): Capacity | undefined => {
  const fields = settingOf(setting);
  return fields && limitsIn(objectOf(fields['capacity']) ?? {});
};

/** The settings with these limits; without `capacity` if there are none. */
export const withCapacity = (
  setting: string,
  limits: Readonly<Partial<Record<CapacityName, number | undefined>>>,
): string => withPart(setting, 'capacity', limitsIn(limits));

/** Whether the server accepts this limit. */
export const isCapacity = (name: CapacityName, value: number | undefined): boolean => {
  const { min, max } = CHANNEL_CAPACITY[name];
  return value === undefined || (Number.isInteger(value) && value >= min && value <= max);
};
