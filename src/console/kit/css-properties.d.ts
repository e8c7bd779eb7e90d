import 'react';

declare module 'react' {
  /** Our own CSS variables may be set from a style attribute. */
  interface CSSProperties {
    [variable: `--${string}`]: string | number | undefined;
  }
}
