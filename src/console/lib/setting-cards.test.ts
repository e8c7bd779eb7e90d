import { expect, it } from 'vitest';
import { optionTable } from '#contract/options.ts';
import { settingCards } from './setting-cards.ts';

it('every option is on the settings page exactly once', () => {
  const shown = settingCards.flatMap((card) => [...card.keys]);
  expect(shown.toSorted()).toEqual(Object.keys(optionTable).toSorted());
});
