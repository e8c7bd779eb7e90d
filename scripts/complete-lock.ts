import { readFileSync, writeFileSync } from 'node:fs';
import { lockEntryOf, missingPlatformPackages, parseLock } from './platform-packages.ts';

/** Run after `npm install` changed package-lock.json: names the packages of systems that the registry in use left out. */
const file = new URL('../package-lock.json', import.meta.url);
const lock = parseLock(readFileSync(file, 'utf8'));
const missing = missingPlatformPackages(lock);
const added = Object.fromEntries(missing.map((each) => [`node_modules/${each.name}`, lockEntryOf(each)]));
const packages = Object.entries({ ...lock.packages, ...added }).toSorted(([a], [b]) =>
  a.localeCompare(b, 'en'),
);
writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`);
console.log(`${missing.length} packages named`);
