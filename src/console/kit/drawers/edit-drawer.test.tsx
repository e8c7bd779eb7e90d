// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useLayoutEffect, useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { noteAnswer, noteSilence } from '../../lib/server/connection.ts';
import { queryClient } from '../../lib/server/query.ts';
import { TagsField } from '../fields/list-field.tsx';
import { EditDrawer } from './edit-drawer.tsx';
import { FormDrawer } from './form-drawer.tsx';
import { SidePanel } from './side-panel.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

it('what is typed outlives the return of a server that did not answer', async () => {
  vi.stubGlobal('fetch', async () => new Response('{}'));
  let reads = 0;
  const read = async () => {
    reads += 1;
    return { name: 'saved' };
  };
  const Drawer = () => (
    <EditDrawer
      name="thing"
      id={1}
      title="thing"
      read={read}
      onClose={() => undefined}
      form={(before) => <input defaultValue={before?.name} />}
    />
  );
  const router = createRouter({
    routeTree: createRootRoute({ component: Drawer }),
    history: createMemoryHistory(),
  });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  const field = await screen.findByDisplayValue('saved');
  fireEvent.change(field, { target: { value: 'typed' } });
  act(noteSilence);
  await act(async () => noteAnswer());
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  expect(await screen.findByRole('textbox')).toBe(field);
  expect(screen.getByDisplayValue('typed')).toBe(field);
  expect(reads).toBe(1);
});

it('saved by keys, a form also has the name that is still being typed in a list of names', async () => {
  HTMLElement.prototype.showPopover = () => undefined;
  const saved: (readonly string[])[] = [];
  const Drawer = () => {
    const [names, setNames] = useState<readonly string[]>(['gpt-4o']);
    return (
      <FormDrawer
        title="thing"
        onClose={() => undefined}
        onSubmit={() => saved.push(names)}
        isDirty={false}
        isSaving={false}
      >
        <TagsField label="Models" choices={[]} value={names} onChange={setNames} />
      </FormDrawer>
    );
  };
  const router = createRouter({
    routeTree: createRootRoute({ component: Drawer }),
    history: createMemoryHistory(),
  });
  render(<RouterProvider router={router} />);
  const field = await screen.findByRole('combobox');
  act(() => field.focus());
  fireEvent.change(field, { target: { value: 'gpt-5' } });
  fireEvent.keyDown(field, { key: 's', ctrlKey: true });
  expect(saved).toEqual([['gpt-4o', 'gpt-5']]);
});

it('a panel is drawn together with what is around it, not afterwards in a piece that nothing interrupts', () => {
  const seen: boolean[] = [];
  const Page = () => {
    useLayoutEffect(() => void seen.push(document.querySelector('[role=dialog] p') !== null));
    return (
      <SidePanel title="panel" onClose={() => undefined}>
        <p>text</p>
      </SidePanel>
    );
  };
  render(<Page />);
  expect(seen).toEqual([true]);
});
