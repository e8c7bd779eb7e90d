import { parseArgs } from 'node:util';
import { AppError } from '#core/error.ts';
import type { AuditFinding } from '#core/ledger/audit.ts';
import type { StatementReport } from '#core/seal/statement-check.ts';
import { printReports, type VerifyWish } from './verify-statement.ts';

/** What the command line can do; `main.ts` says how. */
export interface Commands {
  /** `0.1.0` */
  readonly version: string;
  /** Serves until told to stop. */
  serve(): Promise<void>;
  /** Checks every invariant of the money, and counts its violations. */
  audit(): Promise<readonly AuditFinding[]>;
  /** A new setup link; undefined once the first account exists. */
  setupLink(): Promise<string | undefined>;
  /** Gives the super admin a way back in; undefined if there is no super admin. */
  rescue(): Promise<{ readonly username: string; readonly password: string } | undefined>;
  /** Switches off that prices need a second person; false if it was off. */
  secondPersonOff(): Promise<boolean>;
  /** Puts another master key in place of this one; tells where both are, if they are in files. */
  changeMasterKey(): Promise<{ readonly keyFile: string; readonly before: string } | undefined>;
  /** Writes the whole database to a new file. */
  backup(file: string): Promise<void>;
  /** Fills an empty database from such a file. */
  restore(file: string): Promise<void>;
  /** Checks a downloaded statement with proofs. */
  verify(wish: VerifyWish): Promise<StatementReport>;
}

const USAGE = `Usage: tollgate [command]

  serve        start the server (also without a command)
  audit        check every invariant of the money on the live database: exit 0 clean, 1 violated, 2 not checked
  setup-link   print a new one-time link for making the super admin; the old one ends
  backup FILE  write all that is kept to a new file, also while the server runs; the master key is not in it
  restore FILE fill an empty database, of either engine, from a backup
  verify FILE... --roots URL|FILE [--key ID]
               check statements with proofs against the published seals, without any database: the site's address, or a
               file of what it had published; of several months, that each begins where the one before ended;
               exit 0 proven, 1 wrong, 2 unreadable or seals too old, 3 where deleted rows are proven by sums
  rescue       let the super admin in again: a new password, no second step, no human check
  second-person-off
               let one admin change prices again, where nobody is left to approve; it is written in the audit log
  change-master-key
               put another master key in place of this one, also while the server runs, which then encrypts everything
               anew; a random one, or the one in TOLLGATE_NEW_MASTER_KEY
  version      print the version
`;

/** What asks for help, and so is no mistake. */
const ASKS_FOR_HELP = new Set(['help', '--help', '-h']);

/** How many words follow a command; `verify` reads its own. */
const WORDS_AFTER: Readonly<Record<string, number>> = {
  serve: 0,
  audit: 0,
  'setup-link': 0,
  rescue: 0,
  'second-person-off': 0,
  'change-master-key': 0,
  version: 0,
  backup: 1,
  restore: 1,
};

/** What is wrong with the words after a command; undefined if nothing is. */
const misuse = (command: string, words: readonly string[]): string | undefined => {
  const most = WORDS_AFTER[command];
  if (most === undefined) return undefined;
  const unread = words[most];
  if (unread !== undefined) return `"${command}" does not know "${unread}"`;
  return words.length < most ? `"${command}" needs the name of a file` : undefined;
};

/**
 * Runs one command. A word that it does not read is refused: `rescue --help` must not rescue.
 * @returns the exit code, or undefined while the server goes on
 */
export const runCommand = async (
  args: readonly string[],
  commands: Commands,
  print: (text: string) => void,
): Promise<number | undefined> => {
  const [command = 'serve', ...words] = args;
  const [file = ''] = words;
  const refuse = (problem: string): number => {
    print(`tollgate: ${problem}\n\n${USAGE}`);
    return 2;
  };
  if (ASKS_FOR_HELP.has(command) || words.includes('--help') || words.includes('-h')) {
    print(USAGE);
    return 0;
  }
  const problem = misuse(command, words);
  if (problem !== undefined) return refuse(problem);
  switch (command) {
    case 'serve':
      await commands.serve();
      return undefined;
    case 'audit':
      return printAudit(await commands.audit(), print);
    case 'setup-link': {
      const link = await commands.setupLink();
      print(link === undefined ? 'The super admin exists already; sign in instead.\n' : `${link}\n`);
      return link === undefined ? 1 : 0;
    }
    case 'rescue':
      return printRescue(await commands.rescue(), print);
    case 'second-person-off': {
      const wasOn = await commands.secondPersonOff();
      print(
        wasOn
          ? 'One admin may change prices again.\n'
          : 'Prices do not need a second person: nothing is changed.\n',
      );
      return wasOn ? 0 : 1;
    }
    case 'change-master-key':
      print(changedKey(await commands.changeMasterKey()));
      return 0;
    case 'backup':
      await commands.backup(file);
      print(
        `Backed up to ${file}. Keep the master key too, apart from it: without it nobody reads the keys in there.\n`,
      );
      return 0;
    case 'restore':
      await commands.restore(file);
      print('Restored. Bring back the master key, then start the server.\n');
      return 0;
    case 'verify': {
      const wishes = verifyWishes(words);
      return typeof wishes === 'string' ? refuse(wishes) : verifyFiles(wishes, commands, print);
    }
    case 'version':
    case '--version':
    case '-v':
      print(`${commands.version}\n`);
      return 0;
    default:
      return refuse(`there is no command "${command}"`);
  }
};

/** What is to be verified, by file, options before or after them; else what is wrong with the words. */
const verifyWishes = (words: readonly string[]): readonly VerifyWish[] | string => {
  try {
    const { positionals: files, values } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { roots: { type: 'string' }, key: { type: 'string' } },
    });
    const { roots, key } = values;
    if (files.length === 0) return '"verify" needs the name of a file';
    if (roots === undefined)
      return '"verify" needs --roots: an address, or a file of what was published there';
    return files.map((file) => ({ file, roots, key }));
  } catch (thrown) {
    return `"verify": ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
};

/** A file that cannot be read is an error of the command, not a failed proof. */
const verifyFiles = async (
  wishes: readonly VerifyWish[],
  { verify }: Pick<Commands, 'verify'>,
  print: (text: string) => void,
): Promise<number> => {
  try {
    const reports: StatementReport[] = [];
    for (const wish of wishes) reports.push(await verify(wish));
    return printReports(reports, print);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    print(`${thrown.message}\n`);
    return 2;
  }
};

const changedKey = (changed: Awaited<ReturnType<Commands['changeMasterKey']>>): string =>
  (changed === undefined
    ? 'The master key is the one in TOLLGATE_NEW_MASTER_KEY now: start no node without it as TOLLGATE_MASTER_KEY.\n'
    : `The new master key is in ${changed.keyFile}: every other node needs it before it starts again.\n` +
      `The one before it is in ${changed.before}: take it to where your backups are.\n`) +
  'Backups made until now need the key of before. A running server, or the next that starts, encrypts everything anew ' +
  'within some minutes, and says so in its log.\n';

const printRescue = (
  rescued: Awaited<ReturnType<Commands['rescue']>>,
  print: (text: string) => void,
): number => {
  print(
    rescued === undefined
      ? 'There is no super admin yet; "setup-link" prints the link that makes one.\n'
      : `Sign in as ${rescued.username} with the password ${rescued.password} and change it.\n` +
          'Two-step sign-in and the human check are off. Start a running server again, so that it notices.\n' +
          'Passkeys and accounts of other services still sign in: remove in the settings those that you do not know.\n',
  );
  return rescued === undefined ? 1 : 0;
};

const printAudit = (findings: readonly AuditFinding[], print: (text: string) => void): number => {
  const broken = findings.filter(({ violations }) => violations > 0);
  for (const { check, violations, example } of findings) {
    print(
      violations === 0
        ? `ok        ${check}\n`
        : `VIOLATED  ${check}: ${violations} (for example ${example ?? 'unknown'})\n`,
    );
  }
  print(broken.length === 0 ? 'Clean.\n' : `${broken.length} of ${findings.length} checks are violated.\n`);
  return broken.length === 0 ? 0 : 1;
};
