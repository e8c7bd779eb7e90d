import { AppError } from '#core/error.ts';

/** Source: PostgreSQL, appendix A, `unique_violation`. */
const UNIQUE_VIOLATION = '23505';

/**
 * What the work answers, or `taken` where a unique index refused it: of two that want the same at once, both look first
 * and find nothing. SQLite runs one after the other, so there the look is enough.
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
