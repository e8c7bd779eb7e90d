import { afterAll, beforeAll } from 'vitest';
import { type Rig, startRig } from '../faults/rig.ts';
import { formats, oneFormatUpstream, typeOfFormat } from '../support/one-format.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';

/** A gateway with a model named after each format, served by an upstream of that format alone. */
export const useClients = () => {
  let upstream: Awaited<ReturnType<typeof startScriptedUpstream>>;
  let rig: Rig;
  beforeAll(async () => {
    upstream = await startScriptedUpstream();
    rig = await startRig(
      formats.map((format) => ({
        type: typeOfFormat(format),
        baseUrl: upstream.addressOf(format),
        models: format,
        autoDisable: false,
      })),
      { ModelRatio: Object.fromEntries(formats.map((format) => [format, 1])), RetryTimes: 0 },
      undefined,
      oneFormatUpstream,
    );
  });
  afterAll(async () => {
    await rig.stop();
    await upstream.stop();
  });
  return {
    url: () => rig.url,
    key: () => rig.key,
    asked: () => upstream.asked,
    openHolds: () => rig.openHolds(),
  };
};
