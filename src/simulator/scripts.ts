import type { Script } from './script.ts';
import { contents } from './scripts/contents.ts';
import { cuts } from './scripts/cuts.ts';
import { drips } from './scripts/drips.ts';
import { encodings } from './scripts/encodings.ts';
import { hangs } from './scripts/hangs.ts';
import { leaks } from './scripts/leaks.ts';
import { sizes } from './scripts/sizes.ts';
import { statuses } from './scripts/statuses.ts';
import { usages } from './scripts/usages.ts';

/** The prefix of model names that select a script: `fault-reset`. */
export const SCRIPT_PREFIX = 'fault-';

/** Every script by its name. */
export const scripts: Readonly<Record<string, Script>> = {
  ...hangs,
  ...drips,
  ...cuts,
  ...sizes,
  ...contents,
  ...usages,
  ...statuses,
  ...encodings,
  ...leaks,
};

const named = (name: string): Script | undefined =>
  Object.hasOwn(scripts, name) ? scripts[name] : undefined;

/** The script that a model's name selects, and the number at its end; undefined for other names. */
export const scriptOf = (
  model: string,
): { readonly script: Script; readonly argument: number | undefined } | undefined => {
  if (!model.startsWith(SCRIPT_PREFIX)) return undefined;
  const name = model.slice(SCRIPT_PREFIX.length);
  const exact = named(name);
  if (exact !== undefined) return { script: exact, argument: undefined };
  const match = /^(.+)-(\d{1,7})$/.exec(name);
  const script = match?.[1] === undefined ? undefined : named(match[1]);
  return script === undefined ? undefined : { script, argument: Number(match?.[2]) };
};
