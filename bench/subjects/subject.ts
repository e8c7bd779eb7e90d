import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeChannel, makeToken, setOption, setUp } from '../../e2e/support/operator.ts';
import { startTollgate } from '../../e2e/support/tollgate.ts';
import { startNginxProxy } from './nginx.ts';
import { listens, startPinned, until } from './pinned.ts';

/** The program being measured: between caller and upstream, alone on its core. */
export interface Subject {
  readonly name: 'tollgate' | 'nginx' | 'portkey' | 'floor' | 'peer';
  /** The URL for chat completions. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pid: number;
  stop(): Promise<unknown>;
}

export interface Ports {
  readonly whole: number;
  readonly stream: number;
  readonly subject: number;
}

/** Models served by the streaming upstream in Anthropic's format. */
export const messagesModel = 'paced-100-21';

/** Models served by the streaming upstream; the others get whole replies. */
const streamModels = ['paced-100-20', 'paced-30-1000', 'bulk-50'] as const;

export const CHAT_PATH = '/v1/chat/completions';

/** Starts the same build as a release, with its compile cache. */
export const builtFile = 'bin/tollgate.cjs';

export interface TollgateRun {
  /** The number of sensitive words; default: the default list. */
  readonly listedWords?: number;
  /** Writes a profile of the processor time to this folder. */
  readonly profileTo?: string;
  /** The file that Node runs. Default: the build. */
  readonly file?: string;
  readonly nodeFlags?: readonly string[];
}

/** Tollgate with everything on: token, limits, committed holds, settlement, log rows. */
export const startTollgateSubject = async (ports: Ports, run: TollgateRun = {}): Promise<Subject> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-bench-'));
  const tollgate = await startTollgate({
    dataDir,
    file: run.file ?? builtFile,
    // The whole load comes from one address.
    env: { TOLLGATE_CONNECTIONS_PER_ADDRESS: '10000' },
    launcher: ['taskset', '-c', '0'],
    nodeFlags: [
      ...(run.nodeFlags ?? []),
      ...(run.profileTo === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${run.profileTo}`]),
    ],
  });
  const operator = await setUp(tollgate);
  await setOption(
    operator,
    'ModelRatio',
    Object.fromEntries([...streamModels, messagesModel, 'bench-whole'].map((model) => [model, 0.01])),
  );
  await setOption(operator, 'ModelRequestRateLimitSuccessCount', 1_000_000_000);
  await setOption(operator, 'ModelRequestRateLimitEnabled', true);
  if (run.listedWords !== undefined)
    await setOption(operator, 'SensitiveWords', manyWords(run.listedWords).join('\n'));
  await makeChannel(operator, {
    name: 'whole',
    baseUrl: `http://127.0.0.1:${ports.whole}`,
    models: ['bench-whole'],
  });
  await makeChannel(operator, {
    name: 'streams',
    baseUrl: `http://127.0.0.1:${ports.stream}`,
    models: streamModels,
  });
  await makeChannel(operator, {
    type: 14,
    name: 'messages',
    baseUrl: `http://127.0.0.1:${ports.stream}`,
    models: [messagesModel],
  });
  const { key } = await makeToken(operator, { unlimited_quota: false, remain_quota: 90_000_000 });
  return {
    name: 'tollgate',
    url: `${tollgate.url}${CHAT_PATH}`,
    headers: { authorization: `Bearer ${key}` },
    pid: tollgate.program.pid,
    stop: async () => {
      await tollgate.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

/** Words as operators list them; no prompt of the benchmark contains any. */
const manyWords = (count: number): string[] =>
  Array.from(
    { length: count },
    (_, number) => `unwanted${((number * 7919) % 1_000_003).toString(36)} ${number}`,
  );

/**
 * A minimal gateway in Go, given as the source of a program that takes its port and the upstream. Undefined
 * if Go or the source is missing.
 */
export const buildFloor = async (): Promise<string | undefined> => {
  const source = process.env['TOLLGATE_BENCH_FLOOR'];
  if (source === undefined || spawnSync('which', ['go']).status !== 0) return undefined;
  const program = join(await mkdtemp(join(tmpdir(), 'tollgate-floor-')), 'floor');
  const { status } = spawnSync('go', ['build', '-o', program, source], { stdio: 'inherit' });
  return status === 0 ? program : undefined;
};

export const startFloorSubject = async (
  ports: Ports,
  program: string,
  shape: 'whole' | 'stream',
): Promise<Subject> => {
  const upstream = `http://127.0.0.1:${ports[shape]}`;
  // One core, like the others.
  const running = startPinned(0, program, [String(ports.subject), upstream], { env: { GOMAXPROCS: '1' } });
  await until('the start of the floor', () => listens(ports.subject));
  return {
    name: 'floor',
    url: `http://127.0.0.1:${ports.subject}${CHAT_PATH}`,
    headers: { authorization: 'Bearer sk-test' },
    pid: running.pid,
    stop: running.stop,
  };
};

export const startNginxSubject = async (ports: Ports, shape: 'whole' | 'stream'): Promise<Subject> => {
  const running = await startNginxProxy(ports.subject, ports[shape]);
  const url = `http://127.0.0.1:${ports.subject}${CHAT_PATH}`;
  return { name: 'nginx', url, headers: {}, pid: running.pid, stop: running.stop };
};

/** Its current release fails every stream on this project's Node version, so it gets whole replies only. */
export const startPortkeySubject = async (ports: Ports): Promise<Subject> => {
  const program = `${import.meta.dirname}/../node_modules/@portkey-ai/gateway/build/start-server.js`;
  const running = startPinned(0, 'node', [program, `--port=${ports.subject}`, '--headless'], {
    env: { NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: '127.0.0.1,localhost' },
  });
  await until('the start of Portkey', () => listens(ports.subject));
  const headers = {
    authorization: 'Bearer sk-simulated',
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `http://127.0.0.1:${ports.whole}/v1`,
  };
  return {
    name: 'portkey',
    url: `http://127.0.0.1:${ports.subject}${CHAT_PATH}`,
    headers,
    pid: running.pid,
    stop: running.stop,
  };
};
