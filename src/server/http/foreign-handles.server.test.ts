import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idOf, openTaskScene, type TaskScene } from './testing/task-scene.ts';
import { calls, CONVERSATION_OPERATIONS, KEPT_OPERATIONS } from './calls/relay-paths.ts';
import { SUBMITS, TASK_READS } from '../relay/tasks/tasks.ts';

/**
 * Everything that Alice has had made through the relay is named by Bob, in every call of every format that can name one. He is
 * answered as about one that nobody has, no upstream hears of it, and Alice finds hers as it was. The console's calls are in
 * `foreign-names.server.test.ts`.
 */

const MODEL = 'one';

let tasks: TaskScene;
/** Of Alice, by kind. */
let hers: Readonly<Record<Kind, string>>;

type Kind = 'response' | 'conversation' | 'item' | 'drawing' | 'song' | 'drawingAtUpstream';

/** As long and of the same letters, but nobody's. */
const unknown = (id: string): string => `${id.slice(0, -6)}Zz9Zz9`;

interface Row {
  readonly kind: Kind;
  /** What is sent, with an id of that kind; `of` gives the others. */
  readonly send: (id: string, of: Readonly<Record<Kind, string>>) => { path?: string; body?: object };
  /** The answer is a list without it, instead of a refusal. */
  readonly isList?: true;
  /** An unknown one may have been made without this gateway, and is left to the upstream: only hers is refused here. */
  readonly isLeft?: true;
}

const say = (more: object) => ({ body: { model: MODEL, input: 'say it', ...more } });
const path = (of: (id: string) => string) => (id: string) => ({ path: of(id) });
const drawn = (body: (id: string) => object): Row => ({
  kind: 'drawing',
  send: (id) => ({ body: body(id) }),
});
const sung = (body: (id: string) => object): Row => ({ kind: 'song', send: (id) => ({ body: body(id) }) });
const message = { type: 'message', role: 'user', content: 'hello' };

/** What continues or compacts something: also in a body that is read in another thread. */
const continuing: readonly Row[] = [
  { kind: 'response', isLeft: true, send: (id) => say({ previous_response_id: id }) },
  {
    kind: 'response',
    isLeft: true,
    send: (id) => say({ previous_response_id: id, input: 'x'.repeat(600_000) }),
  },
  { kind: 'item', isLeft: true, send: (id) => say({ input: [{ type: 'item_reference', id }] }) },
  // Some upstreams merge this into the request.
  ...[
    (id: string) => ({ previous_response_id: id }),
    (id: string) => ({ Previous_Response_Id: id }),
    (id: string) => ({ extra_body: { previous_response_id: id } }),
    (id: string) => ({ input: [{ type: 'item_reference', id }] }),
  ].map((inside): Row => ({ kind: 'response', isLeft: true, send: (id) => say({ extra_body: inside(id) }) })),
];

/** A call that names no object of a caller. */
const namesNone = 'names nothing';
/** Whoever has the id of a picture, which cannot be guessed, may see it. */
const isOpen = 'open to whoever has the id';

const rows: Readonly<Record<string, readonly Row[] | typeof namesNone | typeof isOpen>> = {
  'GET /v1/responses/ID': [
    { kind: 'response', send: path((id) => `/v1/responses/${id}`) },
    { kind: 'response', send: path((id) => `/v1/responses/${id}?stream=true`) },
  ],
  'GET /v1/responses/ID/input_items': [
    { kind: 'response', send: path((id) => `/v1/responses/${id}/input_items`) },
  ],
  'POST /v1/responses/ID/cancel': [{ kind: 'response', send: path((id) => `/v1/responses/${id}/cancel`) }],
  'DELETE /v1/responses/ID': [{ kind: 'response', send: path((id) => `/v1/responses/${id}`) }],
  'POST /v1/conversations': namesNone,
  'GET /v1/conversations/ID': [{ kind: 'conversation', send: path((id) => `/v1/conversations/${id}`) }],
  'POST /v1/conversations/ID': [
    {
      kind: 'conversation',
      send: (id) => ({ path: `/v1/conversations/${id}`, body: { metadata: { by: 'bob' } } }),
    },
  ],
  'DELETE /v1/conversations/ID': [{ kind: 'conversation', send: path((id) => `/v1/conversations/${id}`) }],
  'GET /v1/conversations/ID/items': [
    { kind: 'conversation', send: path((id) => `/v1/conversations/${id}/items`) },
  ],
  'POST /v1/conversations/ID/items': [
    {
      kind: 'conversation',
      send: (id) => ({ path: `/v1/conversations/${id}/items`, body: { items: [message] } }),
    },
  ],
  'GET /v1/conversations/ID/items/ID': [
    { kind: 'conversation', send: (id, { item }) => ({ path: `/v1/conversations/${id}/items/${item}` }) },
    {
      kind: 'item',
      send: (id, { conversation }) => ({ path: `/v1/conversations/${conversation}/items/${id}` }),
    },
  ],
  'DELETE /v1/conversations/ID/items/ID': [
    { kind: 'conversation', send: (id, { item }) => ({ path: `/v1/conversations/${id}/items/${item}` }) },
    {
      kind: 'item',
      send: (id, { conversation }) => ({ path: `/v1/conversations/${conversation}/items/${id}` }),
    },
  ],
  'POST /v1/responses': [
    ...continuing,
    { kind: 'conversation', isLeft: true, send: (id) => say({ conversation: id }) },
    { kind: 'conversation', isLeft: true, send: (id) => say({ conversation: { id } }) },
  ],
  'POST /v1/responses/compact': continuing,
  'POST /v1/chat/completions': namesNone,
  'POST /v1/messages': namesNone,
  'POST /v1/completions': namesNone,
  'POST /v1/embeddings': namesNone,
  'POST /v1/edits': namesNone,
  'POST /v1/images/generations': namesNone,
  'POST /v1/images/edits': namesNone,
  'POST /v1/images/variations': namesNone,
  'POST /v1/audio/speech': namesNone,
  'POST /v1/audio/transcriptions': namesNone,
  'POST /v1/audio/translations': namesNone,
  'POST /v1/moderations': namesNone,
  'POST /v1/rerank': namesNone,
  // The playground's are the same calls, with a session for a key.
  'POST /pg/chat/completions': namesNone,
  'POST /pg/responses': namesNone,
  'POST /pg/messages': namesNone,
  'GET /mj/task/ID/fetch': [{ kind: 'drawing', send: path((id) => `/mj/task/${id}/fetch`) }],
  'GET /mj/task/ID/image-seed': [{ kind: 'drawing', send: path((id) => `/mj/task/${id}/image-seed`) }],
  'GET /mj/image/ID': isOpen,
  'POST /mj/task/list-by-condition': [{ ...drawn((id) => ({ ids: [id] })), isList: true }],
  'POST /mj/notify': [
    drawn((id) => ({ id, status: 'SUCCESS', progress: '100%' })),
    { kind: 'drawingAtUpstream', send: (id) => ({ body: { id, status: 'SUCCESS', progress: '100%' } }) },
  ],
  'POST /mj/submit/imagine': namesNone,
  'POST /mj/submit/describe': namesNone,
  'POST /mj/submit/blend': namesNone,
  'POST /mj/submit/shorten': namesNone,
  'POST /mj/submit/upload-discord-images': namesNone,
  'POST /mj/submit/change': [drawn((taskId) => ({ taskId, action: 'UPSCALE', index: 1 }))],
  'POST /mj/submit/simple-change': [drawn((id) => ({ content: `${id} U1` }))],
  'POST /mj/submit/modal': [drawn((taskId) => ({ taskId, prompt: 'a fox' }))],
  'POST /mj/submit/action': [
    drawn((taskId) => ({ taskId, customId: 'MJ::JOB::upsample::1::00000000-0000-0000-0000-000000000000' })),
  ],
  'POST /mj/insight-face/swap': namesNone,
  'POST /suno/submit/music': [
    sung((task_id) => ({ task_id, continue_clip_id: 'c', continue_at: 1 })),
    sung((task_id) => ({ task_id, prompt: 'la' })),
  ],
  'POST /suno/submit/lyrics': [sung((task_id) => ({ task_id, prompt: 'la' }))],
  'POST /suno/fetch': [{ ...sung((id) => ({ ids: [id] })), isList: true }],
  'GET /suno/fetch/ID': [{ kind: 'song', send: path((id) => `/suno/fetch/${id}`) }],
};

/** Every call that the relay routes by a fixed path or by an id in it. */
const routed = [
  ...Object.keys(KEPT_OPERATIONS).map((key) => key.replace(' ', ' /v1/responses/ID')),
  ...Object.keys(CONVERSATION_OPERATIONS).map((key) => key.replace(' ', ' /v1/conversations')),
  ...[...calls.keys()].map((fixed) => `POST ${fixed}`),
  ...TASK_READS.map((what) => `GET /mj/task/ID/${what}`),
  ...SUBMITS.map((what) => `POST /mj/submit/${what}`),
  'POST /mj/task/list-by-condition',
  'POST /mj/notify',
  'POST /mj/insight-face/swap',
  'GET /mj/image/ID',
  'POST /suno/submit/music',
  'POST /suno/submit/lyrics',
  'POST /suno/fetch',
  'GET /suno/fetch/ID',
];

const ask = async (method: string, at: string, key: string, body?: object) => {
  const answer = await fetch(`${tasks.scene.server.url}${at}`, {
    method,
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
  });
  return { status: answer.status, text: await answer.text() };
};
const made = async (at: string, body: object): Promise<Record<string, unknown>> => {
  const { status, text } = await ask('POST', at, tasks.key, body);
  if (status !== 200) throw new Error(`${at}: ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
};

beforeAll(async () => {
  tasks = await openTaskScene();
  const { scene, root, simulator } = tasks;
  await scene.set('ModelRatio', JSON.stringify({ [MODEL]: 1 }));
  await scene.stage.channel(root, { type: 1, baseUrl: simulator.url, models: MODEL, key: 'sk-account' });
  const conversation = String((await made('/v1/conversations', {}))['id']);
  const added = await made(`/v1/conversations/${conversation}/items`, { items: [message] });
  const drawing = idOf(await tasks.imagine('a red fox'));
  const song = String((await made('/suno/submit/music', { prompt: 'la la' }))['data']);
  // Both are finished, so that no poll in between changes what Alice reads.
  for (let times = 0; times < 4; times += 1) await tasks.poll();
  const [task] = await scene.server.parts.stores.tasks.ofUser(tasks.alice.id, [drawing]);
  hers = {
    response: String((await made('/v1/responses', say({}).body))['id']),
    conversation,
    item: String((added['data'] as { id: string }[])[0]?.id),
    drawing,
    drawingAtUpstream: task?.upstreamId ?? '',
    song,
  };
});
afterAll(() => tasks.close());

/** All of it, as Alice reads it. */
const read = async (): Promise<string> => {
  const { response, conversation, drawing, song } = hers;
  const paths = [
    `/v1/responses/${response}`,
    `/v1/responses/${response}/input_items`,
    `/v1/conversations/${conversation}`,
    `/v1/conversations/${conversation}/items`,
    `/mj/task/${drawing}/fetch`,
    `/suno/fetch/${song}`,
  ];
  const answers = await Promise.all(paths.map((at) => ask('GET', at, tasks.key)));
  return JSON.stringify([answers, await tasks.money()]);
};

it('every call of the relay has a row, and every row a call', () => {
  expect(Object.keys(rows).toSorted()).toEqual(routed.toSorted());
});

it('what is hers is there to be read, by Alice', async () => {
  expect(Object.values(hers).filter((id) => id.length < 8)).toEqual([]);
  const [answers] = JSON.parse(await read()) as [{ status: number; text: string }[]];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  expect(answers.slice(4).map(({ text }) => /"status":"(\w+)"/.exec(text)?.[1])).toEqual([
    'SUCCESS',
    'SUCCESS',
  ]);
});

describe('what another user had made is as unknown as what nobody has, to', () => {
  const walked = Object.entries(rows).flatMap(([name, all]) =>
    typeof all === 'string' ? [] : all.map((row, at) => [name, at, row] as const),
  );

  it.each(walked)('%s (%i)', async (name, _, { kind, send, isList, isLeft }) => {
    const [method = '', fixed = ''] = name.split(' ');
    const as = async (id: string) => {
      const { path: at = fixed, body } = send(id, hers);
      return ask(method, at, tasks.bobKey, body);
    };
    const id = hers[kind];
    const before = await read();
    const nobodys = plain(await as(unknown(id)), unknown(id));
    await tasks.simulator.reset();
    const got = await as(id);
    const heard = (await tasks.simulator.calls()).count;
    expect(isLeft ? nobodys : plain(got, id)).toEqual(nobodys);
    expect(isList ? [200] : [400, 404]).toContain(got.status);
    expect(heard).toBe(0);
    expect(await read()).toBe(before);
  });
});

/** Without what is another in every answer: the id that was asked for, and the request's own. */
const plain = ({ status, text }: { readonly status: number; readonly text: string }, id: string) => ({
  status,
  text: text.replaceAll(id, 'ID').replace(/request id: \w+/, 'request id'),
});
