import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import { describeStore } from './store-contract.ts';

describeStore('the store in memory', async (clock) => new MemoryStore({ now: () => clock.now }));
