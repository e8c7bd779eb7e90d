import type { Scene, Spender } from '../../http/testing/scene.ts';

/** A charge as its log row tells it, in quota units. */
export interface Charge {
  readonly units: number;
  /** What was taken aside for it. */
  readonly hold_units: number;
  /** What it cost beyond what its payer had. */
  readonly not_charged_units?: number;
}

/** All charges of a spender, newest first. */
export const chargesOf = async ({ server }: Scene, { user }: Spender): Promise<readonly Charge[]> => {
  const filter = { userId: user.id, type: 2 };
  const { items } = await server.parts.stores.logs.page(filter, { page: 1, pageSize: 50 });
  return items.map(({ quotaUnits, other }) => ({
    units: quotaUnits,
    ...(JSON.parse(other) as Omit<Charge, 'units'>),
  }));
};
