import { expect, it } from 'vitest';
import { holdRefusal } from './hold-refusal.ts';

const refusal = (ServerAddress: string, state: 'user_short' | 'token_short', heldUnits = 0) =>
  holdRefusal({ state, availableUnits: 20, heldUnits }, 300, {
    DisplayInCurrencyEnabled: false,
    QuotaPerUnit: 500_000,
    ServerAddress,
  });

it.each([
  ['', 'on the page Wallet of the console', { key: 'relay_wallet_page' }],
  [
    'https://gate.example/',
    'at https://gate.example/topup',
    { key: 'relay_wallet_at', values: { address: 'https://gate.example' } },
  ],
])(
  'who is short is told where to top up, in both languages, at the address “%s”',
  (address, where, wallet) => {
    const { message, phrase } = refusal(address, 'user_short');
    expect(message).toContain(`Top up ${where}, or `);
    expect(message).not.toContain('held by calls');
    expect(phrase?.values).toMatchObject({
      held: '',
      remedy: { key: 'relay_remedy', values: { where: wallet } },
    });
  },
);

it('a token that is short has no wallet, and what running calls hold is told', () => {
  const { message, phrase } = refusal('', 'token_short', 7);
  expect(message).toMatch(/held by calls that are running\. Raise the token's quota on the page Tokens/);
  expect(phrase).toBeUndefined();
  expect(refusal('', 'user_short', 7).phrase?.values).toMatchObject({ held: { key: 'relay_held_more' } });
});
