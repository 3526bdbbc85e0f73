import { join } from 'node:path';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { describeNoteLife } from './note-life-contract.ts';
import { describeStore } from './store-contract.ts';
import { makeTempFolder } from './temp-folder.ts';

const folder = makeTempFolder();
let opened = 0;

for (const describeContract of [describeStore, describeNoteLife]) {
  describeContract('the store in a file', (clock) => {
    opened += 1;
    return openSqliteStore({ path: join(folder, `${opened}.db`), now: () => clock.now });
  });
}
