import { readFileSync } from 'node:fs';
import { meantOptions } from '#contract/options/testing/service-options.ts';

/** docs/ranks.md as data: the expected result for every call and option. */
const page = readFileSync(new URL('../../../../docs/ranks.md', import.meta.url), 'utf8');

/** The text under a heading of level 2, up to the next one. */
const part = (title: string): string => page.split(/^## /m).find((text) => text.startsWith(title)) ?? '';

const sections = (title: string): Map<string, string> =>
  new Map(
    part(title)
      .split(/^### /m)
      .slice(1)
      .map((text) => [text.split('\n')[0] ?? '', text] as const),
  );

/** The backticked items in the lists of a section. */
const named = (text: string): string[] =>
  [...text.slice(text.indexOf('\n- ')).matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

const byName = (title: string): (readonly [string, string])[] =>
  [...sections(title)].flatMap(([section, text]) => named(text).map((name) => [name, section] as const));

/** `['GET /api/about', 'guest']`, in the order of the page. */
export const callsOfPage = byName('Calls');
/** `['RetryTimes', 'daily']` */
export const optionsOfPage = byName('Options').flatMap(([written, section]) =>
  meantOptions(written).map((name) => [name, section] as const),
);

const cells = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** For each class of options: the answer each caller gets. */
export const answersOfPage = (): Map<string, Readonly<Record<string, string>>> => {
  const [head = '', , ...rows] = part('Options')
    .split('\n')
    .filter((line) => line.startsWith('|'));
  const [, ...who] = cells(head);
  return new Map(
    rows
      .map(cells)
      .map(([name = '', ...answers]) => [
        name,
        Object.fromEntries(who.map((one, at) => [one, answers[at] ?? ''])),
      ]),
  );
};
