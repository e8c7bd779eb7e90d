import { readdir, readFile, readlink } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeChannel, makeToken, setOption, setUp } from '../support/operator.ts';
import { startTollgate } from '../support/tollgate.ts';
import {
  answerOf,
  begun,
  END,
  formPieces,
  late,
  lengthOf,
  lengthWith,
  MIB,
  opened,
  part,
  sha256,
  upload,
} from './upload-caller.ts';
import { startUploadUpstream, type UploadUpstream } from './upload-upstream.ts';
import { useGateway } from './use-gateway.ts';

let upstream: UploadUpstream;
beforeAll(async () => {
  upstream = await startUploadUpstream();
});
afterAll(() => upstream.stop());

const { start } = useGateway();
const RENAMED = { modelMapping: JSON.stringify({ m: 'whisper-large' }) };

test.each(['model-first', 'model-last'] as const)(
  'the texts and files of a large form go out byte for byte (%s), however it is framed',
  async (order) => {
    const rig = await start([{ baseUrl: upstream.url }]);
    const form = (): Generator<Buffer> => formPieces(20, order);
    const headers: Readonly<Record<string, number>>[] = [{}, { 'content-length': lengthOf(form()) }];
    for (const header of headers) {
      expect(await upload(rig, form(), header)).toMatchObject({ status: 200 });
      expect(upstream.uploads.at(-1)).toMatchObject({ length: lengthOf(form()), sha256: sha256(form()) });
    }
    const packed = gzipSync(Buffer.concat([...form()]), { level: 1 });
    expect(await upload(rig, [packed], { 'content-encoding': 'gzip' })).toMatchObject({ status: 200 });
    expect(upstream.uploads.at(-1)?.sha256).toBe(sha256(form()));
  },
);

test('a large form is sent whole to the next channel, under the name that has for the model', async () => {
  const rig = await start(
    [
      { baseUrl: `${upstream.url}/broken`, priority: 2 },
      { baseUrl: `${upstream.url}/hasty`, priority: 1 },
      { baseUrl: upstream.url, priority: 0, ...RENAMED },
    ],
    { RetryTimes: 2 },
  );
  expect(await upload(rig, formPieces(10, 'model-last'))).toMatchObject({ status: 200 });
  const expected = [...formPieces(10, 'model-last', `${part('name="model"')}whisper-large\r\n`)];
  expect(upstream.uploads.at(-1)).toMatchObject({
    path: '/v1/audio/transcriptions',
    sha256: sha256(expected),
  });
  await expect.poll(rig.logs).toHaveLength(1);
});

test('a form above the limit is refused in words, and so is one that is broken at its beginning', async () => {
  const rig = await start([{ baseUrl: upstream.url }]);
  const before = upstream.uploads.length;
  expect(await upload(rig, formPieces(33, 'model-first'))).toMatchObject({ status: 413 });
  const [head = Buffer.alloc(0), , end = Buffer.alloc(0)] = formPieces(1 / 16, 'model-first');
  const bomb = gzipSync(Buffer.concat([head, Buffer.alloc(40 * MIB), end]), { level: 1 });
  expect(bomb.length).toBeLessThan(MIB);
  expect(await upload(rig, [bomb], { 'content-encoding': 'gzip' })).toMatchObject({ status: 413 });
  const nameless = await upload(rig, [Buffer.from(part('x=1')), ...formPieces(5, 'model-first')]);
  expect(nameless.status).toBe(400);
  expect(nameless.body).toContain("a part has a parameter 'x'");
  const cut = [...formPieces(2, 'model-first')].slice(0, -1);
  expect(await upload(rig, cut)).toMatchObject({ status: 400 });
  const notGzip = await upload(rig, formPieces(2, 'model-first'), { 'content-encoding': 'gzip' });
  expect(notGzip).toMatchObject({ status: 400 });
  expect(upstream.uploads).toHaveLength(before);
});

describe('a form that is known early', () => {
  test('goes out while it still comes, and to its end once that is there', async () => {
    const rig = await start([{ baseUrl: upstream.url }]);
    const sent = begun(rig, lengthWith(4, END), 4);
    const answer = answerOf(sent);
    await expect.poll(() => upstream.comingBytes()).toBeGreaterThan(3 * MIB);
    sent.end(END);
    expect(await answer).toMatchObject({ status: 200 });
    expect(upstream.uploads.at(-1)).toMatchObject({
      complete: true,
      sha256: sha256(formPieces(4, 'model-first')),
    });
  });

  test('keeps its meaning: what stands behind the file counts', async () => {
    const rig = await start([{ baseUrl: upstream.url }]);
    const tail = late('stream', 'true');
    const sent = begun(rig, lengthWith(4, tail), 4);
    const answer = answerOf(sent);
    await expect.poll(() => upstream.comingBytes()).toBeGreaterThan(3 * MIB);
    sent.end(tail);
    const { status, body } = await answer;
    expect(status).toBe(200);
    expect(body).toContain('transcript.text.done');
    await expect.poll(rig.logs).toMatchObject([{ is_stream: 1 }]);
  });

  test.each([
    ['another model', late('model', 'dear'), 400, "'model' is given twice", {}],
    ['no end', '\r\n--upl0ad', 400, 'a part does not end', {}],
    [
      'a word that is forbidden',
      late('prompt', 'say plugh'),
      400,
      'sensitive words',
      { CheckSensitiveEnabled: true, CheckSensitiveOnPromptEnabled: true, SensitiveWords: 'plugh' },
    ],
  ] as const)('that turns out to have %s is refused, and no upstream has seen its end', async (...row) => {
    const [, tail, status, words, options] = row;
    const rig = await start([{ baseUrl: upstream.url }], options);
    const before = await rig.balance();
    const sent = begun(rig, lengthWith(4, tail), 4);
    const answer = answerOf(sent);
    await expect.poll(() => upstream.comingBytes()).toBeGreaterThan(3 * MIB);
    sent.end(tail);
    const refused = await answer;
    expect(refused.status).toBe(status);
    expect(refused.body).toContain(words);
    await expect.poll(() => upstream.uploads.at(-1)?.complete).toBe(false);
    await expect.poll(rig.openHolds).toBe(0);
    expect((await rig.balance()).left).toBe(before.left);
    expect(rig.disabled).toEqual([]);
  });

  test('is sent from its beginning to the next channel, even while it still arrives', async () => {
    const hasty = { baseUrl: `${upstream.url}/hasty`, priority: 2 };
    const rig = await start([hasty, { baseUrl: upstream.url, ...RENAMED }], { RetryTimes: 1 });
    const sent = begun(rig, lengthWith(4, END), 4);
    const answer = answerOf(sent);
    await expect.poll(() => upstream.comingBytes()).toBeGreaterThan(3 * MIB);
    sent.end(END);
    expect(await answer).toMatchObject({ status: 200 });
    const renamed = formPieces(4, 'model-first', `${part('name="model"')}whisper-large\r\n`);
    expect(upstream.uploads.at(-1)).toMatchObject({ sha256: sha256(renamed) });
  });

  test('may arrive slowly: the upstream’s time to answer begins when it has all of it', async () => {
    const rig = await start([
      { baseUrl: upstream.url, setting: JSON.stringify({ first_byte_timeout_ms: 2000 }) },
    ]);
    const sent = begun(rig, lengthWith(4, END), 4);
    const answer = answerOf(sent);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    sent.end(END);
    expect(await answer).toMatchObject({ status: 200 });
  });

  test('whose caller leaves is cut off at the upstream as well', async () => {
    const rig = await start([{ baseUrl: upstream.url }]);
    const sent = begun(rig, lengthWith(9, END), 4);
    await expect.poll(() => upstream.comingBytes()).toBeGreaterThan(3 * MIB);
    sent.destroy();
    await expect.poll(() => upstream.uploads.at(-1)?.complete).toBe(false);
    expect((await rig.balance()).used).toBe(0);
  });
});

/** The form files this process has open. */
const openFiles = async (pid: number | 'self'): Promise<number> => {
  const names = await readdir(`/proc/${String(pid)}/fd`);
  const links = await Promise.all(
    names.map((name) => readlink(`/proc/${String(pid)}/fd/${name}`).catch(() => '')),
  );
  return links.filter((link) => /tollgate-[0-9a-f-]{36} \(deleted\)/.test(link)).length;
};

const memoryBytes = async (pid: number, name: 'VmRSS' | 'VmHWM'): Promise<number> => {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8');
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
};

const UPLOADS = 16;
/** All sixteen together are 400 MB; what they take is pieces on their way, until the next collection. */
const MOST_BYTES = 150 * MIB;

describe.skipIf(process.platform !== 'linux')('disk and memory of forms (needs Linux)', () => {
  test('a caller that leaves in the middle of its form leaves no file behind', async () => {
    const rig = await start([{ baseUrl: upstream.url }]);
    const sent = opened(rig, { 'content-length': 20 * MIB });
    sent.on('error', () => undefined);
    for (const piece of formPieces(5, 'model-first')) sent.write(piece);
    await expect.poll(() => openFiles('self')).toBe(1);
    sent.destroy();
    await expect.poll(() => openFiles('self')).toBe(0);
  });

  test('an upstream that takes nothing of a form is left when its caller leaves', async () => {
    const rig = await start([{ baseUrl: `${upstream.url}/deaf` }]);
    const sent = opened(rig, {});
    sent.on('error', () => undefined);
    for (const piece of formPieces(20, 'model-first')) sent.write(piece);
    sent.end();
    await expect.poll(rig.openHolds).toBe(1);
    sent.destroy();
    await expect.poll(() => openFiles('self')).toBe(0);
  });

  test('sixteen sounds of 25 MB at once take a small part of that memory', async () => {
    const tollgate = await startTollgate();
    const operator = await setUp(tollgate);
    await setOption(operator, 'ModelRatio', { m: 0.01 });
    await makeChannel(operator, { name: 'only', baseUrl: upstream.url, models: ['m'] });
    const { key } = await makeToken(operator, { unlimited_quota: true });
    const target = { url: tollgate.url, key };
    expect(await upload(target, formPieces(2, 'model-last'))).toMatchObject({ status: 200 });
    const before = await memoryBytes(tollgate.program.pid, 'VmRSS');
    const statuses = await Promise.all(
      Array.from(
        { length: UPLOADS },
        async () => (await upload(target, formPieces(25, 'model-last'))).status,
      ),
    );
    const grown = (await memoryBytes(tollgate.program.pid, 'VmHWM')) - before;
    await tollgate.stop();
    expect(statuses).toEqual(Array.from({ length: UPLOADS }, () => 200));
    expect(grown).toBeLessThan(MOST_BYTES);
  });
});
