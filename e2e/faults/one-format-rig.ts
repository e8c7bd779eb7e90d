import { formats, oneFormatUpstream, typeOfFormat } from '../support/one-format.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import { startRig } from './rig.ts';

/** A gateway with a model named after each format, served by a scripted upstream of that format alone. */
export const startOneFormatRig = async () => {
  const upstream = await startScriptedUpstream();
  const rig = await startRig(
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
  return {
    rig,
    upstream,
    stop: async (): Promise<void> => {
      await rig.stop();
      await upstream.stop();
    },
  };
};
