import { afterAll, beforeAll } from 'vitest';
import { allChannels } from '../../src/server/core/channel/testing/all-channels.ts';
import { openScene, type Scene, type Spender } from '../../src/server/http/testing/scene.ts';
import type { agents } from './agents.ts';

export type AgentName = keyof typeof agents;

/** The channel type of the maker that each agent speaks to. */
const TYPES: Readonly<Record<AgentName, number>> = {
  'Claude Code': 14,
  Codex: 1,
  'Gemini CLI': 24,
  opencode: 1,
};
const PROMPT = 'List the files of this folder with a tool, then say that all is well.';

/** An upstream whose keys the next agent can use again. */
interface PoolUpstream {
  readonly url: string;
  revive(): void;
  stop(): Promise<void>;
}

/**
 * A gateway for the file's agents, with several keys of one upstream, in one channel or each in its own.
 * @param start starts the upstream before the first test
 */
export const useAgentPool = <Upstream extends PoolUpstream>(
  start: () => Promise<Upstream>,
  { model, keys }: { readonly model: string; readonly keys: number },
) => {
  let upstream: Upstream;
  let scene: Scene;
  let spender: Spender;

  beforeAll(async () => {
    upstream = await start();
    scene = await openScene();
    await scene.set('ModelRatio', JSON.stringify({ [model]: 1 }));
    await scene.set('AutomaticDisableChannelEnabled', true);
    spender = await scene.spender('coder', 1_000_000_000);
  });
  afterAll(async () => {
    await scene.close();
    await upstream.stop();
  });

  const keyNames = Array.from({ length: keys }, (_, n) => `sk-a-long-enough-key-${n}`);
  const startAnew = async (): Promise<void> => {
    upstream.revive();
    const ids = (await allChannels(scene.server.parts.stores.channels)).map(({ id }) => id);
    if (ids.length > 0) await scene.asRoot('/api/channel/batch', { method: 'POST', body: { ids } });
  };
  const wishFor = (name: AgentName, setting: object, models: string) => ({
    type: TYPES[name],
    baseUrl: upstream.url,
    models,
    setting: JSON.stringify(setting),
  });

  return {
    upstream: () => upstream,
    scene: () => scene,
    /** The agent's task, and the gateway to use. */
    errand: () => ({ url: scene.server.url, key: `sk-${spender.key}`, model, prompt: PROMPT }),
    /** Replaces the channel by the one for this agent. */
    async poolFor(name: AgentName, setting: object = {}, models = model) {
      await startAnew();
      const key = keyNames.join('\n');
      return scene.stage.pool(scene.root, { ...wishFor(name, setting, models), key });
    },
    /** Replaces the channels by one for each key, for this agent. */
    async channelsFor(name: AgentName, setting: object = {}, models = model) {
      await startAnew();
      for (const key of keyNames)
        await scene.stage.channel(scene.root, { ...wishFor(name, setting, models), key });
    },
  };
};
