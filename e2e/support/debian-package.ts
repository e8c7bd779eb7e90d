import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** @returns why it failed; undefined if it succeeded */
const aptGet = (...args: string[]): string | undefined => {
  const { status, stderr } = spawnSync('apt-get', args, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    encoding: 'utf8',
  });
  return status === 0 ? undefined : `apt-get ${args.join(' ')} failed: ${stderr.trim().split('\n').at(-1)}`;
};

let isUpdated = false;

/**
 * Installs Debian packages, if this process may: the first of the choices whose packages are all available.
 * @returns why it failed; undefined if it succeeded
 */
export const installPackages = (...choices: readonly (readonly string[])[]): string | undefined => {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    return 'only root on a Debian system can install one here';
  let problem = isUpdated ? undefined : aptGet('update');
  if (problem !== undefined) return problem;
  isUpdated = true;
  for (const packages of choices) {
    problem = aptGet('install', '-y', '--no-install-recommends', ...packages);
    if (problem === undefined) return undefined;
  }
  return problem;
};
