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
  return {
    name,
    message,
    stack,
    ...(cause === undefined ? {} : { cause: readable(cause) }),
    // Of a host with several addresses: how each failed.
    ...(value instanceof AggregateError ? { errors: value.errors.map(readable) } : {}),
  };
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

/** `process.stdout`, which can be written to again after a failure. */
interface Output {
  readonly writableLength: number;
  on(event: 'error', listener: () => void): unknown;
  write(text: string, done: (error?: Error | null) => void): unknown;
}

/** What waits to be read: a log that nobody reads must not fill the memory. */
const UNREAD_MAX_BYTES = 1024 * 1024;

/**
 * Prints to a stream that may fail or stand still: a pipe whose reader has ended, a file on a full disk. Neither may end the
 * process, and with it everybody's calls. What could not be printed is counted, and said in the log as soon as something can.
 */
export const createPrinter = (stream: Output, now: () => number): ((text: string) => void) => {
  let lost = 0;
  // Each failure is counted where it was printed. Without a listener it would end the process.
  stream.on('error', () => {});
  const print = (text: string, count: number): void =>
    void stream.write(text, (error) => {
      if (error) lost += count;
    });
  return (text) => {
    if (stream.writableLength > UNREAD_MAX_BYTES) {
      lost += 1;
      return;
    }
    if (lost > 0) {
      const lines = lost;
      lost = 0;
      createJsonLog((line) => print(line, lines), now).warn('lines of the log could not be printed', {
        lines,
      });
    }
    print(text, 1);
  };
};
