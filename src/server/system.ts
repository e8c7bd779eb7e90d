import { randomBytes } from 'node:crypto';
import { ALPHANUMERIC, type Random } from '#core/clock.ts';
import type { Log, LogFields } from '#core/logging.ts';
import { SharedClock } from '#core/time/shared-clock.ts';
import { inSources } from './source-places.ts';

/** The clock of this process. On PostgreSQL it goes by the database's, which all nodes share. */
export const systemClock = new SharedClock({
  now: () => Date.now(),
  monotonic: () => performance.now(),
});

/** Higher bytes are skipped, because they would make the first characters more likely than the rest. */
const FAIR_BYTES = 256 - (256 % ALPHANUMERIC.length);

export const systemRandom: Random = {
  unit: () => Math.random(),
  alphanumeric(length) {
    let text = '';
    while (text.length < length) {
      for (const byte of randomBytes(length - text.length + 8)) {
        if (byte < FAIR_BYTES && text.length < length) text += ALPHANUMERIC[byte % ALPHANUMERIC.length];
      }
    }
    return text;
  },
};

/** An error as log fields; as plain JSON it would be `{}`. */
const readable = (value: unknown): unknown => {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { name, message, stack, ...(cause === undefined ? {} : { cause: readable(cause) }) };
};

/** Logs one JSON object per line. Secrets print as `[secret]`, by their type; stack traces name our sources. */
export const createJsonLog = (write: (line: string) => void, now: () => number): Log => {
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}) => {
      const shown = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, readable(value)]));
      const line = JSON.stringify({ time: new Date(now()).toISOString(), level, message, ...shown });
      write(`${inSources(line)}\n`);
    };
  return { info: at('info'), warn: at('warn'), error: at('error') };
};
