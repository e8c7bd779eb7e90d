/** Whether leaving the page would lose input: forms with changes refuse to unload. */
export const hasDraft = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
