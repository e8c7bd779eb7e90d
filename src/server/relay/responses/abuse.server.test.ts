import { describe, expect, it } from 'vitest';
import { answerAtOnce, begin, end, say } from './testing/responses-upstream.ts';
import { openCaller } from './testing/socket-caller.ts';
import { create, MODEL, types, user, useSockets } from './testing/use-sockets.ts';

/** What may be sent over a WebSocket of responses by who means harm, or is broken. */

const use = useSockets();

const another = (key: string) => openCaller(use.scene().server.url, { authorization: `Bearer sk-${key}` });

it.each(['of another connection', 'of another user'])('a response %s is not continued', async (whose) => {
  use.caller().send(create({ input: [user('a secret')] }));
  await use.caller().turn();
  const { key } =
    whose === 'of another user' ? await use.scene().spender(`stranger`, 1_000_000) : use.spender();
  const stranger = await another(key);
  stranger.send(create({ previous_response_id: 'resp_1', input: [user('what was it?')] }));
  expect(await stranger.turn()).toMatchObject([
    { type: 'error', error: { code: 'previous_response_not_found' } },
  ]);
  expect(use.asked()).toHaveLength(1);
  stranger.socket.terminate();
});

it.each([
  ['no JSON', '{"type":'],
  ['a list', '[{"type":"response.create"}]'],
  ['a number', '7'],
  ['an event nobody knows', '{"type":"response.steal"}'],
  ['a create without a model', '{"type":"response.create","input":"hi"}'],
  ['a model that is no text', '{"type":"response.create","model":{"a":1},"input":"hi"}'],
  ['too many values', JSON.stringify(create({ input: Array.from({ length: 120_000 }, () => 1) }))],
  ['nested without an end', `{"type":"response.create","input":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ['a lane that is no text', JSON.stringify(create({ stream_id: { a: 1 } }))],
  ['an id before it that is no text', JSON.stringify(create({ previous_response_id: 7 }))],
])('%s is an error, and the connection lives on', async (_, text) => {
  use.caller().send(text);
  const [told] = await use.caller().turn();
  expect(told).toMatchObject({ type: 'error' });
  expect(Number(told?.['status'] ?? 400)).toBeLessThan(500);
  expect(use.asked()).toHaveLength(0);
  use.caller().send(create());
  expect(types(await use.caller().turn()).at(-1)).toBe('response.completed');
});

describe('many at once', () => {
  it('run sixteen at a time, wait, or are refused: each answered once and charged alone', async () => {
    const ALL = 120;
    let running = 0;
    let most = 0;
    use.answerBy((asked, number) => {
      most = Math.max(most, (running += 1));
      setTimeout(() => {
        running -= 1;
        answerAtOnce(asked, number);
      }, 30);
    });
    for (let at = 0; at < ALL; at += 1)
      use.caller().send(create({ stream_id: `lane-${String(at % 30)}`, input: [user(String(at))] }));
    let [completed, refused] = [0, 0];
    while (completed + refused < ALL) {
      const event = await use.caller().next();
      if (event?.['type'] === 'response.completed') completed += 1;
      if (event?.['type'] !== 'error') continue;
      expect(event).toMatchObject({ error: { code: 'websocket_queue_limit_reached' } });
      refused += 1;
    }
    expect(most).toBeLessThanOrEqual(16);
    expect(completed).toBeGreaterThanOrEqual(16 + 64);
    expect(use.asked()).toHaveLength(completed);
    const spent = async () => {
      const { users } = use.scene().server.parts.stores;
      return (await users.byId(use.spender().user.id))?.usedQuotaUnits;
    };
    await expect.poll(spent).toBe(completed * 120);
  });

  it('of a token that is deleted meanwhile: what runs is answered, nothing else begins', async () => {
    const go: (() => void)[] = [];
    use.answerBy((asked, number) => void go.push(() => answerAtOnce(asked, number)));
    for (const lane of ['a', 'b', 'a', 'b', 'a']) use.caller().send(create({ stream_id: lane }));
    await expect.poll(() => go.length).toBe(2);
    const { tokens } = use.scene().server.parts;
    const [token] = (await tokens.list(use.spender().user, { page: 1, pageSize: 1 })).items;
    await tokens.delete(use.spender().user, token?.id ?? 0);
    for (const answer of go) answer();
    const heard = [];
    for (let event = await use.caller().next(); event !== undefined; event = await use.caller().next())
      heard.push(event);
    expect(heard.filter(({ type }) => type === 'response.completed')).toHaveLength(2);
    expect(heard.filter(({ type }) => type === 'error').map(({ status }) => status)).toContain(401);
    expect(await use.caller().closed).toBe(1008);
    expect(use.asked()).toHaveLength(2);
  });
});

it('a caller that closes its half in the middle of an answer leaves no hold open', async () => {
  let isGone = false;
  use.answerBy((asked, number) => {
    begin(asked, `resp_${String(number)}`);
    say(asked, 'word '.repeat(50));
    const timer = setInterval(() => say(asked, 'more '), 20);
    void asked.gone.then(() => {
      clearInterval(timer);
      isGone = true;
    });
  });
  use.caller().send(create());
  for (let event = await use.caller().next(); event?.['type'] !== 'response.output_text.delta';)
    event = await use.caller().next();
  use.caller().endSending();
  await expect.poll(() => isGone).toBe(true);
  const held = async () => {
    const { users } = use.scene().server.parts.stores;
    return (await users.byId(use.spender().user.id))?.heldUnits;
  };
  await expect.poll(held).toBe(0);
  await expect.poll(async () => (await use.charged()).length).toBe(1);
});

it('frames in pieces and in pings are one event, and an upstream that answers twice is heard once', async () => {
  use.answerBy((asked, number) => {
    begin(asked, `resp_${String(number)}`);
    end(asked, `resp_${String(number)}`, 'hello');
  });
  const text = JSON.stringify(create({ model: MODEL }));
  const { socket } = use.caller();
  socket.send(text.slice(0, 20), { fin: false });
  socket.ping('x'.repeat(100));
  socket.send(text.slice(20), { fin: true });
  expect(types(await use.caller().turn()).at(-1)).toBe('response.completed');
});

it('leaves sound books', () => expect.poll(use.brokenBooks).toEqual([]));
