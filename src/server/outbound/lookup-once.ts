// Stands alone: name lookups, separate from the rules of what is allowed.
import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';

type AllAddresses = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;
type LookupAll = (hostname: string, options: LookupAllOptions, callback: AllAddresses) => void;

/**
 * Shares one lookup of a name among all who ask for it meanwhile. The system runs only two lookups at a time and
 * cannot cancel them, so hundreds of calls to a name that does not resolve would block all other names for minutes.
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
