import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hangUp, listening } from '../../src/server/outbound/testing/local-server.ts';
import { openScene, type Scene, type Spender } from '../../src/server/http/testing/scene.ts';
import { brokenRules } from '../../src/server/store/testing/broken-rules.ts';
import { answerIn, LAST_WORDS } from '../support/upstreams/scripted-upstream.ts';
import { codexConfig, modules } from './agents.ts';
import { startTalking, type Talking } from './command-line.ts';

/** Codex's user stops a turn in the middle, or sends a message meanwhile, and the conversation continues. */

const MODEL = 'interrupted-model';
const LONG = 'Tell me a long story.';
const STORY = 'Once upon a time there was a gateway. '.repeat(40);
/** The frames before the first words, and some of them. */
const FRAMES_BEFORE_SILENCE = 12;

let scene: Scene;
let spender: Spender;
/** What the upstream was asked, and how many streams were stopped before their end. */
const asked: string[] = [];
let stopped = 0;
/** Sends the rest of the story that was begun last. */
let tellRest = (): void => undefined;

/** Begins the story and sends nothing more until the test continues it; answers everything else. */
const upstream = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => void parts.push(part));
  request.on('end', () => {
    const text = Buffer.concat(parts).toString();
    asked.push(text);
    const isStory = text.lastIndexOf(LONG) > text.lastIndexOf('Go on.');
    const frames = answerIn('openai-responses', { text: isStory ? STORY : LAST_WORDS })
      .events()
      .split(/(?<=\n\n)/);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (!isStory) return void response.end(frames.join(''));
    response.write(frames.slice(0, FRAMES_BEFORE_SILENCE).join(''));
    tellRest = () => void response.end(frames.slice(FRAMES_BEFORE_SILENCE).join(''));
    response.on('close', () => (stopped += response.writableFinished ? 0 : 1));
  });
});

beforeAll(async () => {
  const baseUrl = await listening(upstream);
  scene = await openScene();
  await scene.set('ModelRatio', JSON.stringify({ [MODEL]: 1 }));
  await scene.stage.channel(scene.root, { baseUrl, models: MODEL, key: 'sk-a-long-enough-key' });
  spender = await scene.spender('coder', 1_000_000_000);
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

/** Codex as editors run it. */
const startCodex = async (isOverSocket: boolean) => {
  const errand = {
    url: scene.server.url,
    key: `sk-${spender.key}`,
    model: MODEL,
    prompt: '',
    isOverSocket,
  };
  const codex: Talking = await startTalking(
    [join(modules, '@openai/codex/bin/codex.js'), 'app-server'],
    { TOLLGATE_KEY: errand.key },
    { '.codex/config.toml': codexConfig(errand) },
  );
  let count = 0;
  const ask = async (method: string, params: object): Promise<Record<string, unknown>> => {
    const id = (count += 1);
    codex.send({ id, method, params });
    const answer = () => codex.heard.find((said) => said['id'] === id && !('method' in said));
    await expect.poll(answer).toBeDefined();
    expect(answer()).not.toHaveProperty('error');
    return answer()?.['result'] as Record<string, unknown>;
  };
  const told = (method: string) =>
    codex.heard.filter((said) => said['method'] === method).map(({ params }) => JSON.stringify(params));
  await ask('initialize', { clientInfo: { name: 'test', title: null, version: '1' } });
  codex.send({ method: 'initialized' });
  const { thread } = await ask('thread/start', { model: MODEL });
  const threadId = (thread as { id: string }).id;
  return {
    ask,
    told,
    threadId,
    stop: () => codex.stop(),
    async say(text: string): Promise<string> {
      const { turn } = await ask('turn/start', { threadId, input: [{ type: 'text', text }] });
      return (turn as { id: string }).id;
    },
  };
};

const audited = async (): Promise<void> => {
  const { database } = scene.server.parts.stores;
  const openHolds = () =>
    database.writer.selectFrom('holds').selectAll().where('state', '=', 'open').execute();
  await expect.poll(openHolds).toEqual([]);
  expect(await brokenRules(database)).toEqual([]);
};

/** Lets Codex begin the story, does something in the middle of it, and looks at what all of it cost. */
const inTheMiddle = async (
  isOverSocket: boolean,
  act: (codex: Awaited<ReturnType<typeof startCodex>>, turnId: string) => Promise<void>,
): Promise<void> => {
  const codex = await startCodex(isOverSocket);
  try {
    const turnId = await codex.say(LONG);
    await expect.poll(() => codex.told('item/agentMessage/delta').length).toBeGreaterThan(0);
    await act(codex, turnId);
    expect(codex.told('item/completed').join('\n')).toContain(LAST_WORDS);
    expect(codex.told('error')).toEqual([]);
    await audited();
  } finally {
    await codex.stop();
  }
};

describe.each([
  ['a WebSocket', true],
  ['HTTP', false],
])('Codex over %s', (_, isOverSocket) => {
  test(
    'is stopped in the middle of a turn: its upstream stops, what came is charged, and the next turn answers',
    { timeout: 120_000 },
    async () => {
      const before = stopped;
      await inTheMiddle(isOverSocket, async (codex, turnId) => {
        await codex.ask('turn/interrupt', { threadId: codex.threadId, turnId });
        await expect
          .poll(() => codex.told('turn/completed'))
          .toEqual([expect.stringContaining('interrupted')]);
        await expect.poll(() => stopped).toBe(before + 1);
        await codex.say('Go on.');
        await expect.poll(() => codex.told('turn/completed').length).toBe(2);
        expect(codex.told('turn/completed').at(-1)).not.toContain('"failed"');
        expect(asked.at(-1)).toContain(LONG);
      });
    },
  );

  test(
    'answers what its user says in the middle of a turn, without an error',
    { timeout: 120_000 },
    async () => {
      const before = stopped;
      await inTheMiddle(isOverSocket, async (codex, turnId) => {
        const input = [{ type: 'text', text: 'Go on.' }];
        await codex.ask('turn/steer', { threadId: codex.threadId, input, expectedTurnId: turnId });
        tellRest();
        await expect.poll(() => codex.told('turn/completed').length).toBe(1);
        // Over HTTP it leaves the answer and asks anew; over a WebSocket it lets it end and continues from it.
        await expect.poll(() => stopped - before).toBe(isOverSocket ? 0 : 1);
      });
    },
  );
});
