import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { OtherPaths } from './other-paths.ts';
import type { Wire } from './wire.ts';

/** What `testing/wires.ts` in a provider's folder exports. */
interface ProviderWires {
  readonly wires?: readonly Wire[];
  readonly otherPaths?: OtherPaths;
}

const folder = join(import.meta.dirname, '..');
const files = globSync('*/testing/wires.ts', { cwd: folder }).toSorted();
const found = await Promise.all(files.map((file) => import(join(folder, file)) as Promise<ProviderWires>));

/** The chats of every provider, as its folder describes them. */
export const everyWire: readonly Wire[] = found.flatMap(({ wires = [] }) => wires);

/** The other calls of every provider. */
export const everyOtherPath: OtherPaths = Object.assign({}, ...found.map(({ otherPaths }) => otherPaths));
