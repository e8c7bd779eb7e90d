import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fields, fieldsOf, listOf } from '#core/json/fields.ts';
import { hangUp, listening } from '../../outbound/testing/local-server.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';
import { cachedAnswer } from '../testing/caching-upstream.ts';

/**
 * What recorded conversations read from the caches of five keys, beside what they read from one. Recordings are of single
 * calls, so each is played as the session it must have been: every turn with all that came before it, long texts piece by
 * piece. The cache is as makers document theirs: of an account, from 1,024 tokens on in steps of 128, for five minutes.
 */

// oxlint-disable-next-line no-restricted-properties -- only where the recordings are; no setting of the server
const recordings = process.env['TOLLGATE_RECORDINGS'];
const folder = join(recordings ?? 'not there', 'exchanges');
const [BLOCK_BYTES, BLOCK_TOKENS, LEAST_TOKENS, LIFE_MS] = [512, 128, 1024, 300_000];
/** From turn to turn, and a pause that outlives the cache, by the upstream's own clock. */
const [TURN_MS, LUNCH_MS, LUNCH_TURN] = [30_000, 400_000, 6];
const [PIECE_CHARS, MOST_TURNS] = [3000, 16];

type Message = Fields;
const contentOf = (message: Message): string => {
  const { content } = message;
  return typeof content === 'string' ? content : JSON.stringify(content ?? '');
};

/** The turns of a conversation; a lone long text is said in pieces. */
const turnsOf = (messages: readonly Message[]): (readonly Message[])[] => {
  const text = messages.map(contentOf).join('\n');
  const said =
    messages.length >= 4
      ? messages
      : Array.from({ length: Math.min(2 * MOST_TURNS, Math.ceil(text.length / PIECE_CHARS)) }, (_, at) => ({
          role: at % 2 === 0 ? 'user' : 'assistant',
          content: text.slice(at * PIECE_CHARS, (at + 1) * PIECE_CHARS),
        }));
  const ends = said.flatMap(({ role }, at) => (role === 'assistant' || role === 'system' ? [] : [at + 1]));
  return ends.slice(0, MOST_TURNS).map((end) => said.slice(0, end));
};

const sessionsOf = (): (readonly Message[])[][] =>
  readdirSync(folder)
    .toSorted()
    .map((file) => fieldsOf(JSON.parse(readFileSync(join(folder, file), 'utf8'))))
    .filter(({ endpoint }) => endpoint === 'openai.chat')
    .map(({ request }) => listOf(fieldsOf(fieldsOf(request)['body'])['messages']).map(fieldsOf))
    // Files in an account of the upstream are refused.
    .filter((messages) => !JSON.stringify(messages).includes('"file_id"'))
    .map(turnsOf)
    .filter((turns) => turns.length > 1);

describe.skipIf(!existsSync(folder))('recorded conversations (needs TOLLGATE_RECORDINGS)', () => {
  let upstream: Server;
  let scene: Scene;
  let caller = '';
  let nowMs = 0;
  let [read, all] = [0, 0];
  /** By key: beginnings of prompts, and when they were read last. */
  const caches = new Map<string, Map<string, number>>();

  const cachedOf = (key: string, prompt: string): number => {
    const seen = caches.get(key) ?? new Map<string, number>();
    caches.set(key, seen);
    const hash = createHash('sha256');
    let [known, isKnown] = [0, true];
    for (let at = 0; at + BLOCK_BYTES <= prompt.length; at += BLOCK_BYTES) {
      const name = hash
        .update(prompt.slice(at, at + BLOCK_BYTES))
        .copy()
        .digest('base64');
      isKnown &&= nowMs - (seen.get(name) ?? -Infinity) <= LIFE_MS;
      if (isKnown) known += BLOCK_TOKENS;
      seen.set(name, nowMs);
    }
    return known < LEAST_TOKENS ? 0 : known;
  };

  beforeAll(async () => {
    upstream = createServer((request, response) => {
      let text = '';
      request.on('data', (bytes) => (text += String(bytes)));
      request.on('end', () => {
        const prompt = JSON.stringify(fieldsOf(JSON.parse(text))['messages']);
        const cached = cachedOf(request.headers.authorization ?? '', prompt);
        const tokens = Math.max(cached, Math.ceil(prompt.length / 4));
        [read, all] = [read + cached, all + tokens];
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(cachedAnswer(tokens, cached)));
      });
    });
    const baseUrl = await listening(upstream);
    scene = await openScene();
    await scene.set('ModelRatio', JSON.stringify({ single: 1, several: 1 }));
    await scene.stage.channel(scene.root, { baseUrl, models: 'single', key: 'sk-a-long-enough-key-alone' });
    const key = Array.from({ length: 5 }, (_, at) => `sk-a-long-enough-key-${String(at)}`).join('\n');
    await scene.stage.pool(scene.root, { baseUrl, models: 'several', key });
    caller = (await scene.spender('agent', 1_000_000_000)).key;
  });
  afterAll(async () => {
    await scene.close();
    hangUp(upstream);
  });

  /** All sessions at once, a turn of each after the other. */
  const shareOf = async (model: string, isNamed: boolean): Promise<number> => {
    caches.clear();
    [read, all] = [0, 0];
    const sessions = sessionsOf();
    expect(sessions.length).toBeGreaterThan(20);
    for (let turn = 0; turn < MOST_TURNS; turn += 1) {
      nowMs += turn === LUNCH_TURN ? LUNCH_MS : TURN_MS;
      for (const [at, turns] of sessions.entries()) {
        const messages = turns[turn];
        if (messages === undefined) continue;
        const reply = await fetch(`${scene.server.url}/v1/chat/completions`, {
          method: 'POST',
          headers: {
            authorization: `Bearer sk-${caller}`,
            'content-type': 'application/json',
            ...(isNamed && { 'session-id': `${model} session ${String(at)}` }),
          },
          body: JSON.stringify({ model, messages }),
        });
        expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)]);
      }
    }
    nowMs += 2 * LIFE_MS;
    return read / all;
  };

  it.each([
    ['whose clients name them', true],
    ['that nobody names', false],
  ])('of sessions %s five keys read as much as one, but for two points', async (_, isNamed) => {
    const [single, several] = [await shareOf('single', isNamed), await shareOf('several', isNamed)];
    expect(single).toBeGreaterThan(0.3);
    expect(several).toBeGreaterThan(single - 0.02);
  });
});
