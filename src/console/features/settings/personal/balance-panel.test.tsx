// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';
import { loadTexts } from '../../../lib/text/i18n.ts';
import { BalancePanel } from './balance-panel.tsx';
import type { Self } from './use-self.ts';

/** Source: specification, constants. */

// Files before this one may have loaded them, or not.
beforeAll(() => loadTexts('personal'));

const self = { id: 2, username: 'ada', role: 1, group: 'default', quota: 1, used_quota: 0, request_count: 0 };

const show = (models: readonly string[]): void => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(['own-models'], models);
  render(
    <QueryClientProvider client={client}>
      <BalancePanel self={self as Self} />
    </QueryClientProvider>,
  );
};

it('shows ten models until "all" is chosen', () => {
  show(Array.from({ length: 12 }, (_, at) => `model-${at}`));
  const shown = () => document.querySelectorAll('.personal-models li').length;
  expect(shown()).toBe(10);
  fireEvent.click(screen.getByRole('button', { name: '展开全部 12 个模型' }));
  expect(shown()).toBe(12);
});

it('offers no "all" for ten models', () => {
  show(Array.from({ length: 10 }, (_, at) => `model-${at}`));
  expect(screen.queryByRole('button', { name: /^展开全部/ })).toBeNull();
});
