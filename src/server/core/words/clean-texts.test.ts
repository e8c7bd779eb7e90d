import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { surveyJson } from '../json/bounds.ts';
import { partsOf } from '../json/body-parts.ts';
import { KnownParts } from '../json/known-parts.ts';
import { CleanTexts } from './clean-texts.ts';
import { findWord } from './check-words.ts';

const digest = (text: string): string => hash('sha256', text, 'base64');

const searched = (texts: CleanTexts, text: string, verdict = true): boolean => {
  let isSearched = false;
  const isClean = (): boolean => {
    isSearched = true;
    return verdict;
  };
  texts.check(text, isClean, digest);
  return isSearched;
};

it.each([200, 16_383, 16_384, 100_000])('a clean text of %i characters is searched once', (length) => {
  const texts = new CleanTexts();
  const text = `${'a'.repeat(length - 1)}é`;
  expect(searched(texts, text)).toBe(true);
  expect(searched(texts, text)).toBe(false);
  // The same characters in another string.
  expect(searched(texts, Buffer.from(text).toString())).toBe(false);
  // Another text of this length that differs in one character, wherever it is.
  for (const at of [0, length >> 1, length - 1])
    expect(searched(texts, `${text.slice(0, at)}b${text.slice(at + 1)}`)).toBe(true);
});

it('a text with a listed word is searched and found each time', () => {
  const texts = new CleanTexts();
  const text = 'bad '.repeat(100);
  expect([texts.check(text, () => false, digest), texts.check(text, () => false, digest)]).toEqual([
    false,
    false,
  ]);
});

it('a text that is a hash of a known one is not taken for it', () => {
  const texts = new CleanTexts();
  const text = 'a'.repeat(20_000);
  expect(searched(texts, text)).toBe(true);
  expect(searched(texts, digest(text))).toBe(true);
});

it('the memory is bounded; texts that recur stay in it', () => {
  const texts = new CleanTexts(10_000);
  const often = 'often '.repeat(100);
  searched(texts, often);
  for (let number = 0; number < 200; number += 1) {
    searched(texts, `${String(number)} ${'x'.repeat(500)}`);
    expect(searched(texts, often)).toBe(false);
  }
  expect(searched(texts, `0 ${'x'.repeat(500)}`)).toBe(true);
});

it('a text that was clean by one list is searched by the next', () => {
  const options = {
    CheckSensitiveEnabled: true,
    CheckSensitiveOnPromptEnabled: true,
    StopOnSensitiveEnabled: true,
  };
  const body = { messages: [{ role: 'user', content: `${'long '.repeat(100)}porridge` }] };
  expect(findWord({ ...options, SensitiveWords: 'gruel' }, body, digest)).toBeUndefined();
  expect(findWord({ ...options, SensitiveWords: 'gruel\nporridge' }, body, digest)).toBe('porridge');
  expect(findWord({ ...options, SensitiveWords: 'gruel' }, body, digest)).toBeUndefined();
});

it('a known message is searched again with another list, in another field, or if anything in it differs', () => {
  const known = new KnownParts((bytes) => hash('sha256', bytes, 'base64'), []);
  const wordIn = (words: string, body: object): string | undefined => {
    const bytes = Buffer.from(JSON.stringify(body));
    const parts = partsOf(known, bytes);
    const read = parts?.read(surveyJson(bytes, undefined, parts));
    expect(read).toBeDefined();
    const options = {
      CheckSensitiveEnabled: true,
      CheckSensitiveOnPromptEnabled: true,
      StopOnSensitiveEnabled: true,
      SensitiveWords: words,
    };
    return findWord(options, read?.body ?? {}, digest);
  };
  const message = { type: 'object', porridge: 'x'.repeat(6000), content: 'oats' };
  const next = { role: 'user', content: `${'y'.repeat(6000)} soup` };
  expect(wordIn('gruel', { messages: [message, next] })).toBeUndefined();
  expect(wordIn('gruel', { messages: [message, next] })).toBeUndefined();
  expect(wordIn('soup', { messages: [message, next] })).toBe('soup');
  expect(wordIn('oats', { messages: [message, next] })).toBe('oats');
  expect(wordIn('porridge', { messages: [message, next] })).toBeUndefined();
  // The names in schemas are the caller's own words.
  expect(wordIn('porridge', { messages: [next], properties: [message] })).toBe('porridge');
  expect(wordIn('porridge', { messages: [message, next] })).toBeUndefined();
  const changed = { ...message, content: 'oats, gruel' };
  expect(wordIn('gruel', { messages: [changed, next] })).toBe('gruel');
  expect(wordIn('gruel', { messages: [message, next, { content: 'gruel' }] })).toBe('gruel');
});
