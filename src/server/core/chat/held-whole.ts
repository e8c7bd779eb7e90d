import type { DialectName, Extras } from './request.ts';

/**
 * The format that alone can say a part or a tool: its extras hold it whole, `type` included. Undefined for what is said
 * in our own words.
 */
export const heldWholeBy = (extras: Extras | undefined): DialectName | undefined => {
  if (extras === undefined) return undefined;
  for (const name in extras) {
    const held = extras[name as DialectName];
    if (held?.['type'] !== undefined) return name as DialectName;
  }
  return undefined;
};
