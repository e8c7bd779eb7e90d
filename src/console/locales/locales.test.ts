import { describe, expect, it } from 'vitest';
import readme from '../../../README.md?raw';

interface Texts {
  readonly [key: string]: string | Texts;
}

const files = import.meta.glob<{ default: Texts }>('./*/*.json', { eager: true });

const areasOf = (language: string): string[] =>
  Object.keys(files)
    .filter((path) => path.startsWith(`./${language}/`))
    .map((path) => path.slice(5, -5))
    .toSorted();

const flat = (texts: Texts, before = ''): Map<string, string> =>
  new Map(
    Object.entries(texts).flatMap(([key, value]): [string, string][] =>
      typeof value === 'string' ? [[`${before}${key}`, value]] : [...flat(value, `${before}${key}.`)],
    ),
  );

const read = (language: string, area: string): Map<string, string> =>
  flat(files[`./${language}/${area}.json`]?.default ?? {});

const names = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? '').toSorted();

/** `x_one` is the English form for one of `x`; Chinese has no such form. */
const base = (key: string): string => key.replace(/_one$/, '');

/** A number and a word of more than one: `{{count}} disabled channels`. */
const COUNTED =
  /\{\{(count|exact|shown|total|days|calls|passed)\}\}(?! of)( [a-z]+){0,2} ([a-z]+s|work)\b|these \{\{count\}\}/;

/** One of them is yesterday, next month or last year. */
const NEVER_ONE = /^relative\.(?:day|month|year)(?:Ago|Ahead)$/;

/** A link, a placeholder, a formula and a format. */
const ENDS_OTHERWISE = new Set([
  'chat open',
  'playground composer.placeholder',
  'pricing note',
  'tokens form.expiryNever',
]);

it('has the same areas in both languages', () => {
  expect(areasOf('en')).toEqual(areasOf('zh'));
});

describe.each(areasOf('zh'))('%s', (area: string) => {
  const zh = read('zh', area);
  const en = read('en', area);

  it('has the same texts in both languages, none of them empty', () => {
    expect([...new Set([...en.keys()].map(base))].toSorted()).toEqual([...new Set([...zh.keys()].map(base))].toSorted());
    expect([...zh, ...en].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('has no Chinese in English texts except in quotes, for input to type', () => {
    const unquoted = [...en].map(([key, text]) => [key, text.replaceAll(/“[^”]*”/g, '')] as const);
    expect(unquoted.filter(([, text]) => /\p{Script=Han}/u.test(text))).toEqual([]);
  });

  it('ends a text of several sentences with a full stop, as its first sentence', () => {
    const open = [
      ...[...en].filter(([, text]) => /(?<![A-Z0-9])[.?!] [A-Z0-9{]/.test(text) && !/[.?!…:]$|\}\}$/.test(text)),
      ...[...zh].filter(([, text]) => text.includes('。') && !/[。？！…：]$|\}\}$/.test(text)),
    ].map(([key]) => `${area} ${key}`);
    expect(open.filter((key) => !ENDS_OTHERWISE.has(key))).toEqual([]);
  });

  it('has a singular for every English text with a count', () => {
    const counted = [...en].filter(([key, text]) => key === base(key) && COUNTED.test(text) && !NEVER_ONE.test(key));
    expect(counted.filter(([key]) => !en.has(`${key}_one`))).toEqual([]);
  });

  it('has the same placeholders in both languages', () => {
    const different = [...en].filter(([key, text]) => {
      const chinese = zh.get(key) ?? zh.get(base(key)) ?? '';
      return key === base(key) && names(text).join() !== names(chinese).join();
    });
    expect(different).toEqual([]);
  });
});

it('the first steps of the README name pages and buttons as the console does', () => {
  const [, steps = ''] = /## First steps\n(.*?)\n## /s.exec(readme) ?? [];
  const named = [...steps.matchAll(/\*{1,2}([^*\n]+)\*{1,2}/g)].flatMap(([, words = '']) => words.split(' → '));
  const shown = new Set(areasOf('en').flatMap((area) => [...read('en', area).values()].map((text) => text.toLowerCase())));
  expect(named).toContain('Add channel');
  expect(named.filter((words) => !shown.has(words.toLowerCase()))).toEqual([]);
});
