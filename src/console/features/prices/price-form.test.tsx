// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { queryClient } from '../../lib/server/query.ts';
import { PriceForm } from './price-form.tsx';
import type { PricedModel } from './price.ts';

const unset = {
  price: null,
  ratio: null,
  completion_ratio: null,
  cache_ratio: null,
  create_cache_ratio: null,
};
const row: PricedModel = {
  model: 'gpt',
  origin: 'own',
  usd: null,
  set: { ...unset, price: 1 },
  ratios: null,
  output_as_input: false,
  usual: { model: null, completion: 1, cache: 1, create_cache: 1 },
  catalogue: null,
  variants: 0,
  version: 3,
  groups: [],
};

it("another admin's change is not replaced untold, even if it was read again meanwhile; saved again it is", async () => {
  const bases: unknown[] = [];
  let isReachable = false;
  vi.stubGlobal('fetch', async (_: string, { body }: { readonly body: string }) => {
    if (!isReachable) throw new TypeError('no network');
    bases.push(JSON.parse(body).base);
    const changedSince = [{ key: 'ModelPrice', path: ['gpt'] }];
    const data = { published: false, version: 5, draft: null, changed_since: changedSince };
    return Response.json({ success: true, message: '', data });
  });
  let read: (row: PricedModel) => void = () => undefined;
  const Page = () => {
    const [shown, setShown] = useState(row);
    read = setShown;
    return <PriceForm row={shown} onClose={() => undefined} />;
  };
  const router = createRouter({
    routeTree: createRootRoute({ component: Page }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  fireEvent.change(await screen.findByLabelText('usd.call'), { target: { value: '2' } });
  const save = (): boolean => fireEvent.click(screen.getByRole('button', { name: 'action.save' }));
  save();
  await screen.findByRole('alert');
  isReachable = true;
  act(() => read({ ...row, version: 5 }));
  save();
  await expect.poll(() => bases).toEqual([3]);
  await expect.poll(() => screen.getByRole('alert').textContent).toContain('change.others');
  save();
  await expect.poll(() => bases).toEqual([3, 5]);
  vi.unstubAllGlobals();
});
