// Stands alone: what is asked of the system, beside what is allowed.
import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';

type AllAddresses = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;
type LookupAll = (hostname: string, options: LookupAllOptions, callback: AllAddresses) => void;

/**
 * Looks each name up once at a time, for all who ask meanwhile. Lookups run two at a time in threads of the process and
 * are never given up: hundreds of calls to an upstream whose name does not resolve would hold up all other names for
 * minutes.
 */
export const lookupOnce = (ask: LookupAll = lookup): LookupAll => {
  const asking = new Map<string, AllAddresses[]>();
  return (hostname, options, callback) => {
    const { family = 0, hints = 0 } = options;
    const name = `${hostname} ${String(family)} ${String(hints)}`;
    const waiting = asking.get(name);
    if (waiting !== undefined) {
      waiting.push(callback);
      return;
    }
    const all = [callback];
    asking.set(name, all);
    ask(hostname, options, (error, addresses) => {
      asking.delete(name);
      for (const one of all) one(error, addresses);
    });
  };
};
