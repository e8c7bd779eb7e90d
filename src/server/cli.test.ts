import { expect, it } from 'vitest';
import { AppError } from '#core/error.ts';
import { type Commands, runCommand } from './cli.ts';

const commands: Commands = {
  version: '1.2.3',
  serve: () => Promise.resolve(),
  audit: () => Promise.resolve([{ check: 'A01 sums', violations: 0, example: null }]),
  setupLink: () => Promise.resolve('http://localhost:3000/setup?secret=abc'),
  rescue: () => Promise.resolve({ username: 'root', password: 'fresh' }),
  secondPersonOff: () => Promise.resolve(true),
  changeMasterKey: () => Promise.resolve({ keyFile: 'data/master.key', before: 'data/master.key.1' }),
  backup: () => Promise.resolve(),
  restore: () => Promise.resolve(),
  verify: () => Promise.reject(new AppError('unavailable', 'no.jsonl cannot be read')),
};

const run = async (args: string[], changes: Partial<Commands> = {}) => {
  const printed: string[] = [];
  const code = await runCommand(args, { ...commands, ...changes }, (text) => void printed.push(text));
  return { code, text: printed.join('') };
};

it('audit exits 0 when every check holds', async () => {
  expect(await run(['audit'])).toEqual({ code: 0, text: 'ok        A01 sums\nClean.\n' });
});

it('audit exits 1 and shows an example when one does not', async () => {
  const audit = () =>
    Promise.resolve([
      { check: 'A01 sums', violations: 0, example: null },
      { check: 'A02 held', violations: 3, example: 'user 7' },
    ]);
  const { code, text } = await run(['audit'], { audit });
  expect(code).toBe(1);
  expect(text).toContain('VIOLATED  A02 held: 3 (for example user 7)\n1 of 2 checks are violated.\n');
});

it('setup-link prints the link, or says that it is too late', async () => {
  expect(await run(['setup-link'])).toEqual({ code: 0, text: 'http://localhost:3000/setup?secret=abc\n' });
  expect((await run(['setup-link'], { setupLink: () => Promise.resolve(undefined) })).code).toBe(1);
});

it('second-person-off says whether anything was switched off', async () => {
  expect(await run(['second-person-off'])).toEqual({ code: 0, text: 'One admin may change prices again.\n' });
  expect((await run(['second-person-off'], { secondPersonOff: () => Promise.resolve(false) })).code).toBe(1);
});

it('change-master-key says where both keys are, or what to start nodes with', async () => {
  const inFiles = await run(['change-master-key']);
  expect(inFiles.code).toBe(0);
  expect(inFiles.text).toContain('in data/master.key:');
  expect(inFiles.text).toContain('in data/master.key.1:');
  const given = await run(['change-master-key'], { changeMasterKey: () => Promise.resolve(undefined) });
  expect(given.text).toContain('start no node without it as TOLLGATE_MASTER_KEY');
});

it('rescue prints the new password, or that there is nobody to let in', async () => {
  const { code, text } = await run(['rescue']);
  expect([code, text]).toEqual([0, expect.stringContaining('Sign in as root with the password fresh')]);
  // What else signs in stays, and may be of whoever locked the door.
  expect(text).toContain('Passkeys and accounts of other services still sign in');
  expect((await run(['rescue'], { rescue: () => Promise.resolve(undefined) })).code).toBe(1);
});

it('serving has no exit code; an unknown command exits 2 with the usage', async () => {
  expect((await run([])).code).toBeUndefined();
  expect((await run(['serve'])).code).toBeUndefined();
  const unknown = await run(['explode']);
  expect(unknown.code).toBe(2);
  expect(unknown.text).toMatch(/^tollgate: there is no command "explode"\n\nUsage: tollgate/);
});

it('a word that a command does not read is refused before anything is done, and help is only shown', async () => {
  const never = (): Promise<never> => Promise.reject(new Error('it was done'));
  const changes = {
    serve: never,
    audit: never,
    rescue: never,
    secondPersonOff: never,
    changeMasterKey: never,
    backup: never,
    restore: never,
    setupLink: never,
  };
  for (const words of [
    ['serve', '--port'],
    ['audit', 'x'],
    ['rescue', '--dry-run'],
    ['backup', 'a', 'b'],
    ['restore', 'a', 'b'],
  ]) {
    const { code, text } = await run(words, changes);
    expect([code, text.split('\n')[0]]).toEqual([
      2,
      `tollgate: "${words[0]}" does not know "${words.at(-1)}"`,
    ]);
  }
  for (const words of [
    ['rescue', '--help'],
    ['backup', '-h'],
    ['serve', '--help'],
  ]) {
    const { code, text } = await run(words, changes);
    expect([code, text.startsWith('Usage: tollgate')]).toEqual([0, true]);
  }
});

it('help and the version are no mistakes', async () => {
  for (const asked of ['help', '--help', '-h']) {
    const { code, text } = await run([asked]);
    expect([code, text.startsWith('Usage: tollgate')]).toEqual([0, true]);
  }
  for (const asked of ['version', '--version', '-v'])
    expect(await run([asked])).toEqual({ code: 0, text: '1.2.3\n' });
});

it('backup and restore want a file, and say what becomes of the master key', async () => {
  const files: string[] = [];
  const remember = async (file: string): Promise<void> => void files.push(file);
  const saved = await run(['backup', 'a.backup'], { backup: remember });
  expect([saved.code, saved.text]).toEqual([
    0,
    expect.stringMatching(/^Backed up to a\.backup\..*master key/),
  ]);
  const brought = await run(['restore', 'b.backup'], { restore: remember });
  expect([brought.code, brought.text]).toEqual([0, expect.stringMatching(/^Restored\..*master key/)]);
  expect(files).toEqual(['a.backup', 'b.backup']);
  for (const word of ['backup', 'restore']) {
    const without = await run([word], { backup: remember, restore: remember });
    expect([without.code, without.text.split('\n')[0]]).toEqual([
      2,
      `tollgate: "${word}" needs the name of a file`,
    ]);
  }
  expect(files).toEqual(['a.backup', 'b.backup']);
});

const NOTHING_LATE = { units: 0, outUnits: 0 };

it('verify wants a file and the roots, exits 2 for what cannot be read, and else as the check ends', async () => {
  const report = {
    statement: undefined,
    problems: [],
    notes: ['late'],
    calls: 2,
    movements: 0,
    late: NOTHING_LATE,
  };
  for (const [verdict, code] of [
    ['proven', 0],
    ['wrong', 1],
    ['partly', 3],
  ] as const) {
    const asked: unknown[] = [];
    const verify: Commands['verify'] = async (wish) => {
      asked.push(wish);
      return { ...report, verdict };
    };
    const got = await run(['verify', 'a.jsonl', '--roots', 'r.json', '--key', 'k'], { verify });
    expect([got.code, asked]).toEqual([code, [{ file: 'a.jsonl', roots: 'r.json', key: 'k' }]]);
    expect(got.text).toContain(`  note      late\n${verdict.toUpperCase()}`);
  }
  expect(await run(['verify', 'no.jsonl', '--roots', 'r.json'])).toEqual({
    code: 2,
    text: 'no.jsonl cannot be read\n',
  });
});

it('verify takes its options before the files, between and after them, and refuses what it does not read', async () => {
  const asked: unknown[] = [];
  const verify: Commands['verify'] = (wish) => {
    asked.push(wish);
    return Promise.reject(new AppError('unavailable', 'enough'));
  };
  const file = { file: 'a.jsonl', roots: 'r.json', key: undefined };
  for (const words of ['--roots r.json a.jsonl', 'a.jsonl --roots r.json', '--roots=r.json a.jsonl'])
    await run(['verify', ...words.split(' ')], { verify });
  expect(asked).toEqual([file, file, file]);
  for (const [words, problem] of [
    ['', '"verify" needs the name of a file'],
    ['--roots r.json', '"verify" needs the name of a file'],
    ['a.jsonl', '"verify" needs --roots: an address, or a file of what was published there'],
    ['a.jsonl --roots', '"verify": Option \'--roots <value>\' argument missing'],
    ['a.jsonl --rots r.json', '"verify": Unknown option \'--rots\''],
  ] as const) {
    const { code, text } = await run(['verify', ...words.split(' ').filter((word) => word !== '')], {
      verify,
    });
    expect([code, text.split('\n')[0]]).toEqual([2, expect.stringContaining(`tollgate: ${problem}`)]);
  }
  expect(asked).toHaveLength(3);
});

it('a second file behind the options is verified too', async () => {
  const files: string[] = [];
  const verify: Commands['verify'] = async ({ file }) => {
    files.push(file);
    return {
      statement: undefined,
      problems: [],
      notes: [],
      calls: 0,
      movements: 0,
      late: NOTHING_LATE,
      verdict: 'proven',
    };
  };
  await run(['verify', 'a.jsonl', '--roots', 'r.json', 'b.jsonl'], { verify });
  expect(files).toEqual(['a.jsonl', 'b.jsonl']);
});
