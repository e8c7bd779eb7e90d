import { describe, expect, it } from 'vitest';
import { pictureTokens } from './picture-tokens.ts';

const counted = (model: string, width: number, height: number, isLow = false) =>
  pictureTokens(model, [{ size: { width, height }, isLow }]);

describe('a picture whose size is known counts as its maker says', () => {
  it.each([
    // developers.openai.com, Images and vision: the examples of both ways to count.
    ['gpt-4o', 1024, 1024, 765],
    ['openai/gpt-4.1', 2048, 4096, 1105],
    ['ft:gpt-4.1:me', 1024, 1024, 765],
    ['gpt-4o-mini', 1024, 1024, 25_501],
    ['gpt-4.1-nano', 1024, 1024, Math.ceil(1024 * 2.46)],
    ['gpt-5-nano', 9000, 9000, Math.ceil(1536 * 2.46)],
    // Measured at 12 megapixels of a telephone, where nothing is made smaller.
    ['gpt-6.1-sol', 4032, 3024, 14_364],
    // platform.claude.com, Vision: one megapixel, and the largest.
    ['claude-sonnet-4-5-20250929', 1000, 1000, 1334],
    ['claude-3-haiku-20240307', 4032, 3024, 1600],
    ['claude-opus-4-20250514', 4032, 3024, 1600],
    ['anthropic/claude-opus-4.7', 4032, 3024, 4784],
    ['claude-opus-5-5', 560, 280, 200],
    // ai.google.dev, tokens: its example, and the smallest.
    ['gemini-2.5-flash', 960, 540, 6 * 258],
    ['gemini-2.0-flash', 384, 384, 258],
    ['google/gemini-3.1-pro-preview', 4032, 3024, 2240],
    // Nobody knows who counts it.
    ['my-model', 4032, 3024, 15_552],
    ['qwen-vl-max', 28, 28, 2000],
  ])('%s, %i × %i', (model, width, height, tokens) => {
    expect(counted(model, width, height)).toEqual({ usual: tokens, most: tokens });
  });

  it('never as less in the other direction, and never as more than the largest', () => {
    for (const model of [
      'gpt-4o',
      'gpt-5-mini',
      'gpt-6',
      'claude-3-5-sonnet',
      'claude-opus-4-8',
      'gemini-2.5-pro',
      'glm-5v',
    ])
      for (const [width, height] of [
        [1, 1],
        [1, 9000],
        [333, 4444],
        [6000, 6000],
      ] as const) {
        const { usual } = counted(model, width, height);
        expect(usual).toBe(counted(model, height, width).usual);
        expect(usual).toBeGreaterThan(0);
        expect(pictureTokens(model, [{ size: undefined, isLow: false }]).most).toBeGreaterThanOrEqual(usual);
      }
  });
});

describe('low detail', () => {
  it.each([
    ['gpt-4o', 85],
    ['gpt-4o-mini', 2833],
    ['gpt-6', 320],
  ])('counts little for %s, whatever size it has', (model, tokens) => {
    expect(counted(model, 4000, 4000, true)).toEqual({ usual: tokens, most: tokens });
    expect(pictureTokens(model, [{ size: undefined, isLow: true }])).toEqual({ usual: tokens, most: tokens });
  });

  it.each(['claude-opus-4-7', 'gemini-3-pro', 'gpt-4.1-mini', 'glm-5v'])(
    'is nothing that %s knows',
    (model) => {
      expect(counted(model, 2000, 2000, true)).toEqual(counted(model, 2000, 2000));
    },
  );
});

it.each([
  ['gpt-4o', 1445, 1445],
  ['gpt-4o-mini', 48_169, 48_169],
  ['claude-opus-4-7', 4784, 4784],
  ['gpt-6', 2000, 42_413],
  ['my-model', 2000, 46_225],
])('a picture of unknown size may be the largest: %s', (model, usual, most) => {
  expect(pictureTokens(model, [{ size: undefined, isLow: false }])).toEqual({ usual, most });
});
