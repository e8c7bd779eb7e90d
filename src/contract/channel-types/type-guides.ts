import { applicationTypes } from './application-types.ts';
import type { GuidedType, TypeGuide } from './channel-type.ts';
import { hostTypes } from './host-types.ts';
import { makerTypes } from './maker-types.ts';

const rows: readonly GuidedType[] = [...makerTypes, ...hostTypes, ...applicationTypes];

/** The guides of all channel types, by number. Apart from the rows, because only the form of a channel loads them. */
export const typeGuides: Readonly<Partial<Record<number, TypeGuide>>> = Object.fromEntries(
  rows.map(({ id, guide }) => [id, guide]),
);
