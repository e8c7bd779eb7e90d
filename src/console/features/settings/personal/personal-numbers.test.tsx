// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeAll, expect, it } from 'vitest';
import { loadTexts } from '../../../lib/text/i18n.ts';
import { BalancePanel } from './balance-panel.tsx';
import { NotifyPanel } from './notify-panel.tsx';
import type { Self } from './use-self.ts';

/** Source: specification, constants. */

// Files before this one may have loaded them, or not.
beforeAll(() => loadTexts('personal'));

const self = (setting: string): Self =>
  ({
    id: 2,
    username: 'ada',
    display_name: '',
    role: 1,
    group: 'default',
    quota: 1,
    used_quota: 0,
    request_count: 0,
    setting,
    email: '',
  }) as Self;

const show = (panel: ReactNode, models: readonly string[] = []): void => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(['own-models'], models);
  render(<QueryClientProvider client={client}>{panel}</QueryClientProvider>);
};

it('offers thresholds of 100,000, 500,000, 1,000,000 and 5,000,000 units', () => {
  show(<NotifyPanel self={self('')} />);
  const presets = [...document.querySelectorAll('.preset')];
  expect(presets.map(({ textContent }) => textContent)).toEqual(['$0.20', '$1.00', '$2.00', '$10.00']);
});

it.each([
  ['nothing was ever saved', '', '100000'],
  ['something was saved without it', '{"notify_type":"webhook"}', '500000'],
  ['it was saved', '{"quota_warning_threshold":7}', '7'],
])('the threshold where %s', (_, setting, shown) => {
  show(<NotifyPanel self={self(setting)} />);
  const inputs = [...document.querySelectorAll('input')];
  expect(inputs.map(({ value }) => value.replaceAll(',', ''))).toContain(shown);
});

it('shows ten models until "all" is chosen', () => {
  const models = Array.from({ length: 12 }, (_, at) => `model-${at}`);
  show(<BalancePanel self={self('')} />, models);
  const shown = () => document.querySelectorAll('.personal-models li').length;
  expect(shown()).toBe(10);
  fireEvent.click(screen.getByRole('button', { name: '展开全部 12 个模型' }));
  expect(shown()).toBe(12);
});

it('offers no "all" for ten models', () => {
  show(
    <BalancePanel self={self('')} />,
    Array.from({ length: 10 }, (_, at) => `model-${at}`),
  );
  expect(screen.queryByRole('button', { name: /^展开全部/ })).toBeNull();
});
