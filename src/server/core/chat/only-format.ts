import type { DialectName, Extras } from './request.ts';

/**
 * The one format that can express a part or a tool: its `extras` contain the whole, `type` included. Undefined for
 * parts in the common form.
 */
export const onlyFormatOf = (extras: Extras | undefined): DialectName | undefined => {
  if (extras === undefined) return undefined;
  for (const name in extras) {
    const whole = extras[name as DialectName];
    if (whole?.['type'] !== undefined) return name as DialectName;
  }
  return undefined;
};
