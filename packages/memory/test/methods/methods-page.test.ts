import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { methods } from '../../src/methods/methods.ts';
import { methodsPage } from './methods-page.ts';

const page = fileURLToPath(new URL('../../../../docs/memory-methods.md', import.meta.url));

it('the reference page says what the method table says', async () => {
  await expect(methodsPage(methods)).toMatchFileSnapshot(page);
});
