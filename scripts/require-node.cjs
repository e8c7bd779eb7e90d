// Loaded first (`node -r`), by any version of Node: an old version gets a clear message instead of a stack trace.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Tollgate runs TypeScript as it stands and needs Node 22.18 or newer; this is ${process.version}.\n` +
      'Its own Node comes with "npm ci" (package "node"), and "npm start", "npm test" and "npm run …" use it.\n' +
      'If it is missing, install scripts were switched off: run "npm rebuild node", or use a newer Node.',
  );
  process.exit(1);
}

// Caches compiled modules, with their types removed, for later starts and for child processes.
const { join } = require('node:path');
process.env.NODE_COMPILE_CACHE ??= join(__dirname, '../node_modules/.cache/compiled');
require('node:module').enableCompileCache(process.env.NODE_COMPILE_CACHE);
