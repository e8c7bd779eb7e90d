#!/usr/bin/env node
// The command `tollgate`: starts the built server. Plain JavaScript, so that an old Node says in words what is wrong.
const [major] = process.versions.node.split('.').map(Number);
if (major < 26) {
  process.stderr.write(
    `Tollgate needs Node 26 or newer; this is ${process.version}. "npm install -g node@26" brings one.\n`,
  );
  process.exit(1);
}
const { join } = require('node:path');
const { enableCompileCache, setSourceMapsSupport } = require('node:module');
// Compiled once, not at every start. Not in the system's folder for such things, where others may write what is run here.
const compiled = join(__dirname, '../dist/compiled');
enableCompileCache(compiled);
// Threads look here by themselves: a further relay takes 8 MB less.
// oxlint-disable-next-line no-restricted-properties -- Node's own, and nothing of ours reads it.
process.env.NODE_COMPILE_CACHE ??= compiled;
// Stack traces name our sources. A map is read when a trace is first asked for, not before.
setSourceMapsSupport(true, { nodeModules: true });
void import('../dist/server/main.js').then(({ tollgate }) => tollgate(process.argv.slice(2)));
