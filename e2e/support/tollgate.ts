import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram, type Program } from './program.ts';

export interface Tollgate {
  /** `http://127.0.0.1:41234` */
  readonly url: string;
  readonly program: Program;
  readonly dataDir: string;
  /** The secret of the one-time setup link; undefined once the first account exists. */
  readonly setupSecret: string | undefined;
  /** Stops it, removes its data and returns its exit code. */
  stop(): Promise<number | string>;
}

export interface TollgateOptions {
  /** The data folder, kept after `stop`. Default: a new one, removed after `stop`. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The file that Node runs. Default: `serverFile`. */
  readonly file?: string;
  /** A command that starts the program: `['taskset', '-c', '0']`. */
  readonly launcher?: readonly string[];
  /** Flags for Node: `['--cpu-prof']`. */
  readonly nodeFlags?: readonly string[];
}

/**
 * For servers of which a test only wants to be served: helpers of the garbage collector, and a young heap that grows from half a
 * megabyte, take a quarter of what such a short-lived process does.
 */
export const shortLived: readonly string[] = ['--single-threaded-gc', '--min-semi-space-size=16'];

/** The built server named by `TOLLGATE_SERVER`, which `npm test` sets after building; else the sources. */
export const serverFile = process.env['TOLLGATE_SERVER'] ?? 'src/server/main.ts';

/** Starts the real server on a free port and waits until it serves. */
export const startTollgate = async (options: TollgateOptions = {}): Promise<Tollgate> => {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'tollgate-')));
  const [command, ...args] = [
    ...(options.launcher ?? []),
    'node',
    ...(options.nodeFlags ?? []),
    options.file ?? serverFile,
  ];
  const program = startProgram(command, args, {
    PORT: '0',
    HOST: '127.0.0.1',
    TOLLGATE_DATA_DIR: dataDir,
    TOLLGATE_ALLOW_PRIVATE_UPSTREAMS: 'true',
    TOLLGATE_ALLOW_PRIVATE_WEBHOOKS: 'true',
    TOLLGATE_ALLOW_PRIVATE_MAIL: 'true',
    ...options.env,
  });
  const [, port] = await program.printed(/http:\/\/[\w.[\]:]*?:(\d+)/);
  const url = `http://127.0.0.1:${port}`;
  await serving(url, program);
  return {
    url,
    program,
    dataDir,
    setupSecret: /[?&#/]secret=([\w-]+)/.exec(program.output())?.[1],
    stop: async () => {
      const how = await program.end('SIGTERM');
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
      return how;
    },
  };
};

const START_TIMEOUT_MS = 60_000;

const serving = async (url: string, program: Program): Promise<void> => {
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const ok = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) return;
    if (performance.now() > deadlineMs)
      throw new Error(`not ready in ${START_TIMEOUT_MS} ms:\n${program.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};
