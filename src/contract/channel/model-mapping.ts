import { type Glob, globOf, STARS_MAX } from '../glob.ts';
import { type Fit, firstFit } from '../glob-table.ts';
import { MODEL_NAME_MAX_LENGTH } from '../limits.ts';

/** Names of models, and what stands for them: whole names, and patterns in which `*` is any characters. */
export type ModelMapping = ReadonlyMap<string, string>;

/** What a name stands for, or the circle in the mapping. */
export type Mapped = { readonly model: string; readonly mapped: boolean } | { readonly cycleAt: string };

interface Pattern {
  readonly source: string;
  readonly glob: Glob;
  /** Of its texts together. */
  readonly length: number;
  /** The texts between the places where the captures go. */
  readonly target: readonly string[];
}

type FindPattern = (model: string) => Fit<Pattern> | undefined;

const known = new WeakMap<ModelMapping, FindPattern>();

const lengthOf = (glob: Glob): number => glob.reduce((sum, literal) => sum + literal.length, 0);

/** The one that says most first; of two that say as much the one with fewer stars; then by their letters. */
const bySpecificity = (one: Pattern, other: Pattern): number =>
  other.length - one.length || one.glob.length - other.glob.length || (one.source < other.source ? -1 : 1);

/** How many names are read in one step. */
const READ_AT_ONCE = 2000;

/**
 * Prepares a mapping in short steps, so that of thousands of patterns the first call does not wait for all. Once: a
 * mapping that is prepared has no steps.
 */
export function* prepareMapping(mapping: ModelMapping): Generator<undefined, FindPattern> {
  const prepared = known.get(mapping);
  if (prepared !== undefined) return prepared;
  const patterns: Pattern[] = [];
  let read = 0;
  for (const [source, target] of mapping) {
    if ((read += 1) % READ_AT_ONCE === 0) yield;
    if (!isPattern(source) || target === '') continue;
    const glob = globOf(source);
    patterns.push({ source, glob, length: lengthOf(glob), target: target.split('*') });
  }
  yield;
  patterns.sort(bySpecificity);
  yield;
  const find = firstFit(patterns);
  known.set(mapping, find);
  return find;
}

/** Finds the pattern of a mapping that counts for a name. */
const finderOf = (mapping: ModelMapping): FindPattern => {
  const steps = prepareMapping(mapping);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};

const isPattern = (name: string): boolean => name.includes('*');

const byPattern = (mapping: ModelMapping, model: string): string | undefined => {
  const fit = finderOf(mapping)(model);
  return fit?.item.target.reduce((made, text, at) => made + (fit.captures[at - 1] ?? '') + text);
};

/**
 * Follows a mapping as a chain (a→b→c gives c): whole names as often as there are some. A pattern counts only for the name
 * that is asked for, where that is no whole name of the mapping. A model mapped to itself or to nothing ends the chain; a
 * longer circle is the operator's mistake and is reported.
 * @param isKept names that are real, so that no pattern takes them for another
 */
export const mapModel = (
  mapping: ModelMapping,
  requested: string,
  isKept?: (model: string) => boolean,
): Mapped => {
  let model = requested;
  if (mapping.size === 0) return { model, mapped: false };
  const seen = new Set([requested]);
  let next = nameIn(mapping, model) ?? (isKept?.(model) === true ? undefined : byPattern(mapping, model));
  while (next !== undefined && next !== '' && next !== model) {
    if (seen.has(next)) return { cycleAt: next };
    seen.add(next);
    model = next;
    next = nameIn(mapping, model);
  }
  return { model, mapped: model !== requested };
};

const nameIn = (mapping: ModelMapping, model: string): string | undefined =>
  isPattern(model) ? undefined : mapping.get(model);

/** What is wrong with a mapping, and with which name. */
export interface MappingProblem {
  readonly kind: 'pattern' | 'stars' | 'length' | 'circle';
  readonly model: string;
}

/** What only other systems' patterns have. */
const FOREIGN = /[\^$|\\[\]{}?]|\.\*/;

/** What is wrong with a mapping that is to be saved; undefined if nothing is. No name goes in a circle after that. */
export const mappingProblem = (mapping: ModelMapping): MappingProblem | undefined => {
  for (const [source, target] of mapping) {
    const stars = source.split('*').length - 1;
    if (FOREIGN.test(source) || source.includes('**') || stars > STARS_MAX)
      return { kind: 'pattern', model: source };
    if (target.split('*').length - 1 > stars) return { kind: 'stars', model: source };
    if (source.length > MODEL_NAME_MAX_LENGTH || target.length > MODEL_NAME_MAX_LENGTH)
      return { kind: 'length', model: source.slice(0, MODEL_NAME_MAX_LENGTH) };
  }
  const model = circleIn(mapping);
  return model === undefined ? undefined : { kind: 'circle', model };
};

/**
 * A name at which following the mapping comes back to where it was. Whole names are followed once each, also where they are
 * thousands. A pattern counts once in a chain, at its beginning: it comes back only to a name that is the end of what its
 * target leads to, and such names are written in the mapping.
 */
const circleIn = (mapping: ModelMapping): string | undefined => {
  const ends = new Map<string, string>();
  for (const name of mapping.keys()) {
    if (isPattern(name)) continue;
    const path = new Set<string>();
    let at = name;
    for (;;) {
      if (path.has(at)) return at;
      path.add(at);
      const next = ends.get(at) ?? nameIn(mapping, at) ?? '';
      if (next === '' || next === at) break;
      at = next;
    }
    for (const passed of path) ends.set(passed, at);
  }
  return [...mapping.values()].find((name) => {
    if (isPattern(name) || mapping.has(name)) return false;
    const target = byPattern(mapping, name) ?? name;
    return target !== name && (ends.get(target) ?? target) === name;
  });
};
