import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { signIn } from '../../e2e/support/operator.ts';
import { listens, type Running, startPinned, until } from './pinned.ts';
import { CHAT_PATH, type Ports, type Subject } from './subject.ts';

/** Another gateway to compare with, if it is installed; its billing is switched on as far as it has any. */
interface Peer {
  readonly name: string;
  /** The program of its package. */
  readonly program: string;
  /** The prefix it requires before the name of a model. */
  readonly modelPrefix?: string;
  /** Starts it with one key and only this upstream; returns the key. */
  start(peer: StartedAt): Promise<{ readonly running: Running; readonly key: string }>;
}

interface StartedAt {
  readonly program: string;
  readonly port: number;
  /** `http://127.0.0.1:18081` */
  readonly upstream: string;
  /** Removed after it has ended. */
  readonly folder: string;
}

const MODEL = 'bench-whole';
const START_TIMEOUT_MS = 120_000;
const URL_OF = (port: number): string => `http://127.0.0.1:${port}`;

const started = async (name: string, running: Running, port: number): Promise<void> => {
  try {
    await until(`the start of ${name}`, () => listens(port), START_TIMEOUT_MS);
  } catch (thrown) {
    await running.stop();
    throw thrown;
  }
};

/**
 * Its keys and budgets need PostgreSQL, at the address in `TOLLGATE_BENCH_LITELLM_DATABASE`; without it, LiteLLM only adds
 * costs up.
 */
const litellm: Peer = {
  name: 'LiteLLM',
  program: 'litellm',
  async start({ program, port, upstream, folder }) {
    const database = process.env['TOLLGATE_BENCH_LITELLM_DATABASE'];
    const masterKey = 'sk-bench';
    const config = {
      model_list: [
        {
          model_name: MODEL,
          litellm_params: {
            model: `openai/${MODEL}`,
            api_base: `${upstream}/v1`,
            api_key: 'sk-simulated',
            input_cost_per_token: 0.000001,
            output_cost_per_token: 0.000002,
          },
        },
      ],
      general_settings: { master_key: masterKey, ...(database !== undefined && { database_url: database }) },
      litellm_settings: { num_retries: 0, telemetry: false },
    };
    // JSON is YAML.
    const file = join(folder, 'config.yaml');
    await writeFile(file, JSON.stringify(config));
    const args = ['--config', file, '--host', '127.0.0.1', '--port', String(port), '--num_workers', '1'];
    const env = { LITELLM_LOCAL_MODEL_COST_MAP: 'True', LITELLM_LOG: 'ERROR' };
    const running = startPinned(0, program, args, { env, cwd: folder });
    await started('LiteLLM', running, port);
    if (database === undefined) return { running, key: masterKey };
    const made = await fetch(`${URL_OF(port)}/key/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${masterKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ models: [MODEL], max_budget: 1000 }),
    });
    return { running, key: z.object({ key: z.string() }).parse(await made.json()).key };
  },
};

const bifrost: Peer = {
  name: 'Bifrost',
  program: 'bifrost-http',
  modelPrefix: 'openai/',
  async start({ program, port, upstream, folder }) {
    const key = 'sk-bf-bench';
    const config = {
      client: { enable_logging: true, enforce_auth_on_inference: true },
      providers: {
        openai: {
          keys: [{ name: 'only', value: 'sk-simulated', models: ['*'], weight: 1 }],
          network_config: { base_url: upstream },
        },
      },
      governance: {
        budgets: [{ id: 'bench', max_limit: 1000, reset_duration: '1M', virtual_key_id: 'bench' }],
        virtual_keys: [
          {
            id: 'bench',
            name: 'bench',
            value: key,
            is_active: true,
            provider_configs: [{ provider: 'openai', allowed_models: ['*'], key_ids: ['*'], weight: 1 }],
          },
        ],
      },
      config_store: { enabled: true, type: 'sqlite', config: { path: join(folder, 'config.db') } },
      logs_store: { enabled: true, type: 'sqlite', config: { path: join(folder, 'logs.db') } },
    };
    await writeFile(join(folder, 'config.json'), JSON.stringify(config));
    const args = ['-app-dir', folder, '-host', '127.0.0.1', '-port', String(port), '-log-level', 'error'];
    const running = startPinned(0, program, args, { env: { GOMAXPROCS: '1' } });
    await started('Bifrost', running, port);
    return { running, key };
  },
};

const newApi: Peer = {
  name: 'new-api',
  program: 'new-api',
  async start({ program, port, upstream, folder }) {
    const env = {
      GOMAXPROCS: '1',
      SQLITE_PATH: join(folder, 'new-api.db'),
      SESSION_SECRET: 'bench',
      TZ: 'UTC',
    };
    const args = ['--port', String(port), '--log-dir', folder];
    const running = startPinned(0, program, args, { env, cwd: folder });
    await started('new-api', running, port);
    return { running, key: await newApiKey(URL_OF(port), upstream) };
  },
};

const newApiKey = async (url: string, upstream: string): Promise<string> => {
  const password = 'correct horse';
  await fetch(`${url}/api/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      username: 'root',
      password,
      confirmPassword: password,
      SelfUseModeEnabled: false,
      DemoSiteEnabled: false,
    }),
  });
  const operator = await signIn(url, 'root', password);
  const ratios = JSON.stringify({ [MODEL]: 0.01 });
  await operator.call('/api/option/', { method: 'PUT', body: { key: 'ModelRatio', value: ratios } });
  const channel = {
    type: 1,
    name: 'only',
    key: 'sk-simulated',
    base_url: upstream,
    models: MODEL,
    group: 'default',
    groups: ['default'],
  };
  await operator.call('/api/channel/', { method: 'POST', body: { mode: 'single', channel } });
  const token = { name: 'bench', remain_quota: 90_000_000, expired_time: -1, unlimited_quota: false };
  await operator.call('/api/token/', { method: 'POST', body: token });
  const { items } = z
    .object({ items: z.array(z.object({ id: z.number() })) })
    .parse(await operator.call('/api/token/?p=1&size=10'));
  const told = await operator.call(`/api/token/${items[0]?.id ?? 0}/key`, { method: 'POST' });
  const { key } = z.object({ key: z.string() }).parse(told);
  return key.startsWith('sk-') ? key : `sk-${key}`;
};

/** A peer that is installed here. */
export interface FoundPeer {
  readonly name: string;
  readonly modelPrefix: string;
  start(ports: Ports): Promise<Subject>;
}

export interface Peers {
  readonly found: readonly FoundPeer[];
  /** The names of the peers left out, with the reason. */
  readonly leftOut: readonly string[];
}

const programOf = (name: string): string | undefined => {
  const folder = process.env['TOLLGATE_BENCH_PEERS'];
  const inFolder = [folder, folder && join(folder, 'bin')].flatMap((path) =>
    path ? [join(path, name)] : [],
  );
  const known = inFolder.find((file) => existsSync(file));
  if (known !== undefined) return known;
  const { status, stdout } = spawnSync('which', [name], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
};

const startPeer = async (peer: Peer, program: string, ports: Ports): Promise<Subject> => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-peer-'));
  const at = { program, port: ports.subject, upstream: URL_OF(ports.whole), folder };
  const { running, key } = await peer.start(at);
  return {
    name: 'peer',
    url: `${URL_OF(ports.subject)}${CHAT_PATH}`,
    headers: { authorization: `Bearer ${key}` },
    pid: running.pid,
    stop: async () => {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** The reason why it cannot be measured; undefined if it answers. */
const refusalOf = async (
  { modelPrefix = '', ...peer }: Peer,
  program: string,
  ports: Ports,
): Promise<string | undefined> => {
  let subject: Subject | undefined;
  try {
    subject = await startPeer({ ...peer, modelPrefix }, program, ports);
    const body = { model: `${modelPrefix}${MODEL}`, messages: [{ role: 'user', content: 'Hello' }] };
    const reply = await fetch(subject.url, {
      method: 'POST',
      headers: { ...subject.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return reply.ok ? undefined : `answered ${reply.status}`;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } finally {
    await subject?.stop();
  }
};

/** The other gateways that are installed here, on the `PATH` or in the folder `TOLLGATE_BENCH_PEERS`, and that answer. */
export const findPeers = async (ports: Ports): Promise<Peers> => {
  const found: FoundPeer[] = [];
  const leftOut: string[] = [];
  for (const peer of [newApi, litellm, bifrost]) {
    const program = programOf(peer.program);
    const why = program === undefined ? 'not installed' : await refusalOf(peer, program, ports);
    if (program === undefined || why !== undefined) leftOut.push(`${peer.name} (${why ?? ''})`);
    else
      found.push({
        name: peer.name,
        modelPrefix: peer.modelPrefix ?? '',
        start: (at) => startPeer(peer, program, at),
      });
  }
  return { found, leftOut };
};
