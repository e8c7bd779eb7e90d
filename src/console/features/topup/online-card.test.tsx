// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { loadTexts } from '../../lib/text/i18n.ts';
import { refreshSiteStatus } from '../../lib/server/site-status.ts';
import zh from '../../locales/zh/topup.json' with { type: 'json' };
import { OnlineCard } from './online-card.tsx';

// Which of these tests comes first does not matter.
beforeAll(() => loadTexts('topup'));
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

const info = { enable_online_topup: true, pay_methods: [], min_topup: 1, topup_link: '' };

it('shows that online top-up is off, or that there is no payment method, instead of the form', () => {
  const { container, rerender } = render(<OnlineCard info={{ ...info, enable_online_topup: false }} />);
  const said = (): string | undefined => container.querySelector('.notice')?.textContent;
  expect([said(), container.querySelector('input')]).toEqual([zh.online.off, null]);
  rerender(<OnlineCard info={info} />);
  expect([said(), container.querySelector('input')]).toEqual([zh.online.wrong, null]);
  expect([zh.online.off, zh.online.wrong]).toEqual([
    '管理员未开启在线充值！',
    '支付方式配置错误, 请联系管理员',
  ]);
});

const answer = (data: unknown): void => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => Response.json({ success: true, message: '', data })),
  );
};

const method = { name: 'Cash', type: 'cash', color: '' };

it.each([
  ['money, for less than it is worth', true, 1, '10.00', '按汇率 7.3 折合 ¥7.30'],
  ['quota, for less than it is worth', false, 1_000_000, '10.00', '按汇率 7.3 折合 ¥14.60'],
  ['money, for what it is worth', true, 1, '7.30', undefined],
])('an amount in %s', async (_, inMoney, least, costs, worth) => {
  answer({
    system_name: 'Gate',
    quota_per_unit: 500_000,
    display_in_currency: inMoney,
    usd_exchange_rate: 7.3,
    chats: [],
    pay_methods: [method],
  });
  await refreshSiteStatus();
  answer(costs);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <OnlineCard info={{ ...info, pay_methods: [method], min_topup: least }} />
    </QueryClientProvider>,
  );
  await screen.findByText(`¥${costs}`);
  expect(screen.queryByText(/折合/)?.textContent).toBe(worth);
});

it('an emptied amount can be typed again', async () => {
  answer({ quota_per_unit: 500_000, display_in_currency: true, usd_exchange_rate: 7.3, chats: [] });
  await refreshSiteStatus();
  answer('7.30');
  render(
    <QueryClientProvider client={new QueryClient()}>
      <OnlineCard info={{ ...info, pay_methods: [method] }} />
    </QueryClientProvider>,
  );
  const field = screen.getByRole<HTMLInputElement>('spinbutton');
  fireEvent.change(field, { target: { value: '' } });
  expect([field.value, screen.getByRole<HTMLButtonElement>('button', { name: 'Cash' }).disabled]).toEqual([
    '',
    true,
  ]);
  fireEvent.change(field, { target: { value: '50' } });
  expect(field.value).toBe('50');
});
