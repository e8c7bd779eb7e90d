import { useFormats } from '../faults/use-formats.ts';
import { startScriptedUpstream } from '../support/upstreams/scripted-upstream.ts';

/** A gateway with a model named after each format, served by an upstream of that format alone. */
export const useClients = () => {
  const { rig, upstream } = useFormats(startScriptedUpstream);
  return {
    url: () => rig().url,
    key: () => rig().key,
    asked: () => upstream().asked,
    openHolds: () => rig().openHolds(),
  };
};
