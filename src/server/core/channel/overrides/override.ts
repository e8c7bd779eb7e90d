import type { ChannelOverride, OverrideOperation } from '#contract/channel/channel-overrides.ts';
import { fits, type Glob, globOf } from '#contract/glob.ts';

/** A rule of a channel that changes what is sent upstream. Plain values only, because it is sent to other threads. */
export interface Override {
  readonly op: OverrideOperation;
  readonly on: 'body' | 'header';
  /** In a body: names and indexes. In headers: one name. */
  readonly path: readonly string[];
  readonly value: unknown;
  /** What to replace; for headers to pass on, their names. */
  readonly find: Glob;
  readonly when: OverrideCondition | undefined;
}

interface OverrideCondition {
  readonly model: Glob | undefined;
  readonly group: Glob | undefined;
  readonly header: { readonly name: string; readonly value: Glob | undefined } | undefined;
}

const maybeGlob = (pattern: string | undefined): Glob | undefined =>
  pattern === undefined ? undefined : globOf(pattern);

/** Prepares a checked rule. */
export const overrideOf = ({ op, on, path, value, find, when }: ChannelOverride): Override => {
  const header = when?.header;
  const isBody = on === 'body';
  return {
    op,
    on,
    path: isBody ? path.split('.') : [path.toLowerCase()],
    value,
    find: op === 'pass' ? globOf(path.toLowerCase()) : globOf(find ?? ''),
    when: when && {
      model: maybeGlob(when.model),
      group: maybeGlob(when.group),
      header: header && { name: header.name, value: maybeGlob(header.value) },
    },
  };
};

/** What the conditions of rules refer to. */
export interface OverrideSubject {
  /** The requested model, before the channel's mapping. */
  readonly model: string;
  readonly group: string;
  /** The caller's headers, with lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

const NONE: readonly Override[] = [];

/** The rules that apply to a call, in their order. */
export const activeOverrides = (
  overrides: readonly Override[] = NONE,
  subject: OverrideSubject,
): readonly Override[] => {
  if (overrides.every(({ when }) => when === undefined)) return overrides;
  return overrides.filter(({ when }) => when === undefined || holds(when, subject));
};

const holds = ({ model, group, header }: OverrideCondition, subject: OverrideSubject): boolean => {
  if (model !== undefined && !fits(model, subject.model)) return false;
  if (group !== undefined && !fits(group, subject.group)) return false;
  if (header === undefined) return true;
  const value = headerText(subject.headers[header.name]);
  return value !== undefined && (header.value === undefined || fits(header.value, value));
};

/** A header as one text, also if it was sent several times. */
export const headerText = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.join(', ');
