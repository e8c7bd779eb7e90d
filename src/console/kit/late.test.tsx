// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Suspense, useState } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { t } from '../lib/text/i18n.ts';
import { toasts } from '../lib/toasts.ts';
import { lateSection } from './late-section.tsx';
import { late } from './late.tsx';

// What other tests have said is not heard here, nor this by them.
beforeEach(() => toasts.set([]));
afterEach(() => {
  cleanup();
  toasts.set([]);
});

let isOnline = false;

const Dialog = late(async () => {
  if (!isOnline) throw new TypeError('Failed to fetch dynamically imported module');
  return { default: ({ onClose }: { readonly onClose: () => void }) => <i onClick={onClose}>open</i> };
});

const Page = () => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <input aria-label="Name" />
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Suspense>{isOpen && <Dialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
};

it('what cannot be loaded leaves the page as it is, says so, and is loaded the next time', async () => {
  const said: string[] = [];
  toasts.watch(() => said.push(...toasts.get().map(({ text }) => text)));
  render(<Page />);
  const field = screen.getByRole<HTMLInputElement>('textbox');
  fireEvent.change(field, { target: { value: 'typed' } });
  fireEvent.click(screen.getByRole('button'));
  await expect.poll(() => said).toContain(t('error.pageMissing'));
  expect([field.isConnected, field.value]).toEqual([true, 'typed']);
  isOnline = true;
  fireEvent.click(screen.getByRole('button'));
  expect((await screen.findByText('open')).isConnected).toBe(true);
});

it('the place of a section that cannot be loaded says so, and loads it when it is asked to', async () => {
  let isThere = false;
  const Fields = lateSection(async () => {
    if (!isThere) throw new TypeError('Failed to fetch dynamically imported module');
    return { default: ({ label }: { readonly label: string }) => <input aria-label={label} /> };
  });
  render(
    <Suspense>
      <Fields label="Calls a minute" />
    </Suspense>,
  );
  const again = await screen.findByRole('button', { name: 'action.retry' });
  expect(screen.getByRole('alert').textContent).toContain(t('error.pageMissing'));
  // Said once.
  expect(toasts.get()).toEqual([]);
  isThere = true;
  fireEvent.click(again);
  expect((await screen.findByLabelText('Calls a minute')).isConnected).toBe(true);
});
