// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import zh from '../../locales/zh/topup.json' with { type: 'json' };
import { OnlineCard } from './online-card.tsx';

afterEach(cleanup);

const info = { enable_online_topup: true, pay_methods: [], min_topup: 1, topup_link: '' };

it('says that online top-up is off, or that no way to pay is set up, in place of the form', () => {
  const { container, rerender } = render(<OnlineCard info={{ ...info, enable_online_topup: false }} />);
  const said = (): string | undefined => container.querySelector('.notice')?.textContent;
  expect([said(), container.querySelector('input')]).toEqual(['online.off', null]);
  rerender(<OnlineCard info={info} />);
  expect([said(), container.querySelector('input')]).toEqual(['online.wrong', null]);
  expect([zh.online.off, zh.online.wrong]).toEqual([
    '管理员未开启在线充值！',
    '支付方式配置错误, 请联系管理员',
  ]);
});
