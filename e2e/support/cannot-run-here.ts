/** The exit code of a program that this machine cannot run: a stage reads it as skipped, as automake does. */
export const CANNOT_RUN_HERE = 77;
