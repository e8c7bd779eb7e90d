import { readFileSync, writeFileSync } from 'node:fs';
import { lockEntryOf, missingPlatformPackages, parseLock } from './platform-packages.ts';

/** Run after `npm install` has changed a lock file: adds packages for other systems that the registry in use lacks. */
for (const path of ['../package-lock.json', '../e2e/clients/package-lock.json']) {
  const file = new URL(path, import.meta.url);
  const text = readFileSync(file, 'utf8');
  // Written in npm's own field order; the schema's order would change every entry.
  const lock = JSON.parse(text) as { readonly packages: object };
  const missing = missingPlatformPackages(parseLock(text));
  const added = Object.fromEntries(missing.map((each) => [`node_modules/${each.name}`, lockEntryOf(each)]));
  const packages = Object.entries({ ...lock.packages, ...added }).toSorted(([a], [b]) =>
    a.localeCompare(b, 'en'),
  );
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`);
  console.log(`${path}: ${missing.length} packages named`);
}
