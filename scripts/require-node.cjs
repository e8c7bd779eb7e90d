// Loaded before everything else (`node -r`), by any Node: says in words what an old one would say with a stack trace.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Tollgate runs TypeScript as it stands and needs Node 22.18 or newer; this is ${process.version}.\n` +
      'Its own Node comes with "npm ci" (package "node"), and "npm start", "npm test" and "npm run …" use it.\n' +
      'If it is missing, install scripts were switched off: run "npm rebuild node", or use a newer Node.',
  );
  process.exit(1);
}

// Types are taken out and modules compiled once, not at every start; programs started from here do the same.
const { join } = require('node:path');
process.env.NODE_COMPILE_CACHE ??= join(__dirname, '../node_modules/.cache/compiled');
require('node:module').enableCompileCache(process.env.NODE_COMPILE_CACHE);
