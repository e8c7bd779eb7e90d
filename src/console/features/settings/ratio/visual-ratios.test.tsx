// @vitest-environment happy-dom
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { OptionKey } from '#contract/options.ts';
import { openedDialog } from '../../../kit/dialogs/dialogs.ts';
import { settingsWith } from '../testing/settings.ts';
import type { Settings } from '../use-settings.ts';
import { VisualRatios } from './visual-ratios.tsx';

afterEach(() => openedDialog.set(undefined));

/** Opens the table with one model. */
const show = (settings: Settings) => {
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <VisualRatios settings={settings} /> }),
    history: createMemoryHistory({ initialEntries: ['/?tab=operation&ratio=visual'] }),
  });
  render(<RouterProvider router={router} />);
  return router;
};

it('prices that are typed into the table and not applied are not lost unasked, not even by another view of them', async () => {
  const settings = settingsWith({ saved: new Map([['ModelRatio', '{"m":1}']]) });
  const router = show(settings);
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

it('prices that are typed while others are saved stay', async () => {
  const sent: unknown[] = [];
  const saving = Promise.withResolvers<boolean>();
  const saved = new Map<OptionKey, string>([['ModelRatio', '{"m":1}']]);
  const saveTexts: Settings['saveTexts'] = (texts) => {
    sent.push(texts.ModelRatio);
    return saving.promise;
  };
  show(settingsWith({ saved, stored: saved, saveTexts }));
  const ratio = await screen.findByLabelText<HTMLInputElement>('m: visual.ratio');
  fireEvent.change(ratio, { target: { value: '2' } });
  fireEvent.click(screen.getByRole('button', { name: 'visual.apply' }));
  fireEvent.change(ratio, { target: { value: '23' } });
  await act(async () => saving.resolve(true));
  expect([sent.map((text) => JSON.parse(String(text))), ratio.value]).toEqual([[{ m: 2 }], '23']);
});
