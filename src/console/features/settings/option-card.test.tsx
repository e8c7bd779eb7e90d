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
  const { settings, save } = settingsOf(serverAddress);
  // Only the foot is looked at: fields are the form's.
  render(<OptionCard card={{ ...cardOf(id), keys: [] }} settings={settings} />);
  fireEvent.click(screen.getByRole('button', { name: 'saveCard' }));
  return save.mock.calls.length;
};

const cardOf = (id: string) => {
  const card = cardsOf('system').find((one) => one.id === id);
  if (card === undefined) throw new Error(`no card ${id}`);
  return card;
};

const settingsOf = (serverAddress: string) => {
  const save = vi.fn<() => Promise<boolean>>(() => Promise.resolve(true));
  const settings: Settings = {
    saved: new Map([['ServerAddress', serverAddress]]),
    stored: new Map(),
    secretsSet: new Set(),
    drafts: {},
    problems: {},
    isSaving: false,
    isLocked: () => false,
    toRepeat: new Set(),
    text: () => '',
    change: () => undefined,
    changed: () => [],
    discard: () => undefined,
    save,
    saveTexts: save,
  };
  return { settings, save };
};

it('payment settings are saved only once the server address is filled in, and say so', () => {
  const before = toasts.get().length;
  expect(show('payment', '')).toBe(0);
  const said = toasts.get().slice(before);
  expect(said.map(({ text }) => text)).toEqual(['save.addressFirst']);
  cleanup();
  expect(show('payment', 'https://gate.example')).toBe(1);
});

it('other settings do not wait for it', () => {
  expect(show('mail', '')).toBe(1);
});

it('a card of the super admin is read-only for others: it says why, and has nothing to save', () => {
  const { settings } = settingsOf('');
  render(<OptionCard card={cardOf('telegram')} settings={{ ...settings, isLocked: () => true }} />);
  expect(screen.getByRole('note').textContent).toBe('lock.all');
  expect(screen.getAllByRole<HTMLInputElement>('textbox').every(({ disabled }) => disabled)).toBe(true);
  expect(screen.queryByRole('button', { name: 'saveCard' })).toBeNull();
});

it('a card that is partly theirs says which fields are not', () => {
  const { settings } = settingsOf('');
  const isLocked = (key: string): boolean => key === 'TelegramBotName';
  render(<OptionCard card={cardOf('telegram')} settings={{ ...settings, isLocked }} />);
  expect(screen.getByText('lock.some')).toBeDefined();
  expect(screen.getByText('lock.field')).toBeDefined();
  expect(screen.getByRole('button', { name: 'saveCard' })).toBeDefined();
});
