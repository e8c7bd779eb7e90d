import { agents } from './agents.ts';
import { apps } from './apps.ts';
import type { Client } from './client.ts';
import { editors } from './editors.ts';
import { libraries } from './libraries.ts';

/** The categories of the page, in order. */
export const clientGroups = [
  { name: 'agents', clients: agents },
  { name: 'editors', clients: editors },
  { name: 'apps', clients: apps },
  { name: 'libraries', clients: libraries },
] as const satisfies readonly { readonly name: string; readonly clients: readonly Client[] }[];

export const clients: readonly Client[] = clientGroups.flatMap((group) => group.clients);
