#!/usr/bin/env node
// The command `tollgate`: starts the built server. Plain JavaScript, so that an old Node says in words what is wrong.
const [major] = process.versions.node.split('.').map(Number);
if (major < 26) {
  process.stderr.write(
    `Tollgate needs Node 26 or newer; this is ${process.version}. "npm install -g node@26" brings one.\n`,
  );
  process.exit(1);
}
// How memory is managed can only be said when a process starts (docs/decisions/0026), so this one becomes another with the
// same id. Windows cannot, a process whose parent talks to it would be lost to that parent, and some are not permitted to:
// these do without.
// Only V8's own words say it, and a Node that has dropped one of them ends at once: another than was tried does without, too.
const TRIED_MAJOR = 26;
const YOUNG = /max[-_]semi[-_]space[-_]size/;
const NO_GUESSES = '--no-allocation-site-pretenuring';
const COMPILERS = ['--managed-zone-memory', '--memory-pool-timeout=2'];
// oxlint-disable-next-line no-restricted-properties -- Node's own and the C library's, and nothing of ours reads them.
const { env } = process;
const isAnother = process.execArgv.includes(NO_GUESSES);
if (!isAnother && major === TRIED_MAJOR && process.platform !== 'win32' && !process.connected) {
  const isYoungSaid = [...process.execArgv, env.NODE_OPTIONS ?? ''].some((flag) => YOUNG.test(flag));
  const flags = [
    ...(isYoungSaid ? [] : ['--max-semi-space-size=8']),
    NO_GUESSES,
    ...COMPILERS,
    ...process.execArgv,
  ];
  try {
    process.execve(process.execPath, [process.execPath, ...flags, __filename, ...process.argv.slice(2)], {
      MALLOC_ARENA_MAX: '1',
      MALLOC_TRIM_THRESHOLD_: '131072',
      ...env,
    });
  } catch {}
}
const { join } = require('node:path');
const { enableCompileCache } = require('node:module');
// Compiled once, not at every start. Not in the system's folder for such things, where others may write what is run here.
const compiled = join(__dirname, '../dist/compiled');
enableCompileCache(compiled);
// Threads look here by themselves: a further relay takes 8 MB less.
env.NODE_COMPILE_CACHE ??= compiled;
void import('../dist/server/main.js').then(({ tollgate }) => tollgate(process.argv.slice(2)));
