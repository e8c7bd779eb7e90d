import { createServer } from 'node:http';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import { unlimitedToken } from '#core/token/testing/unlimited-token.ts';
import type { User } from '#core/user/user.ts';
import { listening } from '../../outbound/testing/local-server.ts';
import { readConfig } from '../../config.ts';
import { type RunningServer, startServer } from '../../main.ts';
import { type RunningSimulator, startSimulator } from '../../../simulator/start.ts';
import { payingKey } from '../../http/testing/paying-key.ts';
import { startSmallUpstream } from '../../http/testing/small-upstream.ts';
import { type Stage, setStage } from '../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';

/** Two accounts at one fake upstream keep conversations, a third channel's upstream has no such thing. */

const folder = temporaryFolder();
let simulator: RunningSimulator;
let server: RunningServer;
let stage: Stage;
let root: User;
let alice: User;
let keys: string[];
let ofAlice: OpenAI;
let ofBob: OpenAI;
let ofNobody: OpenAI;

const clientOf = (key: string): OpenAI =>
  new OpenAI({ baseURL: `${server.url}/v1`, apiKey: `sk-${key}`, maxRetries: 0 });
const connect = (): void => {
  const [first, second, wrong] = keys.map(clientOf);
  if (!first || !second || !wrong) throw new Error('no keys');
  [ofAlice, ofBob, ofNobody] = [first, second, wrong];
};

beforeAll(async () => {
  simulator = await startSimulator();
  server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
  stage = await setStage(server);
  root = await stage.person('root', role.root);
  await server.parts.stores.options.set('ModelRatio', JSON.stringify({ one: 1, two: 1 }), 1);
  const { url } = simulator;
  await stage.channel(root, { type: 1, baseUrl: url, models: 'one', key: 'sk-first-account' });
  await stage.channel(root, { type: 1, baseUrl: url, models: 'one,two', key: 'sk-second-account' });
  await stage.channel(root, { type: 14, baseUrl: url, models: 'claude' });
  alice = await stage.person('alice');
  keys = [await payingKey(server, alice), await payingKey(server, await stage.person('bob')), 'wrong'];
  connect();
});
afterAll(async () => {
  await server.stop();
  await simulator.stop();
  folder.remove();
});

const paid = async () => (await server.parts.stores.users.byId(alice.id))?.usedQuotaUnits ?? 0;

describe('a conversation its upstream keeps', () => {
  it('is created, read, changed and deleted, with its items, at no cost', async () => {
    const before = await paid();
    const { conversations } = ofAlice;
    const said = { type: 'message' as const, role: 'user' as const, content: 'hello' };
    const made = await conversations.create({ items: [said], metadata: { about: 'tests' } });
    expect(await conversations.retrieve(made.id)).toMatchObject({ metadata: { about: 'tests' } });
    const changed = await conversations.update(made.id, { metadata: { about: 'more' } });
    expect(changed.metadata).toEqual({ about: 'more' });
    const { data } = await conversations.items.create(made.id, { items: [{ ...said, content: 'again' }] });
    const id = data[0]?.id ?? '';
    expect((await conversations.items.list(made.id)).data).toHaveLength(2);
    expect(await conversations.items.retrieve(id, { conversation_id: made.id })).toMatchObject({
      content: 'again',
    });
    await conversations.items.delete(id, { conversation_id: made.id });
    expect((await conversations.items.list(made.id)).data).toHaveLength(1);
    expect(await conversations.delete(made.id)).toMatchObject({ deleted: true });
    await expect(conversations.retrieve(made.id)).rejects.toMatchObject({ status: 404 });
    expect(await paid()).toBe(before);
  });

  it('is made at the channel with most models, and continued only there', async () => {
    const made = await ofAlice.conversations.create({});
    expect((await simulator.calls()).last?.headers['authorization']).toBe('Bearer sk-second-account');
    for (const model of ['one', 'two', 'one']) {
      await ofAlice.responses.create({ model, input: 'say on', conversation: made.id });
      expect((await simulator.calls()).last?.headers['authorization']).toBe('Bearer sk-second-account');
    }
  });

  it('outlives the server', async () => {
    const made = await ofAlice.conversations.create({ metadata: { stays: 'yes' } });
    await server.stop();
    server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
    stage = await setStage(server);
    connect();
    expect(await ofAlice.conversations.retrieve(made.id)).toMatchObject({ metadata: { stays: 'yes' } });
  });

  it('of another user is not found, and no upstream is called', async () => {
    const made = await ofAlice.conversations.create({});
    await simulator.reset();
    const { conversations } = ofBob;
    for (const asked of [
      () => conversations.retrieve(made.id),
      () => conversations.update(made.id, { metadata: {} }),
      () => conversations.delete(made.id),
      () => conversations.items.list(made.id),
      () => conversations.items.create(made.id, { items: [] }),
      () => conversations.items.delete('msg_1', { conversation_id: made.id }),
    ])
      await expect(asked()).rejects.toMatchObject({ status: 404 });
    const response = ofBob.responses.create({ model: 'one', input: 'hi', conversation: made.id });
    await expect(response).rejects.toMatchObject({ status: 400, param: 'conversation' });
    await expect(ofNobody.conversations.create({})).rejects.toMatchObject({ status: 401 });
    expect((await simulator.calls()).count).toBe(0);
  });

  it("reaches no other path through an item's id", async () => {
    const made = await ofAlice.conversations.create({});
    const answer = await fetch(`${server.url}/v1/conversations/${made.id}/items/%2e%2e%2f`, {
      method: 'DELETE',
      headers: { authorization: `Bearer sk-${keys[0] ?? ''}` },
    });
    expect(answer.status).toBe(404);
    expect((await ofAlice.conversations.retrieve(made.id)).id).toBe(made.id);
  });

  it("accepts no references to items, because one could be another user's", async () => {
    const items = [{ type: 'item_reference' as const, id: 'msg_of_somebody' }];
    await simulator.reset();
    await expect(ofAlice.conversations.create({ items })).rejects.toMatchObject({
      status: 400,
      param: 'items',
    });
    expect((await simulator.calls()).count).toBe(0);
  });

  it('may name no object of the upstream’s account, and the refusal says what was checked', async () => {
    await simulator.reset();
    const content = [{ type: 'input_file' as const, file_id: 'file-of-somebody' }];
    const items = [{ type: 'message' as const, role: 'user' as const, content }];
    await expect(ofAlice.conversations.create({ items })).rejects.toMatchObject({
      status: 400,
      param: 'items.0.content.0.file_id',
    });
    expect((await simulator.calls()).count).toBe(0);
    // Of a name that is there twice, what was checked goes out.
    await fetch(`${server.url}/v1/conversations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ofAlice.apiKey}`, 'content-type': 'application/json' },
      body: '{"items":[{"type":"item_reference","id":"msg_of_somebody"}],"items":[]}',
    });
    const { last } = await simulator.calls();
    expect(last?.body).toEqual({ items: [] });
  });

  it('accepts no items that would block other calls', async () => {
    await simulator.reset();
    const metadata = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`a name of ${at}`, 'x']));
    await expect(ofAlice.conversations.create({ metadata })).rejects.toMatchObject({ status: 400 });
    const items = [{ type: 'message' as const, role: 'user' as const, content: 'x'.repeat(13_000_000) }];
    await expect(ofAlice.conversations.create({ items })).rejects.toMatchObject({ status: 413 });
    expect((await simulator.calls()).count).toBe(0);
  });

  it.each([
    ['does not keep any is asked each time, and nothing is held against it', '', 7],
    ['refuses our key is passed over after that', '/echo', 1],
  ])('is made elsewhere where a channel %s', async (_what, path, times) => {
    const other = await startSmallUpstream();
    const models = 'one,two,three';
    const { id } = await stage.channel(root, { type: 1, baseUrl: other.url + path, models, key: 'sk-third' });
    for (let count = 0; count < 7; count += 1) await ofAlice.conversations.create({});
    expect(other.requests.map((request) => request.path)).toEqual(
      Array.from({ length: times }, () => `${path}/v1/conversations`),
    );
    await server.parts.channels.delete(root, id);
    await other.close();
  });

  it('is not made at another channel if one may have made it, because nobody would delete the first', async () => {
    const lost: string[] = [];
    const gone = createServer((request, response) => {
      lost.push(request.url ?? '');
      request.resume().on('end', () => response.destroy());
    });
    const baseUrl = await listening(gone);
    const models = 'one,two,three';
    const { id } = await stage.channel(root, { type: 1, baseUrl, models, key: 'sk-gone' });
    await simulator.reset();
    await expect(ofAlice.conversations.create({})).rejects.toMatchObject({ status: 502 });
    expect([lost, (await simulator.calls()).count]).toEqual([['/v1/conversations'], 0]);
    await server.parts.channels.delete(root, id);
    gone.close();
  });

  it('is made by a token of another group at a channel of that group, and by no other', async () => {
    const other = await startSmallUpstream();
    const ofVip = { type: 1, baseUrl: other.url, models: 'one', groups: 'vip', key: 'sk-vip' };
    const { id } = await stage.channel(root, ofVip);
    await server.parts.stores.options.set('UserUsableGroups', JSON.stringify({ default: '', vip: '' }), 1);
    await server.parts.refreshRouting();
    const [token] = await server.parts.tokens.create(
      alice,
      { ...unlimitedToken, name: 'vip', group: 'vip' },
      1,
    );
    // Its upstream keeps none, and no other channel is asked instead.
    await expect(clientOf(token?.key ?? '').conversations.create({})).rejects.toMatchObject({ status: 501 });
    expect(other.requests.map(({ path }) => path)).toEqual(['/v1/conversations']);
    await ofAlice.conversations.create({});
    expect(other.requests).toHaveLength(1);
    await server.parts.channels.delete(root, id);
    await other.close();
  });
});
