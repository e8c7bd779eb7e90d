import { afterAll, beforeAll } from 'vitest';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import { formats, oneFormatUpstream, typeOfFormat } from '../support/one-format.ts';
import { type Rig, startRig } from './rig.ts';

interface Upstream {
  readonly addressOf: (format: DialectName) => string;
  readonly stop: () => Promise<void>;
}

/** A gateway with a channel for each format, each with one model of ratio 1. Nothing is tried twice. */
const startFormatsRig = ({ addressOf }: Upstream, modelOf: (format: DialectName) => string): Promise<Rig> =>
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

/**
 * An upstream of all four formats for the tests of a file, and a gateway in front of it with a channel for each.
 * @param modelOf what the model of a format is called; else it has the format's name
 */
export const useFormats = <Started extends Upstream>(
  startUpstream: () => Promise<Started>,
  modelOf: (format: DialectName) => string = (format) => format,
) => {
  let upstream: Started;
  let rig: Rig;
  beforeAll(async () => {
    upstream = await startUpstream();
    rig = await startFormatsRig(upstream, modelOf);
  });
  afterAll(async () => {
    await rig.stop();
    await upstream.stop();
  });
  return {
    upstream: (): Started => upstream,
    rig: (): Rig => rig,
    /** A call with the key of the gateway's one user, if not with another. */
    post: (
      path: string,
      body: unknown,
      key: Readonly<Record<string, string>> = { authorization: `Bearer ${rig.key}` },
    ): Promise<Response> =>
      fetch(rig.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...key },
        body: JSON.stringify(body),
      }),
  };
};
