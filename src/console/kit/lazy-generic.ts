import { type ComponentType, lazy } from 'react';

/** React's `lazy`, for a component with a type parameter, which the type of `lazy` would lose. */
export const lazyGeneric = <Component>(load: () => Promise<{ readonly default: Component }>): Component =>
  lazy(load as () => Promise<{ default: ComponentType }>) as Component;
