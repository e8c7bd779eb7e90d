import type { Log, LogFields } from '#core/logging.ts';

/** An error as its log line has it: JSON alone would show `{}`. */
const readable = (value: unknown): unknown => {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { name, message, stack, ...(cause === undefined ? {} : { cause: readable(cause) }) };
};

/** One JSON object a line. Secrets print as `[secret]`, by their type. */
export const createJsonLog = (write: (line: string) => void, now: () => number): Log => {
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}) => {
      const shown = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, readable(value)]));
      write(`${JSON.stringify({ time: new Date(now()).toISOString(), level, message, ...shown })}\n`);
    };
  return { info: at('info'), warn: at('warn'), error: at('error') };
};
