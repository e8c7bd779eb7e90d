import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';

type AllAddresses = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;
export type LookupAll = (hostname: string, options: LookupAllOptions, callback: AllAddresses) => void;

/** Names that wait for their turn; more are refused, because each can take half a minute. */
const WAITING_MAX = 100;

/**
 * Shares one lookup of a name among all who ask for it meanwhile. The system runs only two lookups at a time and
 * cannot cancel them, so hundreds of calls to a name that does not resolve would block all other names for minutes.
 * @param mostAtOnce how many different names are looked up at a time
 */
export const lookupOnce = (ask: LookupAll = lookup, mostAtOnce = Infinity): LookupAll => {
  const asking = new Map<string, AllAddresses[]>();
  const waitingTurn: (() => void)[] = [];
  let running = 0;
  return (hostname, options, callback) => {
    const { family = 0, hints = 0 } = options;
    const name = `${hostname} ${String(family)} ${String(hints)}`;
    const waiting = asking.get(name);
    if (waiting !== undefined) {
      waiting.push(callback);
      return;
    }
    if (running >= mostAtOnce && waitingTurn.length >= WAITING_MAX) {
      callback(Object.assign(new Error('too many names are being looked up'), { code: 'EAI_AGAIN' }), []);
      return;
    }
    const all = [callback];
    asking.set(name, all);
    const begin = (): void => {
      running += 1;
      ask(hostname, options, (error, addresses) => {
        running -= 1;
        asking.delete(name);
        waitingTurn.shift()?.();
        for (const one of all) one(error, addresses);
      });
    };
    if (running < mostAtOnce) begin();
    else waitingTurn.push(begin);
  };
};

/** For names that the operator has entered. */
export const lookUpOwn = lookupOnce();
/**
 * For names from users and upstreams. They use one of the system's two lookups; otherwise two webhooks whose names do
 * not resolve would block the connections of every channel.
 */
export const lookUpStrangers = lookupOnce(lookup, 1);
