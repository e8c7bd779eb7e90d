// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { cardsOf } from '../../lib/setting-cards.ts';
import { closeToast, toasts } from '../../lib/toasts.ts';
import { OptionCard } from './option-card.tsx';
import type { Settings } from './use-settings.ts';

afterEach(() => {
  cleanup();
  for (const one of toasts.get()) closeToast(one.id);
});

const show = (id: string, serverAddress: string) => {
  const save = vi.fn<() => Promise<boolean>>(() => Promise.resolve(true));
  const settings: Settings = {
    saved: new Map([['ServerAddress', serverAddress]]),
    secretsSet: new Set(),
    drafts: {},
    problems: {},
    isSaving: false,
    text: () => '',
    change: () => undefined,
    changed: () => [],
    discard: () => undefined,
    save,
    saveTexts: save,
  };
  const card = cardsOf('system').find((one) => one.id === id);
  if (card === undefined) throw new Error(`no card ${id}`);
  // Only the foot is looked at: fields are the form's.
  render(<OptionCard card={{ ...card, keys: [] }} settings={settings} />);
  fireEvent.click(screen.getByRole('button', { name: 'saveCard' }));
  return save.mock.calls.length;
};

it('payment settings are saved only once the server address is filled in, and say so', () => {
  expect(show('payment', '')).toBe(0);
  expect(toasts.get().map(({ text }) => text)).toEqual(['save.addressFirst']);
  cleanup();
  expect(show('payment', 'https://gate.example')).toBe(1);
});

it('other settings do not wait for it', () => {
  expect(show('mail', '')).toBe(1);
});
