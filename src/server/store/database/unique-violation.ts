import { AppError } from '#core/error.ts';

/** Source: PostgreSQL, appendix A, `unique_violation`. */
const UNIQUE_VIOLATION = '23505';

/**
 * Returns the result of `work`, or `taken` if a unique index refused it. Two nodes may check for the same value at
 * once and both find it free. SQLite has one node and one writer, so there the check itself is enough.
 */
export const orTaken = async <Result>(work: Promise<Result>): Promise<Result | 'taken'> => {
  try {
    return await work;
  } catch (thrown) {
    const cause: unknown = thrown instanceof AppError ? thrown.cause : undefined;
    if (cause instanceof Error && 'code' in cause && cause.code === UNIQUE_VIOLATION) return 'taken';
    throw thrown;
  }
};
