// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { DialogHost } from './dialog-host.tsx';
import { confirm } from './dialogs.ts';

vi.mock('./ask-dialog.tsx', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

it('asks in the browser’s own way where the code of the dialog cannot be loaded, and the page stays', async () => {
  const asked = vi.fn<(question?: string) => boolean>(() => true);
  const typed = vi.fn<(question?: string) => string>(() => 'alice');
  vi.stubGlobal('confirm', asked);
  vi.stubGlobal('prompt', typed);
  const { container } = render(
    <>
      <p>typed</p>
      <DialogHost />
    </>,
  );
  expect(await confirm({ title: 'Discard changes?', text: 'They are lost.', action: 'Discard' })).toBe(true);
  expect(asked.mock.calls).toEqual([['Discard changes?\n\nThey are lost.']]);
  expect(await confirm({ title: 'Delete bob?', action: 'Delete', typed: 'bob' })).toBe(false);
  expect(container.textContent).toBe('typed');
});
