// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { afterAll, expect, it, vi } from 'vitest';

vi.mock('./ask-dialog.tsx', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

// Modules of its own: files before this one may have loaded the dialog, and those after it must not meet its loss.
vi.resetModules();
const { DialogHost } = await import('./dialog-host.tsx');
const { confirm } = await import('./dialogs.ts');
afterAll(() => void vi.resetModules());

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
