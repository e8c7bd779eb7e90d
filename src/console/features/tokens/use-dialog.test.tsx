// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Token } from './token.ts';
import UseDialog from './use-dialog.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
});

const SECRET = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKL';

it('the key is masked until shown on demand, and copying takes the whole key', async () => {
  const copied: string[] = [];
  vi.stubGlobal('navigator', {
    clipboard: { writeText: async (text: string) => void copied.push(text) },
    userAgent: '',
  });
  const token = {
    id: 1,
    name: 'script',
    key: SECRET,
    model_limits_enabled: false,
    model_limits: '',
  } as Token;
  const { baseElement } = render(<UseDialog token={token} onClose={() => undefined} />);
  for (const kind of ['use.curl', 'use.python', 'use.node', 'use.env']) {
    fireEvent.click(screen.getByRole('radio', { name: kind }));
    expect(baseElement.innerHTML).not.toContain(SECRET);
    fireEvent.click(screen.getByRole('button', { name: 'use.copy' }));
    await expect.poll(() => copied.at(-1)).toContain(`sk-${SECRET}`);
    copied.length = 0;
  }
  fireEvent.click(screen.getByRole('button', { name: 'use.showKey' }));
  expect(baseElement.querySelector('pre')?.textContent).toContain(`sk-${SECRET}`);
  fireEvent.click(screen.getByRole('button', { name: 'use.hideKey' }));
  expect(baseElement.innerHTML).not.toContain(SECRET);
});
