export type LogFields = Readonly<Record<string, unknown>>;

/** Structured messages for operators. A `Secret` among the fields prints as `[secret]`. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
