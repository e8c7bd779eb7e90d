/** How long this thread computed at the work, in milliseconds: the machine may be doing something else meanwhile. */
export const threadMs = (work: () => void): number => {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
};
