import { say } from '#contract/messages.ts';
import { AppError } from '#core/error.ts';
import { errorWords } from '#core/error-words.ts';
import { ConfigError } from './config.ts';
import { inSources } from './source-places.ts';

const NO_NAME = 'HOST is neither an address nor a name of this machine.';
const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another program uses this port already; set PORT to another one.',
  EACCES: 'This user may not use the port or the data directory.',
  EADDRNOTAVAIL: 'This machine does not have the address; set HOST to one it has.',
  ENOTFOUND: NO_NAME,
  EAI_AGAIN: NO_NAME,
};

/**
 * Why the server did not start or a command did not run, for the operator: a sentence for known problems, else the whole
 * error.
 * @param command the command, if it is not the server
 */
export const startProblem = (error: unknown, command?: string): string => {
  if (error instanceof ConfigError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  const known = LISTEN_PROBLEMS[code];
  if (known !== undefined) return `${known} (${error.message})`;
  if (error instanceof AppError) {
    // The callers' message, that the server is busy, does not help an operator.
    if (error.message === say('unavailable', 'en') && error.cause instanceof Error)
      return `The database (DATABASE_URL, else in TOLLGATE_DATA_DIR) cannot be used: ${errorWords(error.cause)}`;
    const detail = error.cause instanceof Error ? errorWords(error.cause) : '';
    const cause = error.message.includes(detail) ? '' : `: ${detail}`;
    const what = command === undefined ? 'The server cannot start' : `"tollgate ${command}" cannot run`;
    return `${what}: ${error.message}${cause}`;
  }
  return inSources(error.stack ?? error.message);
};
