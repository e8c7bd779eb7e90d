import { z } from 'zod';

const entry = z.looseObject({
  version: z.string().optional(),
  dev: z.boolean().optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});
const lockFile = z.looseObject({ packages: z.record(z.string(), entry) });
export type LockFile = z.infer<typeof lockFile>;

export const parseLock = (text: string): LockFile => lockFile.parse(JSON.parse(text));

export interface MissingPackage {
  readonly name: string;
  readonly version: string;
  readonly dev: boolean;
}

/**
 * Packages for other systems that are missing in the lock file. npm leaves out those that the registry in use lacks, and
 * then `npm ci` reports an outdated lock file.
 */
export const missingPlatformPackages = ({ packages }: LockFile): MissingPackage[] =>
  Object.values(packages).flatMap(({ dev = false, optionalDependencies = {} }) =>
    Object.entries(optionalDependencies)
      .filter(([name, version]) => packages[`node_modules/${name}`] === undefined && /^\d/.test(version))
      .map(([name, version]) => ({ name, version, dev })),
  );

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'openbsd', 'openharmony', 'win32'];
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64'];

/** The entry that npm would have written: enough to install the package on its system and to skip it elsewhere. */
export const lockEntryOf = ({ name, version, dev }: MissingPackage): Record<string, unknown> => {
  const words = name.split(/[/-]/);
  const os = systems.filter(
    (system) => words.includes(system) || (system === 'win32' && words.includes('windows')),
  );
  const cpu = processors.filter((processor) => words.includes(processor));
  return {
    version,
    ...(cpu.length > 0 && { cpu }),
    ...(dev && { dev }),
    ...(words.includes('musl') && { libc: ['musl'] }),
    optional: true,
    ...(os.length > 0 && { os }),
  };
};
