import { join } from 'node:path';
import { spawnServer } from '../spawn-server.ts';
import type { NoticeFault } from './notice.ts';

export interface RunningPayments {
  readonly url: string;
  /** Posts a cashier's form as the payer's browser would. @returns the status of the cashier's page */
  open(fields: Readonly<Record<string, string>>): Promise<number>;
  /** Notifies the merchant of an order, several times at once if asked. @returns its answers */
  tell(tradeNo: string, fault?: NoticeFault, times?: number): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** Starts the fake payment gateway as a process of its own, on any free port. */
export const startPayments = async (merchantId: string, key: string): Promise<RunningPayments> => {
  const file = join(import.meta.dirname, 'main.ts');
  const { url, stop } = await spawnServer(file, ['--merchant', merchantId, '--key', key]);
  return {
    url,
    stop,
    open: async (fields) => {
      const response = await fetch(`${url}/submit.php`, {
        method: 'POST',
        body: new URLSearchParams(fields),
      });
      await response.text();
      return response.status;
    },
    tell: async (tradeNo, fault = {}, times = 1) => {
      const response = await fetch(`${url}/__payments/tell`, {
        method: 'POST',
        body: JSON.stringify({ tradeNo, fault, times }),
      });
      if (response.status !== 200) throw new Error(await response.text());
      return (await response.json()) as string[];
    },
  };
};
