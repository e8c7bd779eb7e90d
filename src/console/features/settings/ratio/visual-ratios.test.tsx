// @vitest-environment happy-dom
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openedDialog } from '../../../kit/dialogs/dialogs.ts';
import { settingsWith } from '../testing/settings.ts';
import { VisualRatios } from './visual-ratios.tsx';

it('prices that are typed into the table and not applied are not lost unasked, not even by another view of them', async () => {
  const settings = settingsWith({ saved: new Map([['ModelRatio', '{"m":1}']]) });
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <VisualRatios settings={settings} /> }),
    history: createMemoryHistory({ initialEntries: ['/?tab=operation&ratio=visual'] }),
  });
  render(<RouterProvider router={router} />);
  fireEvent.change(await screen.findByLabelText('m: visual.ratio'), { target: { value: '2' } });
  const goTo = (search: object) => act(async () => void router.navigate({ to: '/', search }));
  await goTo({ tab: 'operation', ratio: 'visual', option: 'ModelRatio' });
  expect([router.state.location.search, openedDialog.get()]).toMatchObject([
    { option: 'ModelRatio' },
    undefined,
  ]);
  await goTo({ tab: 'operation' });
  expect(openedDialog.get()?.request).toMatchObject({ title: 'drawer.discardTitle' });
  await act(async () => openedDialog.get()?.answer(false));
  expect(router.state.location.search).toMatchObject({ ratio: 'visual' });
  expect(screen.getByLabelText<HTMLInputElement>('m: visual.ratio').value).toBe('2');
});
