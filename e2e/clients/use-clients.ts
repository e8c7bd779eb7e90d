import { afterAll, beforeAll } from 'vitest';
import { startOneFormatRig } from '../faults/one-format-rig.ts';

/** A gateway with a model named after each format, served by an upstream of that format alone. */
export const useClients = () => {
  let started: Awaited<ReturnType<typeof startOneFormatRig>>;
  beforeAll(async () => {
    started = await startOneFormatRig();
  });
  afterAll(() => started.stop());
  return {
    url: () => started.rig.url,
    key: () => started.rig.key,
    asked: () => started.upstream.asked,
    openHolds: () => started.rig.openHolds(),
  };
};
