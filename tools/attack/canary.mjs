// A note that a server holds before an attack and must find, unchanged, after it.

const NOTE = {
  projectId: 'canary',
  groupId: 'mine',
  text: 'the canary sings in the copper cage at noon',
};

/** Adds the note. `call` makes one JSON-RPC call and resolves with its answer. */
export async function addCanary(call) {
  const { result } = await call('memory.add_note', NOTE);
  return result.id;
}

/** What is wrong with the note now; undefined when it is found as it was. */
export async function canaryProblem(call, id) {
  const query = { projectId: NOTE.projectId, query: 'canary copper cage', topK: 100 };
  const { result, error } = await call('memory.search', query);
  if (result === undefined) return `a search failed: ${JSON.stringify(error)}`;
  const texts = result.results.map((note) => `${note.id} ${note.text}`);
  if (texts.length === 1 && texts[0] === `${id} ${NOTE.text}`) return undefined;
  return `expected the canary note alone, found ${JSON.stringify(texts).slice(0, 300)}`;
}
