/** The exit code of a program that cannot run on this machine. A stage counts it as skipped, as automake does. */
export const CANNOT_RUN_HERE = 77;
