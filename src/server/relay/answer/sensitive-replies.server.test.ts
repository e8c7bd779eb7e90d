import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningSimulator, startSimulator } from '../../../simulator/start.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';

/** Sensitive words in replies, for callers of every format, forwarded and converted. */

const MODEL = 'gpt-4o-mini';
/** The simulator cuts its answer to this in the middle of the sensitive words. */
const QUESTION = 'Plan a trip';
const LISTED = 'The Coast Path';
const BEFORE = 'old observatory';

let simulator: RunningSimulator;
let scene: Scene;
let alice: Spender;

const set: Scene['set'] = (option, value) => scene.set(option, value);

beforeAll(async () => {
  simulator = await startSimulator();
  scene = await openScene();
  alice = await scene.spender('alice', 10_000_000);
  await scene.stage.channel(scene.root, { baseUrl: simulator.url, models: MODEL });
  await set('ModelRatio', JSON.stringify({ [MODEL]: 0.1 }));
  await set('SensitiveWords', `unheard of\n${LISTED}`);
});
afterAll(async () => {
  await scene.close();
  await simulator.stop();
});
beforeEach(async () => {
  await set('CheckSensitiveEnabled', true);
  await set('CheckSensitiveOnCompletionEnabled', true);
  await set('StopOnSensitiveEnabled', true);
});

interface Said {
  readonly status: number;
  readonly text: string;
  readonly paid: number;
}

const used = async (): Promise<number> =>
  (await scene.server.parts.stores.users.byId(alice.user.id))?.usedQuotaUnits ?? 0;

const send = async (path: string, body: object): Promise<Said> => {
  const { users } = scene.server.parts.stores;
  const quota = async () => (await users.byId(alice.user.id))?.quotaUnits ?? 0;
  const before = await quota();
  const response = await fetch(`${scene.server.url}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer sk-${alice.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const open = async () =>
    (
      await scene.server.parts.stores.database.reader
        .selectFrom('holds')
        .select('id')
        .where('state', '=', 'open')
        .execute()
    ).length;
  await expect.poll(open).toBe(0);
  return { status: response.status, text, paid: before - (await quota()) };
};

/** Everything said in an answer, joined: texts of events come in pieces. */
const wordsOf = ({ text }: Said): string =>
  [...text.matchAll(/"(?:text|content|delta)":"((?:[^"\\]|\\.)*)"/g)].map(([, piece]) => piece).join('');

const messages = [{ role: 'user', content: QUESTION }];
const contents = [{ role: 'user', parts: [{ text: QUESTION }] }];
const formats = [
  ['openai chat', '/v1/chat/completions', { model: MODEL, messages }],
  ['openai responses', '/v1/responses', { model: MODEL, input: QUESTION }],
  ['anthropic messages', '/v1/messages', { model: MODEL, max_tokens: 900, messages }],
  ['gemini', `/v1beta/models/${MODEL}:generateContent`, { contents }],
] as const;

describe.each(formats)('an answer in the format of %s', (name, path, body) => {
  const streamed = (): Promise<Said> =>
    name === 'gemini'
      ? send(path.replace('generateContent', 'streamGenerateContent?alt=sse'), body)
      : send(path, { ...body, stream: true });

  it('is withheld in full if it has a listed word, and charged, because it was made', async () => {
    const said = await send(path, body);
    expect([said.status, said.text]).toEqual([400, expect.stringContaining('sensitive words detected')]);
    expect(said.text).not.toContain(BEFORE);
    expect(said.paid).toBeGreaterThan(0);
  });

  it('as a stream ends with an error before the word is complete, and its text so far is charged', async () => {
    const said = await streamed();
    expect([said.status, said.text]).toEqual([200, expect.stringContaining('sensitive words detected')]);
    expect(wordsOf(said)).toContain(BEFORE);
    expect(wordsOf(said).toLowerCase()).not.toContain(LISTED.toLowerCase());
    expect(said.paid).toBeGreaterThan(0);
  });

  it('passes if replies are not checked; if calls are not to be stopped, it is only logged', async () => {
    await set('CheckSensitiveOnCompletionEnabled', false);
    expect(wordsOf(await streamed()).toLowerCase()).toContain(LISTED.toLowerCase());
    await set('CheckSensitiveOnCompletionEnabled', true);
    await set('StopOnSensitiveEnabled', false);
    const before = scene.log.lines.length;
    expect((await send(path, body)).status).toBe(200);
    expect(wordsOf(await streamed()).toLowerCase()).toContain(LISTED.toLowerCase());
    const noted = scene.log.lines
      .slice(before)
      .filter((line) => line.includes('a reply has a sensitive word'));
    expect(noted).toHaveLength(2);
  });
});

describe('what an upstream keeps', () => {
  const keep = async (more: object): Promise<string> => {
    const made = await send('/v1/responses', { model: MODEL, input: `say ${LISTED} is open`, ...more });
    return (JSON.parse(made.text) as { id: string }).id;
  };
  const read = async (path: string): Promise<string> => {
    const headers = { Authorization: `Bearer sk-${alice.key}` };
    return (await fetch(`${scene.server.url}/v1/${path}`, { headers })).text();
  };
  beforeEach(() => set('CheckSensitiveOnPromptEnabled', false));
  afterEach(() => set('CheckSensitiveOnPromptEnabled', true));

  it.each(['', '?stream=true'])('is withheld where it is read again%s', async (query) => {
    await set('CheckSensitiveOnCompletionEnabled', false);
    const id = await keep({});
    expect(await read(`responses/${id}${query}`)).toContain(LISTED);
    await set('CheckSensitiveOnCompletionEnabled', true);
    const withheld = await read(`responses/${id}${query}`);
    expect(withheld).toContain('sensitive words detected');
    expect(withheld).not.toContain(LISTED);
    expect(await read(`responses/${id}/input_items`), 'what its caller wrote').toContain(LISTED);
  });

  it('is withheld from a response in the background, which is charged all the same', async () => {
    const before = await used();
    const id = await keep({ background: true });
    await expect.poll(() => read(`responses/${id}`)).toContain('sensitive words detected');
    expect(await used()).toBeGreaterThan(before);
  });
});

it.each(['json', 'text'])('a transcript as %s is withheld, and charged, because it was made', async (as) => {
  await set('SensitiveWords', 'well with');
  const before = await used();
  const body = new FormData();
  body.append('file', new Blob(['not much of a sound']), 'a.mp3');
  for (const [name, value] of Object.entries({ model: MODEL, response_format: as })) body.append(name, value);
  const headers = { Authorization: `Bearer sk-${alice.key}` };
  const answer = await fetch(`${scene.server.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers,
    body,
  });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('sensitive words')]);
  await expect.poll(used).toBeGreaterThan(before);
  await set('SensitiveWords', `unheard of\n${LISTED}`);
});

it('leaves the ledger consistent', async () => {
  expect(await brokenRules(scene.server.parts.stores.database)).toEqual([]);
});
