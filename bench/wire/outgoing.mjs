/** Collects the promises of what was sent, for libraries whose sends settle one by one. */
export function createOutgoing() {
  let promises = [];
  return {
    add: (promise) => {
      promises.push(promise);
    },
    settled: () => {
      const batch = promises;
      promises = [];
      return Promise.all(batch);
    },
  };
}
