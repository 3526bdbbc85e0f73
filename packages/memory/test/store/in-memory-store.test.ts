import { inMemoryStore } from './in-memory-store.ts';
import { describeNoteLife } from './note-life-contract.ts';
import { describeStore } from './store-contract.ts';

for (const describeContract of [describeStore, describeNoteLife]) {
  describeContract('the store in memory', async (clock) => inMemoryStore(() => clock.now));
}
