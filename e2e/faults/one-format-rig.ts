import type { DialectName } from '../../src/server/core/chat/request.ts';
import { formats, oneFormatUpstream, typeOfFormat } from '../support/one-format.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import { type Rig, startRig } from './rig.ts';

/** A gateway with a channel for each format, whose upstream is at `addressOf` and serves one model. Nothing is tried twice. */
export const startFormatsRig = (
  addressOf: (format: DialectName) => string,
  modelOf: (format: DialectName) => string = (format) => format,
): Promise<Rig> =>
  startRig(
    formats.map((format) => ({
      type: typeOfFormat(format),
      baseUrl: addressOf(format),
      models: modelOf(format),
      autoDisable: false,
    })),
    { ModelRatio: Object.fromEntries(formats.map((format) => [modelOf(format), 1])), RetryTimes: 0 },
    undefined,
    oneFormatUpstream,
  );

/** The same with a model named after each format, served by a scripted upstream of that format alone. */
export const startOneFormatRig = async () => {
  const upstream = await startScriptedUpstream();
  const rig = await startFormatsRig(upstream.addressOf);
  return {
    rig,
    upstream,
    stop: async (): Promise<void> => {
      await rig.stop();
      await upstream.stop();
    },
  };
};
