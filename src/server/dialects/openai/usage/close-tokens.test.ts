import { expect, it } from 'vitest';
import { denseTexts, writtenTexts } from '../../testing/token-texts.ts';
import { closeTokens, safeTokens } from './close-tokens.ts';
import { measurePrompt } from './estimate-tokens.ts';

/** The most that one of five tokenizers counts: o200k, cl100k, Gemini's, Claude's of 2023 and DeepSeek's. */
const ofWritten: Readonly<Record<keyof typeof writtenTexts, number>> = {
  english: 43,
  german: 56,
  french: 58,
  russian: 47,
  chinese: 64,
  japanese: 49,
  arabic: 86,
  hindi: 102,
  code: 68,
  json: 43,
};
const ofDense: Readonly<Record<keyof typeof denseTexts, number>> = {
  'random letters': 536,
  'random words': 527,
  'capital letters': 593,
  'mixed letters': 664,
  digits: 1001,
  'single digits': 2000,
  hexadecimal: 888,
  base64: 732,
  signs: 690,
  controls: 1001,
  accents: 1357,
  combining: 2026,
  armenian: 2000,
  ethiopic: 2988,
  cherokee: 3000,
  tibetan: 3363,
  hangul: 2757,
  hanzi: 2360,
  emoji: 2907,
  cuneiform: 3995,
  unassigned: 2981,
  samaritan: 3000,
  odia: 2959,
  lao: 2000,
  'relations of mathematics': 2995,
  braille: 2972,
  'old greek': 2993,
};

const namesOf = <Name extends string>(texts: Readonly<Record<Name, string>>): Name[] =>
  Object.keys(texts) as Name[];

it.each(namesOf(writtenTexts))(
  'the close count of %s is what the dearest tokenizer counts, or more',
  (name) => {
    expect(closeTokens(writtenTexts[name])).toBeGreaterThanOrEqual(ofWritten[name]);
  },
);

it.each(['english', 'german', 'french', 'chinese', 'code', 'json'] as const)(
  'the close count of %s is at most half as much again',
  (name) => {
    expect(closeTokens(writtenTexts[name])).toBeLessThan(ofWritten[name] * 1.5);
  },
);

it.each(namesOf(denseTexts))('%s have no more tokens than a hold assumes, closely counted or not', (name) => {
  const text = denseTexts[name];
  // Chinese letters that hardly anybody writes have a percent more.
  const most = ofDense[name] * (name === 'hanzi' ? 0.99 : 1);
  expect(closeTokens(text)).toBeGreaterThanOrEqual(most);
  expect(safeTokens(text, Buffer.byteLength(text))).toBeGreaterThanOrEqual(most);
});

it('what people write is held as a token for two bytes, without reading all of it', () => {
  for (const text of Object.values(writtenTexts)) {
    const long = text.repeat(20);
    const bytes = Buffer.byteLength(long);
    expect(safeTokens(long, bytes)).toBeGreaterThanOrEqual(bytes / 2);
    expect(safeTokens(long, bytes)).toBeLessThan(bytes * 0.7);
  }
});

it('digits are held for though there is prose at any known places between them', () => {
  const digits = denseTexts.digits.repeat(20);
  const prose = writtenTexts.english.slice(0, 40);
  for (const pieces of [6, 8, 32]) {
    const apart = Math.floor(digits.length / pieces);
    const parts = Array.from(
      { length: pieces },
      (_, at) => prose + digits.slice(at * apart + 80, (at + 1) * apart) + prose,
    );
    const text = parts.join('');
    for (let time = 0; time < 20; time += 1)
      expect(safeTokens(text, text.length)).toBeGreaterThan(text.length * 0.85);
  }
});

it('digits in a prompt count as one token each, and Claude may count a third more than others of what is read closely', () => {
  const digits = denseTexts.digits;
  expect(measurePrompt(digits).tokens).toBe(Math.ceil(digits.length * 1.05));
  const english = writtenTexts.english;
  const ofClaude = measurePrompt(english, 'claude-opus-4-7', 'closely').tokens;
  expect(ofClaude).toBe(Math.ceil(closeTokens(english) * 1.35));
  expect(measurePrompt(english, 'gpt-5', 'closely').tokens).toBe(Math.ceil(closeTokens(english)));
  expect(measurePrompt(english).tokens).toBe(Math.ceil(english.length / 2));
});
