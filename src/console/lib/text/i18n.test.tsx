// @vitest-environment happy-dom
import { act, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Area } from './areas.ts';

afterEach(() => {
  // Others begin without texts.
  vi.resetModules();
});

it('loading an area renders only its readers again, changing the language renders everything', async () => {
  // Of its own: other files share the texts that were loaded, and the language.
  vi.resetModules();
  const { loadTexts, setLanguage, startI18n, useTranslation } = await import('./i18n.ts');
  const drawn: Record<string, number> = {};
  const Part = ({ area, name }: { readonly area: Area; readonly name: string }) => {
    const { t, language } = useTranslation(area);
    drawn[area] = (drawn[area] ?? 0) + 1;
    // Keys of the two areas, and no others.
    return (
      <p>
        {language} {(t as (key: string) => string)(name)}
      </p>
    );
  };
  await startI18n();
  await setLanguage('zh');
  await loadTexts('tokens');
  render(
    <>
      <Part area="tokens" name="title" />
      <Part area="users" name="title" />
    </>,
  );
  expect([drawn, screen.queryByText('zh title')]).toEqual([{ tokens: 1, users: 1 }, expect.anything()]);
  await act(() => loadTexts('users'));
  expect([drawn, screen.queryByText('zh title')]).toEqual([{ tokens: 1, users: 2 }, null]);
  await act(() => setLanguage('en'));
  expect(drawn).toEqual({ tokens: 2, users: 3 });
  expect(screen.getAllByText(/^en [A-Z]/)).toHaveLength(2);
});
