// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { toasts } from '../../lib/toasts.ts';
import { OptionCard } from './option-card.tsx';
import { cardOf, footOf, settingsWith } from './testing/settings.ts';
import type { Settings } from './use-settings.ts';

/** Clicks on save, and tells how often anything was saved. */
const show = (id: string, serverAddress: string) => {
  const save = vi.fn<() => Promise<boolean>>(() => Promise.resolve(true));
  const saved: Settings['saved'] = new Map([['ServerAddress', serverAddress]]);
  render(
    <OptionCard card={footOf('system', id)} settings={settingsWith({ saved, save, saveTexts: save })} />,
  );
  fireEvent.click(screen.getByRole('button', { name: 'saveCard' }));
  return save.mock.calls.length;
};

it('payment settings are saved only once the server address is filled in, and say so', () => {
  const before = toasts.get().length;
  expect(show('payment', '')).toBe(0);
  const said = toasts.get().slice(before);
  expect(said.map(({ text }) => text)).toEqual(['save.addressFirst']);
  cleanup();
  expect(show('payment', 'https://gate.example')).toBe(1);
});

it('other settings can be saved without it', () => {
  expect(show('mail', '')).toBe(1);
});

it("a super admin's card is read-only for others, says why, and has no save button", () => {
  render(
    <OptionCard card={cardOf('system', 'telegram')} settings={settingsWith({ isLocked: () => true })} />,
  );
  expect(screen.getByRole('note').textContent).toBe('lock.all');
  expect(screen.getAllByRole<HTMLInputElement>('textbox').every(({ disabled }) => disabled)).toBe(true);
  expect(screen.queryByRole('button', { name: 'saveCard' })).toBeNull();
});

it("a card with some of the super admin's fields says which ones are read-only", () => {
  const isLocked = (key: string): boolean => key === 'TelegramBotName';
  render(<OptionCard card={cardOf('system', 'telegram')} settings={settingsWith({ isLocked })} />);
  expect(screen.getByText('lock.some')).toBeDefined();
  expect(screen.getByText('lock.field')).toBeDefined();
  expect(screen.getByRole('button', { name: 'saveCard' })).toBeDefined();
});
