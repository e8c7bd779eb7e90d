import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { OptionValues } from '../../src/contract/options.ts';
import { brokenRules } from '../../src/server/store/testing/broken-rules.ts';
import { type RunningSimulator, startSimulator } from '../../src/simulator/start.ts';
import { type Rig, type RigChannel, startRig } from './rig.ts';

/**
 * A simulator for the file and a gateway for the test that starts one. After each test no hold is open and the
 * audit is clean, whatever the test was about.
 */
export const useGateway = () => {
  let simulator: RunningSimulator;
  let rig: Rig | undefined;

  beforeAll(async () => {
    simulator = await startSimulator();
  });
  afterAll(() => simulator.stop());
  beforeEach(() => simulator.reset());
  afterEach(async () => {
    if (rig === undefined) return;
    // A call is settled after its answer has left: the caller may know it before the ledger does.
    await expect.poll(rig.openHolds).toBe(0);
    expect(await brokenRules(rig.database)).toEqual([]);
    await rig.stop();
    rig = undefined;
  });

  return {
    simulator: (): RunningSimulator => simulator,
    /** A channel whose upstream answers with a script, whatever model is asked for. */
    scripted: (script: string, beside: Partial<RigChannel> = {}): RigChannel => ({
      baseUrl: simulator.url,
      modelMapping: JSON.stringify({ m: `fault-${script}` }),
      ...beside,
    }),
    good: (beside: Partial<RigChannel> = {}): RigChannel => ({ baseUrl: simulator.url, ...beside }),
    start: async (
      channels: readonly RigChannel[],
      options: Partial<OptionValues> = {},
      quotaUnits?: number,
    ): Promise<Rig> => (rig = await startRig(channels, options, quotaUnits)),
  };
};
