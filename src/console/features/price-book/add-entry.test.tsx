// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { queryClient } from '../../lib/server/query.ts';
import { AddEntry } from './add-entry.tsx';

afterEach(() => vi.unstubAllGlobals());

it('a change that is entered and not added is told, so that publishing does not leave it behind', () => {
  vi.stubGlobal('fetch', async () => Response.json({ success: true, message: '', data: [] }));
  const halves: boolean[] = [];
  const added: unknown[] = [];
  render(
    <QueryClientProvider client={queryClient}>
      <AddEntry diff={[]} onAdd={(entry) => added.push(entry)} onHalf={(isHalf) => halves.push(isHalf)} />
    </QueryClientProvider>,
  );
  fireEvent.change(screen.getByLabelText('add.value'), { target: { value: '2.5' } });
  expect(halves).toEqual([false, true]);
  fireEvent.change(screen.getByLabelText('add.model'), { target: { value: 'one' } });
  fireEvent.click(screen.getByRole('button', { name: 'add.add' }));
  expect(added).toEqual([{ option: 'ModelRatio', key: 'one', value: 2.5 }]);
  expect(halves).toEqual([false, true, false]);
});
